#include "search/checkpoint.hpp"

#include <fmt/format.h>

#include <charconv>
#include <deque>
#include <filesystem>
#include <utility>

#include "cavity/errors.hpp"
#include "file/array_file.hpp"
#include "file/atomic_file.hpp"
#include "file/checksum.hpp"
#include "search/checkpoint_files.hpp"

namespace cavity {

namespace {

constexpr int checkpoint_format = 1;
constexpr std::size_t most_cells = 250;  // the table of arrays stays within what the container's reader takes
constexpr const char* before_ending = ".before";
const ArrayFileWords checkpoint_words{"a checkpoint of cavity", "checkpoint", "remove it to start again"};

enum class Over { features, samples, covariates };
template <class Owner>
struct Member {
  const char* name;
  std::vector<double> Owner::*values;
  Over over;
};
constexpr Member<Posterior> posterior_members[] = {
    {"inclusion", &Posterior::inclusion, Over::features},
    {"mean", &Posterior::mean, Over::features},
    {"variance", &Posterior::variance, Over::features},
    {"covariate_mean", &Posterior::covariate_mean, Over::covariates},
    {"covariate_variance", &Posterior::covariate_variance, Over::covariates},
    {"cavity_mean", &Posterior::cavity_mean, Over::samples},
    {"cavity_variance", &Posterior::cavity_variance, Over::samples},
    {"loo", &Posterior::loo_log_probability, Over::samples},
    {"feature_site", &Posterior::feature_site_precision, Over::features},
    {"sample_site", &Posterior::sample_site_precision, Over::samples},
};
constexpr Member<EpState> state_members[] = {
    {"state_linear", &EpState::linear, Over::features},
    {"state_precision", &EpState::precision, Over::features},
    {"state_mean", &EpState::mean, Over::samples},
    {"state_log_variance", &EpState::log_variance, Over::samples},
};

std::string array_name(std::size_t cell, const char* name) { return fmt::format("{}.{}", cell, name); }

std::vector<double> numbers_of(const Posterior& p, const EpState& s) {
  return {static_cast<double>(p.status),
          static_cast<double>(p.iterations),
          p.residual,
          p.loo_error,
          p.loo_log_loss,
          p.train_error,
          p.log_partition,
          p.log_evidence,
          p.prior.precision,
          p.prior.log_odds,
          p.common_field_variance,
          s.prior.precision,
          s.prior.log_odds,
          s.density,
          static_cast<double>(s.history.size())};
}

/// False when these cannot be the numbers of a cell.
bool set_numbers(const std::vector<double>& from, Posterior& p, EpState& s) {
  if (from.size() != numbers_of(p, s).size()) return false;
  const double status = from[0], iterations = from[1];
  if (!(status >= 0 && status <= static_cast<double>(Status::not_visited) && iterations >= 0 && iterations < 2e9 &&
        from.back() >= 0 && from.back() < 100))
    return false;
  p.status = static_cast<Status>(static_cast<int>(status));
  p.iterations = static_cast<int>(iterations);
  std::size_t at = 2;
  for (double* number : {&p.residual, &p.loo_error, &p.loo_log_loss, &p.train_error, &p.log_partition, &p.log_evidence,
                         &p.prior.precision, &p.prior.log_odds, &p.common_field_variance, &s.prior.precision,
                         &s.prior.log_odds, &s.density})
    *number = from[at++];
  s.history.resize(static_cast<std::size_t>(from.back()));
  return true;
}

/// Whether what every solver leaves in a cell is there. Sites are there where ep has solved it.
bool whole(const Posterior& p, const Checkpoint::Sizes& sizes) {
  if (p.status == Status::not_visited) return true;  // nobody looks at the rest
  for (const auto* of_features : {&p.inclusion, &p.mean, &p.variance})
    if (of_features->size() != sizes.features) return false;
  for (const auto* of_samples : {&p.cavity_mean, &p.cavity_variance, &p.loo_log_probability})
    if (of_samples->size() != sizes.samples) return false;
  return p.feature_site_precision.empty() == p.sample_site_precision.empty() &&
         p.covariate_mean.size() == p.covariate_variance.size();
}

bool whole(const EpState& s, const Checkpoint::Sizes& sizes) {
  const bool none = s.density == 0;
  for (const auto* of_features : {&s.linear, &s.precision})
    if (of_features->size() != (none ? 0 : sizes.features)) return false;
  for (const auto* of_samples : {&s.mean, &s.log_variance})
    if (of_samples->size() != (none ? 0 : sizes.samples)) return false;
  return true;
}

std::string history_name(std::size_t cell, char vector, std::size_t step) {
  return fmt::format("{}.history_{}{}", cell, vector, step);
}

/// This process's file.
std::string part_path(const std::string& file, const Shards& shards) {
  if (shards.alone()) return file;
  return fmt::format("{}.{}of{}", file, shards.rank(), shards.ranks());
}

/// Processes whose checkpoint `name` is, when it is one of `file`; else 0.
std::size_t processes_of(const std::string& name, const std::string& file) {
  if (name == file) return 1;
  if (!name.starts_with(file + ".")) return 0;
  const char* const end = name.data() + name.size();
  std::size_t rank = 0, ranks = 0;
  const auto [of, fault] = std::from_chars(name.data() + file.size() + 1, end, rank);
  if (fault != std::errc{} || !std::string(of, end).starts_with("of")) return 0;
  return std::from_chars(of + 2, end, ranks).ptr == end ? ranks : 0;
}

std::string hexadecimal(const Checksum& sum) { return fmt::format("{:016x}", sum.value()); }

template <class T>
void add_values(Checksum& sum, const std::vector<T>& values) {
  sum.add({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
}

void add_rounded(Checksum& sum, const std::vector<double>& values) {
  add_values(sum, std::vector<float>(values.begin(), values.end()));
}

std::string values_sum(const Prepared& prepared) {
  Checksum sum;
  const Preprocessing& p = prepared.preprocessing;
  for (const auto* values :
       {&p.impute, &p.centre, &p.scale, &prepared.columns.centre, &prepared.columns.scale, &prepared.row_scale})
    add_rounded(sum, *values);
  add_values(sum, p.kept);
  return hexadecimal(sum);
}

std::string names_sum(const std::vector<std::string>& names) {
  Checksum sum;
  for (const auto& name : names) sum.add(fmt::format("{}:{}", name.size(), name));
  return hexadecimal(sum);
}

/// "density ([0.5] there, [0.1] here)", for every member that differs.
std::string differences(const nlohmann::json& there, const nlohmann::json& here) {
  std::string out;
  for (const auto& [name, value] : here.items()) {
    const nlohmann::json other = there.is_object() ? there.value(name, nlohmann::json()) : nlohmann::json();
    if (other == value) continue;
    const auto text = [](const nlohmann::json& v) {
      const std::string all = v.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
      return all.size() <= 60 ? all : all.substr(0, 57) + "...";
    };
    out += fmt::format("{}{} ({} there, {} here)", out.empty() ? "" : ", ", name, text(other), text(value));
  }
  return out;
}

}  // namespace

nlohmann::json checkpoint_identity(const FitOptions& options, Solver solver, const Grid& grid, const Prepared& prepared,
                                   const GridProblem& problem) {
  const std::span<const std::int8_t> labels = problem.labels;
  const PreprocessingOptions& p = options.preprocessing;
  Checksum classes, covariates, groups;
  classes.add({reinterpret_cast<const char*>(labels.data()), labels.size()});
  covariates.add({reinterpret_cast<const char*>(prepared.covariates.data()),
                  prepared.covariates.rows * prepared.covariates.cols * sizeof(float)});
  if (problem.groups) add_values(groups, problem.groups->of);
  return {{"options",
           {{"version of cavity", CAVITY_VERSION},
            {"processes", problem.design.shards().ranks()},
            {"solver", to_string(solver)},
            {"activation", to_string(problem.activation)},
            {"density", grid.density},
            {"noise", grid.noise},
            {"width", grid.width},
            {"max iterations", options.solver.max_iterations},
            {"tolerance", options.solver.tolerance},
            {"amp share", options.solver.amp_share},
            {"seed", solver == Solver::gibbs ? options.solver.seed : 0},
            {"intercept", options.intercept},
            {"transform", to_string(p.transform)},
            {"unit variance", p.unit_variance ? nlohmann::json(*p.unit_variance) : nlohmann::json("auto")},
            {"whiten", p.whiten},
            {"maf", p.least_frequency},
            {"max missing", p.most_missing}}},
          {"data",
           {{"samples", labels.size()},
            {"features", prepared.preprocessing.feature_names.size()},
            {"kept features", prepared.preprocessing.kept.size()},
            {"unit variance of the features", prepared.preprocessing.unit_variance},
            {"names of the features", names_sum(prepared.preprocessing.feature_names)},
            {"labels", hexadecimal(classes)},
            {"covariates", hexadecimal(covariates)},
            {"groups of samples", hexadecimal(groups)},
            {"values", values_sum(prepared)}}}};
}

void check_checkpoint(const CheckpointOptions& options) { check_checkpoint(options, Shards::whole()); }

void check_checkpoint(const CheckpointOptions& options, const Shards& shards) {
  const std::string& file = options.file;
  if (file == "-") throw UsageError("a checkpoint is a file: standard output cannot be read again");
  check_writable(part_path(file, shards));
  const std::filesystem::path path(file);
  std::error_code ignored;
  for (const auto& entry :
       std::filesystem::directory_iterator(path.has_parent_path() ? path.parent_path() : ".", ignored)) {
    const std::size_t processes = processes_of(entry.path().filename().string(), path.filename().string());
    const std::string found = (path.parent_path() / entry.path().filename()).string();
    if (processes > 0 && !options.resume)
      throw UsageError(fmt::format("{} is there already: `resume` continues it; remove it to start again", found));
    if (processes > 0 && processes != shards.ranks())
      throw UsageError(
          fmt::format("{} is the checkpoint of {} process{}, and this fit has {}: start as many, or remove "
                      "it to start again",
                      found, processes, processes == 1 ? "" : "es", shards.ranks()));
  }
}

void remove_checkpoint(const CheckpointOptions& options) { remove_checkpoint(options, Shards::whole()); }

// No process may remove its part before the first has written the model: when that fails, all is still there.
void remove_checkpoint(const CheckpointOptions& options, const Shards& shards) {
  if (options.file.empty()) return;
  shards.sum(0.0);
  std::error_code ignored;
  const auto removed = [&](const std::string& file) {
    bool any = false;
    for (const char* ending : {"", before_ending})
      any = std::filesystem::remove(part_path(file, shards) + ending, ignored) || any;
    return any;
  };
  removed(options.file);
  for (std::size_t k = 0; removed(question_checkpoint(options, k, 2).file);) ++k;
}

CheckpointOptions question_checkpoint(CheckpointOptions options, std::size_t question, std::size_t questions) {
  if (!options.file.empty() && questions > 1) options.file += fmt::format(".class{}", question + 1);
  return options;
}

Checkpoint::Checkpoint(const CheckpointOptions& options, nlohmann::json identity, const Sizes& sizes,
                       const Shards& shards)
    : shards_(shards),
      path_(part_path(options.file, shards)),
      before_(path_ + before_ending),
      identity_(std::move(identity)),
      interval_(
          std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double, std::ratio<60>>(options.minutes))) {
  check_checkpoint(options, shards);
  if (sizes.cells > most_cells)
    throw UsageError(
        fmt::format("a checkpoint holds grids of up to {} cells, and this one has {}", most_cells, sizes.cells));
  if (options.resume) resume(sizes);
}

/// 0 when it is not there.
double Checkpoint::generation_of(const std::string& path) const {
  if (!std::filesystem::exists(path)) return 0;
  const ArrayReader file(read_bytes(path), path, checkpoint_words);
  try {
    const nlohmann::json& header = file.header();
    if (!header.contains("checkpoint")) file.damaged("it holds something else, a model perhaps");
    if (header.at("checkpoint") != checkpoint_format) file.damaged("another version of cavity wrote it");
    check_identity(header.at("identity"));
    return header.at("generation").get<double>();
  } catch (const nlohmann::json::exception&) {
    file.damaged("its header is not what a checkpoint has");
  }
}

void Checkpoint::resume(const Sizes& sizes) {
  const double newest = generation_of(path_), older = shards_.alone() ? 0 : generation_of(before_);
  generation_ = -shards_.largest(-std::max(newest, older));
  if (generation_ == 0) return;
  if (!shards_.all(generation_ == newest || generation_ == older))
    throw InputError(fmt::format(
        "{} and the parts of the other processes are of different times: remove all of them to start again", path_));
  if (generation_ != newest) std::filesystem::rename(before_, path_);
  read(sizes);
  resumed_ = read_.size();
  if (static_cast<double>(shards_.ranks() * resumed_) != shards_.sum(static_cast<double>(resumed_)))
    throw InputError(fmt::format(
        "{} and the parts of the other processes are of different fits: remove all of them to start again", path_));
}

void Checkpoint::check_identity(const nlohmann::json& found) const {
  const std::string data = differences(found.value("data", nlohmann::json()), identity_["data"]);
  const std::string options = differences(found.value("options", nlohmann::json()), identity_["options"]);
  if (data.empty() && options.empty()) return;
  const std::string message = fmt::format(
      "{} is the checkpoint of another fit, whose {}{}{} differ: give the same data and options, or remove it to start "
      "again",
      path_, options, options.empty() || data.empty() ? "" : ", ", data);
  if (options.empty()) throw InputError(message);
  throw UsageError(message);
}

void Checkpoint::read(const Sizes& sizes) {
  const ArrayReader file(read_bytes(path_), path_, checkpoint_words);
  const auto read_members = [&](std::size_t cell, const auto& members, auto& to) {
    for (const auto& member : members) {
      to.*member.values = file.read<double>(array_name(cell, member.name));
      const std::size_t size = (to.*member.values).size(), wanted = member.over == Over::features  ? sizes.features
                                                                    : member.over == Over::samples ? sizes.samples
                                                                                                   : size;
      if (size != 0 && size != wanted) file.damaged(fmt::format("{} values of {}", size, member.name));
    }
  };
  for (const std::uint32_t cell : file.read<std::uint32_t>("cells")) {
    Read& to = read_[cell];
    if (cell >= sizes.cells || !set_numbers(file.read<double>(array_name(cell, "numbers")), to.posterior, to.state))
      file.damaged("a cell that cannot be");
    read_members(cell, posterior_members, to.posterior);
    read_members(cell, state_members, to.state);
    if (!whole(to.posterior, sizes)) file.damaged(fmt::format("cell {} lacks values", cell));
    if (!whole(to.state, sizes)) file.damaged(fmt::format("the state of cell {} lacks values", cell));
    for (std::size_t k = 0; k < to.state.history.size(); ++k) {
      to.state.history[k].x = file.read<float>(history_name(cell, 'x', k));
      to.state.history[k].f = file.read<float>(history_name(cell, 'f', k));
      if (to.state.history[k].x.size() != to.state.history[k].f.size()) file.damaged("a history that cannot be");
    }
  }
}

bool Checkpoint::restore(std::size_t cell, Posterior& posterior, EpState* state) {
  const auto found = read_.find(cell);
  if (found == read_.end()) return false;
  posterior = std::move(found->second.posterior);
  if (state) *state = std::move(found->second.state);
  read_.erase(found);
  solved_[cell] = {&posterior, state};
  return true;
}

void Checkpoint::add(std::size_t cell, const Posterior& posterior, const EpState* state) {
  solved_[cell] = {&posterior, state};
  const bool due = shards_.sum(shards_.rank() == 0 && Clock::now() - written_ >= interval_ ? 1.0 : 0.0) > 0;
  if (!due) return;
  write();
  written_ = Clock::now();
}

void Checkpoint::write() {
  const EpState none;
  ArrayWriter file;
  std::deque<std::vector<double>> numbers;
  std::vector<std::uint32_t> cells;
  for (const auto& [cell, solved] : solved_) {
    const Posterior& posterior = *solved.posterior;
    const EpState& state = solved.state ? *solved.state : none;
    cells.push_back(static_cast<std::uint32_t>(cell));
    file.add(array_name(cell, "numbers"), numbers.emplace_back(numbers_of(posterior, state)));
    for (const auto& member : posterior_members) file.add(array_name(cell, member.name), posterior.*member.values);
    for (const auto& member : state_members) file.add(array_name(cell, member.name), state.*member.values);
    for (std::size_t k = 0; k < state.history.size(); ++k) {
      file.add(history_name(cell, 'x', k), state.history[k].x);
      file.add(history_name(cell, 'f', k), state.history[k].f);
    }
  }
  file.add("cells", cells);
  ++generation_;
  std::error_code ignored;
  if (!shards_.alone()) std::filesystem::rename(path_, before_, ignored);  // the first time there is none
  file.write({{"checkpoint", checkpoint_format}, {"identity", identity_}, {"generation", generation_}}, path_);
}

}  // namespace cavity
