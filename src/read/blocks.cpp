#include "cavity/blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "cavity/errors.hpp"
#include "file/messages.hpp"
#include "read/covariate_file.hpp"
#include "read/id_mismatch.hpp"
#include "read/join_samples.hpp"
#include "read/read_parts.hpp"
#include "table/matrix_size.hpp"

namespace cavity {

namespace {

using Places = std::unordered_map<std::string, std::size_t>;

void check_block_names(const std::vector<BlockFile>& files) {
  std::unordered_set<std::string> seen;
  for (const BlockFile& file : files) {
    if (file.name.empty() || file.name.find_first_of(":=,") != std::string::npos)
      throw UsageError(fmt::format(
          "a block cannot be called {}: its name has at least one letter, and no ':', '=' or ','", shown(file.name)));
    if (!seen.insert(file.name).second)
      throw UsageError(fmt::format("two blocks are called {}: `block` and `block_name` name them", shown(file.name)));
  }
}

/// Files of a prediction have the names that the model's features had before they were told apart.
std::vector<std::string> names_in_file(const BlockFile& file) {
  std::vector<std::string> out = file.features;
  for (const std::string& name : file.features)
    if (name.starts_with(file.name + ":")) out.push_back(name.substr(file.name.size() + 1));
  return out;
}

void take_names_of_model(const BlockFile& file, Dataset& data) {
  const std::unordered_set<std::string> known(file.features.begin(), file.features.end());
  for (std::string& name : data.feature_names)
    if (std::string own = file.name + ":" + name; known.contains(own) && !known.contains(name)) name = std::move(own);
}

bool has_ids(const Dataset& data) {
  return !data.id_name.empty() || data.sample_names != numbered_names("", 1, data.samples());
}

Dataset read_block(const BlockFile& file, ReadOptions options) {
  if (!options.expected_features.empty()) options.expected_features = names_in_file(file);
  options.compact = false;
  Dataset out = read_dataset(file.path, options);
  take_names_of_model(file, out);
  out.features.make_dense();
  for (std::string& note : out.notes) note = fmt::format("{}: {}", plain(file.name), note);
  return out;
}

/// All but the first: nothing of a sample but its features is looked for.
ReadOptions features_alone(ReadOptions options, const Dataset& first) {
  const bool first_alone = options.labels_required;
  options.label.clear();
  options.group.clear();
  options.covariates.clear();
  options.labels_file.clear();
  options.labels_required = false;
  options.labels_elsewhere = true;
  // A sheet has told; and whom a prediction is of nobody knows before all tables are read.
  if (!options.known_samples.ids.empty() || !first_alone) return options;
  options.known_samples = {first.sample_names, first.id_name, {first.label_name}};
  for (const CovariateColumn& covariate : first.covariates) options.known_samples.columns.push_back(covariate.name);
  return options;
}

Places places_of(const BlockFile& file, const Dataset& data) {
  Places out;
  for (std::size_t i = 0; i < data.samples(); ++i)
    if (!out.emplace(data.sample_names[i], i).second)
      throw InputError(fmt::format("{}: sample {} comes twice; blocks are joined by id, which must differ",
                                   shown_path(file.path), shown(data.sample_names[i])));
  return out;
}

/// The ids of a table as a sheet of one column, for what is said of ids that do not match.
SampleSheet sheet_of(const BlockFile& file, const Dataset& data) {
  SampleSheet out;
  out.path = file.path;
  out.columns = {data.id_name};
  for (const std::string& id : data.sample_names) out.rows.push_back({id});
  return out;
}

void check_common(const BlockFile& first, const Dataset& known, const BlockFile& file, const Dataset& data) {
  const std::unordered_set<std::string> ids(known.sample_names.begin(), known.sample_names.end());
  if (std::ranges::any_of(data.sample_names, [&](const std::string& id) { return ids.contains(id); })) return;
  throw InputError(fmt::format("{}: none of its samples is one of {}: it has {}, that has {}; {}",
                               shown_path(file.path), shown_path(first.path), shown_names(data.sample_names, 5),
                               shown_names(known.sample_names, 5),
                               what_would_match(sheet_of(first, known), data.sample_names)));
}

/// Who takes part: those of the first table, and where nobody's label stands there those of the others.
std::vector<std::string> all_samples(const std::vector<Dataset>& parts, bool first_alone) {
  std::vector<std::string> out = parts.front().sample_names;
  std::unordered_set<std::string> seen(out.begin(), out.end());
  for (std::size_t b = 1; b < parts.size() && !first_alone; ++b)
    for (const std::string& id : parts[b].sample_names)
      if (seen.insert(id).second) out.push_back(id);
  return out;
}

void tell_names_apart(const std::vector<BlockFile>& files, std::vector<Dataset>& parts) {
  std::unordered_map<std::string, std::size_t> count;
  for (const Dataset& part : parts)
    for (const std::string& name : part.feature_names) ++count[name];
  for (std::size_t b = 0; b < parts.size(); ++b)
    for (std::string& name : parts[b].feature_names)
      if (count[name] > 1) name = files[b].name + ":" + name;
}

/// What the first table says of its samples, for all: unknown where it does not have them.
void widen_samples(const std::vector<std::string>& samples, Dataset& data) {
  const auto unknown = static_cast<std::uint32_t>(data.class_names.size());
  data.sample_names = samples;
  if (!data.classes.empty()) data.classes.resize(samples.size(), unknown);
  if (!data.groups.empty()) data.groups.resize(samples.size());
  for (CovariateColumn& covariate : data.covariates) covariate.values.resize(samples.size());
}

std::string who_lacks(const std::vector<BlockFile>& files, const std::vector<Dataset>& parts,
                      const std::vector<Places>& places, const std::vector<std::string>& samples) {
  std::string out = counted(files.size(), "block") + ", joined by sample id:";
  for (std::size_t b = 0; b < files.size(); ++b) {
    std::vector<std::string> lacking;
    for (const std::string& id : samples)
      if (!places[b].contains(id)) lacking.push_back(id);
    out +=
        fmt::format("{} {} ({}", b > 0 ? "," : "", plain(files[b].name), counted(parts[b].features.cols(), "feature"));
    if (!lacking.empty())
      out += fmt::format("; {} without it: {}", counted(lacking.size(), "sample"), shown_names(lacking, 5));
    out += ")";
  }
  return out;
}

void note_left_out(const BlockFile& file, const Dataset& part, const std::vector<std::string>& samples, Dataset& out) {
  const std::unordered_set<std::string> known(samples.begin(), samples.end());
  std::vector<std::string> extra;
  for (const std::string& id : part.sample_names)
    if (!known.contains(id)) extra.push_back(id);
  if (!extra.empty())
    out.notes.push_back(fmt::format("{} of block {} left out, they have no label: {}", counted(extra.size(), "sample"),
                                    plain(file.name), shown_names(extra, 5)));
}

/// Side by side; NaN where a block does not have a sample.
Dataset side_by_side(const std::vector<BlockFile>& files, std::vector<Dataset> parts, bool first_alone) {
  std::vector<Places> places;
  for (std::size_t b = 0; b < parts.size(); ++b) places.push_back(places_of(files[b], parts[b]));
  const std::vector<std::string> samples = all_samples(parts, first_alone);
  tell_names_apart(files, parts);
  std::size_t columns = 0;
  for (const Dataset& part : parts) columns += part.features.cols();
  FeatureMatrix values(samples.size(), columns);
  std::fill(values.values.begin(), values.values.end(), std::numeric_limits<float>::quiet_NaN());
  Dataset out;
  std::size_t first = 0;
  for (std::size_t b = 0; b < parts.size(); ++b) {
    const FeatureMatrix& block = std::as_const(parts[b].features).dense();
    for (std::size_t i = 0; i < samples.size(); ++i)
      if (const auto at = places[b].find(samples[i]); at != places[b].end())
        std::copy_n(block.row(at->second), block.cols, values.row(i) + first);
    first += block.cols;
    out.blocks.push_back({files[b].name, block.cols});
    out.notes.insert(out.notes.end(), parts[b].notes.begin(), parts[b].notes.end());
    note_left_out(files[b], parts[b], samples, out);
    out.feature_names.insert(out.feature_names.end(), parts[b].feature_names.begin(), parts[b].feature_names.end());
  }
  out.notes.push_back(who_lacks(files, parts, places, samples));
  Dataset& lead = parts.front();
  widen_samples(samples, lead);
  lead.features = std::move(values);
  lead.feature_names = std::move(out.feature_names);
  lead.notes = std::move(out.notes);
  lead.blocks = std::move(out.blocks);
  lead.absent_is_zero = false;
  return std::move(lead);
}

/// Either all tables have ids, or none, and then as many samples each.
void check_ids(const std::vector<BlockFile>& files, std::vector<Dataset>& parts) {
  const auto with = std::ranges::count_if(parts, has_ids);
  if (with == static_cast<std::ptrdiff_t>(parts.size())) return;
  for (std::size_t b = 0; b < parts.size(); ++b) {
    if (with > 0 && !has_ids(parts[b]))
      throw InputError(
          fmt::format("{} has no sample ids, and other blocks have: blocks are joined by id; name its column "
                      "of ids (`id`), or give it one",
                      shown_path(files[b].path)));
    if (with == 0 && parts[b].samples() != parts.front().samples())
      throw InputError(
          fmt::format("{} has {}, {} has {}, and neither has ids to join them by; give each a column of ids",
                      shown_path(files[b].path), counted(parts[b].samples(), "sample"), shown_path(files.front().path),
                      counted(parts.front().samples(), "sample")));
  }
  parts.front().notes.push_back("blocks: the tables have no ids, so row k of each is taken for the same sample");
}

Dataset join_blocks(const std::vector<BlockFile>& files, const ReadOptions& options) {
  if (options.sample_sheet.empty()) {
    std::vector<Dataset> parts = {read_block(files.front(), options)};
    for (std::size_t b = 1; b < files.size(); ++b)
      parts.push_back(read_block(files[b], features_alone(options, parts.front())));
    check_ids(files, parts);
    for (std::size_t b = 1; b < files.size() && options.labels_required; ++b)
      check_common(files[0], parts[0], files[b], parts[b]);
    return side_by_side(files, std::move(parts), options.labels_required);
  }
  const SampleSheet sheet = read_sample_sheet(options.sample_sheet, options);
  const ReadOptions of_table = left_to_the_table(sheet, options);
  std::vector<Dataset> parts = {read_block(files.front(), of_table)};
  for (std::size_t b = 1; b < files.size(); ++b)
    parts.push_back(read_block(files[b], features_alone(of_table, parts.front())));
  check_ids(files, parts);
  for (const Dataset& part : parts)
    if (has_ids(part) &&
        !std::ranges::any_of(part.sample_names, [&](const std::string& id) { return sheet.places.contains(id); }))
      throw InputError(no_common_id(sheet, part.sample_names));
  const bool labels_in_table = options.labels_required && !parts.front().classes.empty();
  Dataset out = side_by_side(files, std::move(parts), labels_in_table);
  join_samples(sheet, options, out);
  return out;
}

}  // namespace

Dataset read_blocks(const std::vector<BlockFile>& files, const ReadOptions& options) {
  if (files.size() == 1 && files.front().features.empty()) return read_dataset(files.front().path, options);
  check_block_names(files);
  if (options.covariate_file.empty()) {
    Dataset out = join_blocks(files, options);
    check_groups(files.front().path, options, out);
    return out;
  }
  const CovariateFile file = read_covariate_file(options.covariate_file);
  Dataset out = read_blocks(files, without_covariates_of(file, options));
  join_covariates(file, out);
  return out;
}

std::string block_name_of(const std::string& path) {
  std::string out = path.substr(path.find_last_of("/\\") + 1);
  out = out.substr(0, out.find('.', 1));
  return out.empty() || out == "-" ? "first" : out;
}

}  // namespace cavity
