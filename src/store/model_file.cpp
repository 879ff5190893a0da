// save_model and load_model: which array holds what. docs/model-file.md lists them.
#include <deque>
#include <sstream>
#include <stdexcept>

#include "cavity/errors.hpp"
#include "cavity/model_file.hpp"
#include "classes/overall_features.hpp"
#include "file/array_file.hpp"
#include "store/class_arrays.hpp"
#include "store/model_check.hpp"

namespace cavity {

namespace {

/// What has to be gathered from structs into arrays before it can be written.
struct Gathered {
  std::vector<std::string> covariate_names, covariate_categories, covariate_references;
  std::vector<double> covariate_scaling, prior_shift, temperature, share;
  std::vector<std::uint32_t> group_sizes, group_members;  // of more than two classes: over all
  std::deque<ClassArrays> classes;                        // one of two classes, one each of more

  explicit Gathered(const Model& m)
      : prior_shift{m.prior_shift},
        temperature{m.joining.temperature, m.joining.floor},
        share{m.together.share, m.together.precision} {
    for (const CovariateEncoding& c : m.preprocessing.covariates) {
      covariate_names.push_back(c.name);
      covariate_categories.push_back(c.category);
      covariate_references.push_back(c.reference);
      covariate_scaling.insert(covariate_scaling.end(), {c.centre, c.scale});
    }
    for (const auto& group : m.features.groups) {
      group_sizes.push_back(static_cast<std::uint32_t>(group.size()));
      group_members.insert(group_members.end(), group.begin(), group.end());
    }
    if (m.per_class.empty()) classes.emplace_back(m.mixture, m.features, m.covariates);
    for (const ClassModel& c : m.per_class) classes.emplace_back(c.mixture, c.features, c.covariates);
  }
};

/// Programs that know two classes only refuse the second by its number, those from before all classes were fitted at
/// once the third, those that recalibrate a mixture only as a whole the fourth, and those whose draws see no scores the
/// fifth.
constexpr std::uint32_t two_classes_version = 1, several_classes_version = 2, together_version = 3, parts_version = 4,
                        scores_version = 5;

std::uint32_t version_of(const Model& m) {
  if (m.per_class.empty() && !m.mixture.place_scores.place.empty()) return scores_version;
  if (m.per_class.empty()) return m.mixture.part_recalibration.any() ? parts_version : two_classes_version;
  return m.together.share > 0 ? together_version : several_classes_version;
}

std::string class_prefix(std::size_t k) { return "class" + std::to_string(k) + "/"; }

/// Of more than two classes.
void add_several(const Model& m, const Gathered& g, ArrayWriter& file) {
  file.add("joining_temperature", g.temperature);
  file.add("joining_offset", m.joining.offset);
  const std::size_t coupled = m.joining.coupling.empty() ? 0 : m.per_class.size();
  file.add("joining_coupling", m.joining.coupling, {coupled, coupled});
  if (m.together.share > 0) {
    const std::size_t classes = m.per_class.size();
    file.add("together_share", g.share);
    file.add("together_weight", m.together.weight, {classes, m.together.weight.size() / classes});
    file.add("together_covariate_weight", m.together.covariate_weight,
             {classes, m.together.covariate_weight.size() / classes});
  }
  if (!m.class_shift.empty()) file.add("class_shift", m.class_shift);
  for (std::size_t k = 0; k < g.classes.size(); ++k) g.classes[k].add(class_prefix(k), file);
  file.add("group_sizes", g.group_sizes);
  file.add("group_members", g.group_members);
}

/// The overall list follows from those of the classes.
void read_several(const ArrayReader& file, Model& m) {
  const auto temperature = file.read<double>("joining_temperature");
  if (temperature.size() != 2) file.damaged("its joining has no temperature and floor");
  Shape shape;
  m.joining = {temperature[1], temperature[0], file.read<double>("joining_offset"),
               file.read<double>("joining_coupling", &shape, 2)};
  if (file.has("together_share")) {
    const auto share = file.read<double>("together_share");
    if (share.size() != 2) file.damaged("its fit of all classes has no share and precision");
    m.together = {share[0], share[1], file.read<double>("together_weight", &shape, 2),
                  file.read<double>("together_covariate_weight", &shape, 2)};
  }
  if (file.has("class_shift")) m.class_shift = file.read<double>("class_shift");
  for (std::size_t k = 0; k < m.class_names.size(); ++k) m.per_class.push_back(read_class(file, class_prefix(k)));
  for (const ClassModel& c : m.per_class)
    for (const auto* values : {&c.features.inclusion, &c.features.weight, &c.features.sd})
      if (values->size() != m.preprocessing.feature_names.size()) file.damaged("its classes have other features");
  m.features = overall_features(m.per_class);
  m.features.groups = read_groups(file, "");
}

void add_preprocessing(const Preprocessing& p, const Gathered& g, ArrayWriter& file) {
  file.add_text("feature_names", p.feature_names);
  file.add("kept", p.kept);
  file.add("impute", p.impute);
  file.add("centre", p.centre);
  file.add("scale", p.scale);
  file.add("whitening", p.whitening, {p.directions > 0 ? p.kept.size() : 0, p.directions});
  file.add_text("covariate_names", g.covariate_names);
  file.add_text("covariate_categories", g.covariate_categories);
  file.add_text("covariate_references", g.covariate_references);
  file.add("covariate_scaling", g.covariate_scaling, {g.covariate_names.size(), 2});
}

void add_matrix(const std::string& name, const FeatureMatrix& matrix, ArrayWriter& file) {
  file.add(name, matrix.values, {matrix.rows, matrix.cols});
}

Preprocessing read_preprocessing(const ArrayReader& file) {
  Preprocessing p;
  const auto transform = file.header().at("transform").get<std::string>();
  for (const Transform kind : {Transform::asinh, Transform::rank, Transform::log1p})
    if (transform == to_string(kind)) p.transform = kind;
  if (transform != to_string(p.transform)) file.damaged("its transform is unknown");
  p.unit_variance = file.header().at("unit_variance").get<bool>();
  p.row_scale = file.header().value("row_scale", 0.0);  // files before there was one have rows of equal length
  p.feature_names = file.read_text("feature_names");
  p.kept = file.read<std::uint32_t>("kept");
  p.impute = file.read<double>("impute");
  p.centre = file.read<double>("centre");
  p.scale = file.read<double>("scale");
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
  if (file.has("prior_shift")) {  // where there is one
    const auto shift = file.read<double>("prior_shift");
    if (shift.size() != 1) file.damaged("its prior shift is not one number");
    m.prior_shift = shift[0];
  }
}

void read_two(const ArrayReader& file, Model& m) {
  ClassModel only = read_class(file, "");
  m.mixture = std::move(only.mixture);
  m.features = std::move(only.features);
  m.covariates = std::move(only.covariates);
}

Model read_model(const ArrayReader& file) {
  Model m;
  m.mixture.activation = parse_activation(file.header().at("activation").get<std::string>());
  m.mixture.intercept = file.header().at("intercept").get<bool>();
  read_scalars(file, m);
  m.preprocessing = read_preprocessing(file);
  m.class_names.size() == 2 ? read_two(file, m) : read_several(file, m);
  m.training.values = read_matrix(file, "training");
  m.training.row_scale = file.read<double>("training_row_scale");
  m.training.covariates = read_matrix(file, "training_covariates");
  m.training.labels = file.read<std::int8_t>("training_labels");
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
  if (m.prior_shift != 1) file.add("prior_shift", g.prior_shift);
  if (!m.id_name.empty()) file.add_text("id_name", std::span(&m.id_name, 1));
  add_preprocessing(m.preprocessing, g, file);
  if (m.per_class.empty())
    g.classes.front().add("", file);
  else
    add_several(m, g, file);
  add_matrix("training", m.training.values, file);
  file.add("training_row_scale", m.training.row_scale);
  add_matrix("training_covariates", m.training.covariates, file);
  file.add("training_labels", m.training.labels);
  file.add_text("summary_json", std::span(&m.summary_json, 1));
  file.write({{"cavity", CAVITY_VERSION},
              {"activation", to_string(m.mixture.activation)},
              {"transform", to_string(m.preprocessing.transform)},
              {"unit_variance", m.preprocessing.unit_variance},
              {"row_scale", m.preprocessing.row_scale},
              {"intercept", m.mixture.intercept}},
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
