#include "compare/split_log.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <ostream>
#include <sstream>

#include "cavity/errors.hpp"
#include "file/atomic_file.hpp"
#include "file/json_depth.hpp"

namespace cavity {

namespace {

using Json = nlohmann::ordered_json;
const std::string first_line = "# cavity compare ";
const std::string header = "split,method,test,error,log_loss,status,cells,settled,density,noise\n";

std::string line(const SplitResult& r) {
  return fmt::format("{},{},{},{},{},{},{},{},{},{}\n", r.split, r.method, r.test, r.error, r.log_loss, r.status,
                     r.cells, r.settled, r.density, r.noise);
}

// False for anything but a whole line with a share of samples for an error.
bool parse(const std::string& text, SplitResult& r) {
  std::istringstream in(text);
  std::vector<std::string> part;
  for (std::string field; std::getline(in, field, ',');) part.push_back(field);
  if (part.size() != 10) return false;
  try {
    r = {std::stoul(part[0]), part[1],           std::stoul(part[2]), std::stod(part[3]),
         std::stod(part[4]),  part[5],           std::stoul(part[6]), std::stoul(part[7]),
         std::stod(part[8]),  std::stod(part[9])};
  } catch (const std::logic_error&) {
    return false;
  }
  return r.error >= 0 && r.error <= 1;
}

void check_settings(const std::string& path, const std::string& found, Json wanted) {
  const Json before = found.starts_with(first_line) && !json_too_deep(found)
                          ? Json::parse(found.substr(first_line.size()), nullptr, false)
                          : Json(Json::value_t::discarded);
  if (!before.is_object())
    throw InputError(fmt::format("{}: line 1 is not that of a comparison; `resume` continues only such files", path));
  std::string different;
  for (const auto& [key, value] : wanted.items())
    if (key != "splits" && (!before.contains(key) || before[key] != value))
      different += fmt::format("{}{} was {}, is {}", different.empty() ? "" : "; ", key,
                               before.contains(key) ? before[key].dump() : "absent", value.dump());
  if (!different.empty())
    throw UsageError(fmt::format("{} cannot be resumed with other settings: {}", path, different));
}

std::vector<SplitResult> whole_splits(std::istream& in, std::size_t methods) {
  std::map<std::size_t, std::vector<SplitResult>> found;
  for (std::string text; std::getline(in, text);) {
    if (in.eof()) break;  // no line feed: the program was stopped while it wrote
    if (SplitResult r; parse(text, r)) found[r.split].push_back(r);
  }
  std::vector<SplitResult> out;
  for (const auto& [split, results] : found)
    if (results.size() == methods) out.insert(out.end(), results.begin(), results.end());
  return out;
}

}  // namespace

std::string split_csv(const Json& settings, const std::vector<SplitResult>& results) {
  std::string out = first_line + settings.dump() + "\n" + header;
  for (const SplitResult& r : results) out += line(r);
  return out;
}

SplitLog::SplitLog(std::string path, Json settings, std::size_t methods, bool resume)
    : path_(std::move(path)), settings_(std::move(settings)) {
  std::error_code ignored;
  if (std::filesystem::file_size(path_, ignored) > 0 && !ignored) {
    if (!resume)
      throw UsageError(fmt::format("{} is there already: `resume` continues it; remove it to start again", path_));
    std::ifstream in(path_);
    std::string first;
    std::getline(in, first);
    check_settings(path_, first, settings_);
    done_ = whole_splits(in, methods);
  }
  write_file_atomically(path_, [&](std::ostream& out) { out << split_csv(settings_, done_); });
  file_ = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (file_ < 0) throw IoError(fmt::format("cannot write {}: {}", path_, std::strerror(errno)));
}

SplitLog::~SplitLog() {
  if (file_ >= 0) ::close(file_);
}

std::vector<std::size_t> SplitLog::done_splits() const {
  std::vector<std::size_t> out;
  for (const SplitResult& r : done_)
    if (out.empty() || out.back() != r.split) out.push_back(r.split);
  return out;
}

void SplitLog::append(const std::vector<SplitResult>& split) {
  std::string text;
  for (const SplitResult& r : split) text += line(r);
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t n = ::write(file_, text.data() + written, text.size() - written);
    if (n < 0 && errno != EINTR) throw IoError(fmt::format("cannot write {}: {}", path_, std::strerror(errno)));
    if (n > 0) written += static_cast<std::size_t>(n);
  }
}

void SplitLog::finish(std::vector<SplitResult> results) {
  std::stable_sort(results.begin(), results.end(),
                   [](const SplitResult& a, const SplitResult& b) { return a.split < b.split; });
  write_file_atomically(path_, [&](std::ostream& out) { out << split_csv(settings_, results); });
}

}  // namespace cavity
