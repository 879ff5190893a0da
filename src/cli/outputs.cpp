#include "cli/outputs.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "cavity/errors.hpp"
#include "file/atomic_file.hpp"
#include "read/genotypes.hpp"
#include "read/plink.hpp"
#include "read/tenx.hpp"

namespace cavity::cli {

namespace {

/// By device and inode where the file is there, so that links count, else by its whole path. Empty for pipes, terminals
/// and /dev/null, which may take any number of outputs.
std::string identity(const std::string& path, bool read) {
  struct stat status {};
  const bool there =
      path == "-" ? ::fstat(read ? STDIN_FILENO : STDOUT_FILENO, &status) == 0 : ::stat(path.c_str(), &status) == 0;
  if (there && S_ISREG(status.st_mode)) return fmt::format("{}:{}", status.st_dev, status.st_ino);
  if (there || path == "-") return "";
  std::error_code unknown;
  const auto whole = std::filesystem::weakly_canonical(path, unknown);
  return unknown ? path : whole.string();
}

}  // namespace

std::vector<NamedFile> files_read(const std::string& data, const ReadOptions& options) {
  std::vector<NamedFile> out = {{"the data", data},
                                {"the sample sheet", options.sample_sheet},
                                {"the labels", options.labels_file},
                                {"the covariates", options.covariate_file}};
  if (names_tenx(data)) {
    out.front().path.clear();
    for (const std::string& path : tenx_files(data)) out.push_back({"the data", path});
    return out;
  }
  if (!names_plink(data)) return out;
  const PlinkFiles files = plink_files(data);
  for (const std::string& path : {files.bed, files.bim, files.fam}) out.push_back({"the data", path});
  return out;
}

void check_outputs(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs) {
  std::vector<std::pair<NamedFile, std::string>> taken;
  for (const NamedFile& input : inputs)
    if (!input.path.empty()) taken.emplace_back(input, identity(input.path, true));
  const std::size_t read = taken.size();
  for (const NamedFile& output : outputs) {
    if (output.path.empty()) continue;
    check_writable(output.path);
    const std::string own = identity(output.path, false);
    for (std::size_t i = 0; i < taken.size() && !own.empty(); ++i) {
      const auto& [other, its] = taken[i];
      if (its != own) continue;
      throw UsageError(i < read ? fmt::format("{} {} would replace {}: give it a file of its own", output.role,
                                              output.path, other.role)
                                : fmt::format("{} {} and {} {} are one file: give each one of its own", other.role,
                                              other.path, output.role, output.path));
    }
    taken.emplace_back(output, own);
  }
}

}  // namespace cavity::cli
