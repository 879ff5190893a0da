// save_model and load_model: which array holds what. docs/model-file.md lists them.
#include <algorithm>
#include <deque>
#include <sstream>
#include <stdexcept>

#include "cavity/errors.hpp"
#include "cavity/model_file.hpp"
#include "file/array_file.hpp"
#include "store/model_check.hpp"
#include "store/question_arrays.hpp"
#include "table/question.hpp"

namespace cavity {

namespace {

/// Of two classes the shift is that of the odds of the second; 1: none.
double prior_shift_of(const Model& m) {
  return m.questions.size() == 1 && !m.calibration.class_shift.empty() ? m.calibration.class_shift[1] : 1;
}

/// What has to be gathered from structs into arrays before it can be written.
struct Gathered {
  std::vector<std::string> covariate_names, covariate_categories, covariate_references;
  std::vector<std::string> block_names, block_transforms;
  std::vector<std::uint32_t> block_sizes;
  std::vector<double> block_factors;
  std::vector<double> covariate_scaling, prior_shift, temperature, share, nothing, tested;
  std::vector<std::uint32_t> group_sizes, group_members;  // correlated features over several questions
  std::deque<QuestionArrays> questions;

  explicit Gathered(const Model& m)
      : prior_shift{prior_shift_of(m)},
        temperature{m.calibration.joining.temperature, m.calibration.joining.floor},
        share{m.calibration.together.share, m.calibration.together.precision} {
    if (const Nothing& none = m.calibration.nothing; none.share > 0) {
      nothing = {none.share};
      nothing.insert(nothing.end(), none.probability.begin(), none.probability.end());
    }
    if (m.tested) tested = {m.tested->p, static_cast<double>(m.tested->permutations)};
    for (const CovariateEncoding& c : m.preprocessing.covariates) {
      covariate_names.push_back(c.name);
      covariate_categories.push_back(c.category);
      covariate_references.push_back(c.reference);
      covariate_scaling.insert(covariate_scaling.end(), {c.centre, c.scale});
    }
    for (const BlockPreparation& block : m.preprocessing.blocks) {
      block_names.push_back(block.name);
      block_transforms.push_back(to_string(block.transform));
      block_sizes.push_back(block.features);
      block_factors.push_back(block.factor);
    }
    for (const auto& group : m.correlated) {
      group_sizes.push_back(static_cast<std::uint32_t>(group.size()));
      group_members.insert(group_members.end(), group.begin(), group.end());
    }
    const bool one = m.questions.size() == 1;
    for (const QuestionModel& q : m.questions)
      questions.emplace_back(q, one ? m.correlated : std::vector<std::vector<std::uint32_t>>(),
                             m.calibration.recalibration);
  }
};

/// Programs that ask one question only refuse the second by its number, those from before all classes were fitted at
/// once the third, those that recalibrate a mixture only as a whole the fourth, those whose draws see no scores the
/// fifth, those that do not know that there may be nothing to find, or whose boundaries are straight, the sixth,
/// those to which covariates say nothing there the seventh, and those that know one table only the eighth.
constexpr std::uint32_t one_question_version = 1, joined_version = 2, together_version = 3, parts_version = 4,
                        scores_version = 5, boundary_version = 6, covariates_alone_version = 7, blocks_version = 8;

std::uint32_t version_of(const Model& m) {
  const auto any = [&](const auto& has) { return std::ranges::any_of(m.questions, has); };
  const bool bent = any([](const QuestionModel& q) { return q.mixture.bent.share > 0; });
  if (!m.preprocessing.blocks.empty()) return blocks_version;
  if (!m.calibration.nothing.covariate_weight.empty()) return covariates_alone_version;
  if (bent || m.calibration.nothing.share > 0) return boundary_version;
  if (any([](const QuestionModel& q) { return !q.mixture.place_scores.place.empty(); })) return scores_version;
  if (any([](const QuestionModel& q) { return q.mixture.part_recalibration.any(); })) return parts_version;
  if (m.questions.size() == 1) return one_question_version;
  return m.calibration.together.share > 0 ? together_version : joined_version;
}

std::string prefix_of(std::size_t question, std::size_t questions) {
  return questions == 1 ? "" : "class" + std::to_string(question) + "/";
}

/// What makes one answer of several questions.
void add_joining(const Model& m, const Gathered& g, ArrayWriter& file) {
  const auto& [recalibration, joining, together, nothing, class_shift] = m.calibration;
  const std::size_t classes = m.class_names.size();
  file.add("joining_temperature", g.temperature);
  file.add("joining_offset", joining.offset);
  const std::size_t coupled = joining.coupling.empty() ? 0 : classes;
  file.add("joining_coupling", joining.coupling, {coupled, coupled});
  if (together.share > 0) {
    file.add("together_share", g.share);
    file.add("together_weight", together.weight, {classes, together.weight.size() / classes});
    file.add("together_covariate_weight", together.covariate_weight,
             {classes, together.covariate_weight.size() / classes});
  }
  if (!class_shift.empty()) file.add("class_shift", class_shift);
}

void read_joining(const ArrayReader& file, Calibration& out) {
  const auto temperature = file.read<double>("joining_temperature");
  if (temperature.size() != 2) file.damaged("its joining has no temperature and floor");
  Shape shape;
  out.joining = {temperature[1], temperature[0], file.read<double>("joining_offset"),
                 file.read<double>("joining_coupling", &shape, 2)};
  if (file.has("together_share")) {
    const auto share = file.read<double>("together_share");
    if (share.size() != 2) file.damaged("its fit of all classes has no share and precision");
    out.together = {share[0], share[1], file.read<double>("together_weight", &shape, 2),
                    file.read<double>("together_covariate_weight", &shape, 2)};
  }
  if (file.has("class_shift")) out.class_shift = file.read<double>("class_shift");
}

/// Of the only question.
void read_recalibrated(const ArrayReader& file, Calibration& out) {
  out.recalibration = read_recalibration(file, "recalibration");
  if (!file.has("prior_shift")) return;
  const auto shift = file.read<double>("prior_shift");
  if (shift.size() != 1) file.damaged("its prior shift is not one number");
  if (shift[0] != 1) out.class_shift = {1, shift[0]};
}

void read_nothing(const ArrayReader& file, Calibration& out) {
  if (!file.has("nothing")) return;
  const auto nothing = file.read<double>("nothing");
  if (nothing.size() < 3) file.damaged("what it says where there is nothing is fewer than three numbers");
  out.nothing = {nothing.front(), {nothing.begin() + 1, nothing.end()}};
  if (file.has("nothing_covariate_weight"))
    out.nothing.covariate_weight = file.read<double>("nothing_covariate_weight");
}

void read_questions(const ArrayReader& file, Model& m) {
  const std::size_t count = question_count(m.class_names.size());
  for (std::size_t q = 0; q < count; ++q) m.questions.push_back(read_question(file, prefix_of(q, count)));
  for (const QuestionModel& q : m.questions)
    for (const auto* values : {&q.features.inclusion, &q.features.weight, &q.features.sd})
      if (count > 1 && values->size() != m.preprocessing.feature_names.size())
        file.damaged("its classes have other features");
  m.correlated = read_correlated(file, "");
  if (count == 1)
    read_recalibrated(file, m.calibration);
  else
    read_joining(file, m.calibration);
  read_nothing(file, m.calibration);
}

std::optional<Tested> read_tested(const ArrayReader& file) {
  if (!file.has("tested")) return std::nullopt;
  const auto values = file.read<double>("tested");
  if (values.size() != 2 || !(values[0] > 0 && values[0] <= 1) || !(values[1] >= 1 && values[1] < 1e9))
    file.damaged("its permutation test is no p of a number of permutations");
  return Tested{values[0], static_cast<std::size_t>(values[1])};
}

void add_preprocessing(const Preprocessing& p, const Gathered& g, ArrayWriter& file) {
  file.add_text("feature_names", p.feature_names);
  file.add("kept", p.kept);
  file.add("impute", p.impute);
  file.add("centre", p.centre);
  file.add("scale", p.scale);
  if (!p.median.empty()) file.add("median", p.median);
  if (!p.spread.empty()) file.add("spread", p.spread);
  file.add("whitening", p.whitening, {p.directions > 0 ? p.kept.size() : 0, p.directions});
  file.add_text("covariate_names", g.covariate_names);
  file.add_text("covariate_categories", g.covariate_categories);
  file.add_text("covariate_references", g.covariate_references);
  file.add("covariate_scaling", g.covariate_scaling, {g.covariate_names.size(), 2});
}

void add_blocks(const Gathered& g, ArrayWriter& file) {
  if (g.block_names.empty()) return;
  file.add_text("block_names", g.block_names);
  file.add_text("block_transforms", g.block_transforms);
  file.add("block_sizes", g.block_sizes);
  file.add("block_factors", g.block_factors);
}

void add_matrix(const std::string& name, const FeatureMatrix& matrix, ArrayWriter& file) {
  file.add(name, matrix.values, {matrix.rows, matrix.cols});
}

Transform transform_called(const std::string& name, const ArrayReader& file) {
  for (const Transform kind :
       {Transform::none, Transform::asinh, Transform::rank, Transform::log1p, Transform::feature_asinh})
    if (name == to_string(kind)) return kind;
  file.damaged("its transform is unknown");
}

std::vector<BlockPreparation> read_block_preparations(const ArrayReader& file) {
  if (!file.has("block_names")) return {};
  const auto names = file.read_text("block_names"), transforms = file.read_text("block_transforms");
  const auto sizes = file.read<std::uint32_t>("block_sizes");
  const auto factors = file.read<double>("block_factors");
  if (transforms.size() != names.size() || sizes.size() != names.size() || factors.size() != names.size())
    file.damaged("its blocks do not fit together");
  std::vector<BlockPreparation> out;
  for (std::size_t b = 0; b < names.size(); ++b)
    out.push_back({names[b], sizes[b], transform_called(transforms[b], file), factors[b]});
  return out;
}

Preprocessing read_preprocessing(const ArrayReader& file) {
  Preprocessing p;
  p.transform = transform_called(file.header().at("transform").get<std::string>(), file);
  p.blocks = read_block_preparations(file);
  p.unit_variance = file.header().at("unit_variance").get<bool>();
  p.row_scale = file.header().value("row_scale", 0.0);  // files before there was one have rows of equal length
  p.feature_names = file.read_text("feature_names");
  p.kept = file.read<std::uint32_t>("kept");
  p.impute = file.read<double>("impute");
  p.centre = file.read<double>("centre");
  p.scale = file.read<double>("scale");
  if (file.has("median")) p.median = file.read<double>("median");
  if (file.has("spread")) p.spread = file.read<double>("spread");
  Shape shape;
  p.whitening = file.read<float>("whitening", &shape, 2);
  p.directions = shape[1];
  const auto names = file.read_text("covariate_names"), categories = file.read_text("covariate_categories"),
             references = file.read_text("covariate_references");
  const auto scaling = file.read<double>("covariate_scaling", &shape, 2);
  if (names.size() != categories.size() || names.size() != references.size() || shape != Shape{names.size(), 2})
    file.damaged("its covariates do not fit together");
  for (std::size_t i = 0; i < names.size(); ++i)
    p.covariates.push_back({names[i], categories[i], references[i], scaling[2 * i], scaling[2 * i + 1]});
  return p;
}

FeatureMatrix read_matrix(const ArrayReader& file, const std::string& name) {
  FeatureMatrix matrix;
  Shape shape;
  matrix.values = file.read<float>(name, &shape, 2);
  matrix.rows = shape[0];
  matrix.cols = shape[1];
  return matrix;
}

void read_scalars(const ArrayReader& file, Model& m) {
  const auto label = file.read_text("label_name"), summary = file.read_text("summary_json");
  m.class_names = file.read_text("class_names");
  if (m.class_names.size() < 2 || label.size() != 1 || summary.size() != 1)
    file.damaged("its class names, label name or summary are not there");
  m.label_name = label[0];
  if (file.has("id_name")) {  // not in files of 0.1.0
    const auto id = file.read_text("id_name");
    if (id.size() != 1) file.damaged("its column of ids is not one name");
    m.id_name = id[0];
  }
  m.summary_json = summary[0];
}

Model read_model(const ArrayReader& file) {
  Model m;
  read_scalars(file, m);
  m.preprocessing = read_preprocessing(file);
  read_questions(file, m);
  m.tested = read_tested(file);
  m.training.values = read_matrix(file, "training");
  m.training.row_scale = file.read<double>("training_row_scale");
  m.training.covariates = read_matrix(file, "training_covariates");
  return m;
}

/// `to` is a path or a stream.
template <class Destination>
void write_model(const Model& m, Destination& to) {
  if (const std::string fault = model_fault(m); !fault.empty())
    throw std::invalid_argument("the model cannot be saved, it has " + fault);
  const Gathered g(m);
  ArrayWriter file(version_of(m));
  file.add_text("class_names", m.class_names);
  file.add_text("label_name", std::span(&m.label_name, 1));
  if (g.prior_shift.front() != 1) file.add("prior_shift", g.prior_shift);
  if (!g.nothing.empty()) file.add("nothing", g.nothing);
  if (const auto& weights = m.calibration.nothing.covariate_weight; !weights.empty())
    file.add("nothing_covariate_weight", weights);
  if (!g.tested.empty()) file.add("tested", g.tested);
  if (!m.id_name.empty()) file.add_text("id_name", std::span(&m.id_name, 1));
  add_preprocessing(m.preprocessing, g, file);
  add_blocks(g, file);
  const bool many = g.questions.size() > 1;
  if (many) add_joining(m, g, file);
  for (std::size_t q = 0; q < g.questions.size(); ++q) g.questions[q].add(prefix_of(q, g.questions.size()), file);
  if (many) file.add("group_sizes", g.group_sizes);
  if (many) file.add("group_members", g.group_members);
  add_matrix("training", m.training.values, file);
  file.add("training_row_scale", m.training.row_scale);
  add_matrix("training_covariates", m.training.covariates, file);
  file.add("training_labels", std::vector<std::int8_t>());  // asked for by programs that came before
  file.add_text("summary_json", std::span(&m.summary_json, 1));
  file.write({{"cavity", CAVITY_VERSION},
              {"activation", to_string(m.first_mixture().activation)},
              {"transform", to_string(m.preprocessing.transform)},
              {"unit_variance", m.preprocessing.unit_variance},
              {"row_scale", m.preprocessing.row_scale},
              {"intercept", m.first_mixture().intercept}},
             to);
}

Model checked_model(const ArrayReader& file) {
  Model model;
  try {
    model = read_model(file);
  } catch (const nlohmann::json::exception&) {
    file.damaged("its header is not what a model has");
  } catch (const UsageError&) {
    file.damaged("its activation is unknown");
  }
  if (const std::string fault = model_fault(model); !fault.empty()) file.damaged("it has " + fault);
  return model;
}

}  // namespace

void save_model(const Model& model, const std::string& path) { write_model(model, path); }

std::string model_bytes(const Model& model) {
  std::ostringstream out;
  write_model(model, out);
  return std::move(out).str();
}

Model load_model(const std::string& path) { return checked_model(ArrayReader(path)); }

Model model_from_bytes(std::string_view bytes) { return checked_model(ArrayReader(copy_bytes(bytes), "the model")); }

}  // namespace cavity
