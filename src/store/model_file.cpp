// save_model and load_model: which array holds what. docs/model-file.md lists them.
#include <sstream>
#include <stdexcept>

#include "cavity/errors.hpp"
#include "cavity/model_file.hpp"
#include "file/array_file.hpp"
#include "store/model_check.hpp"

namespace cavity {

namespace {

std::string component_array(std::size_t k, const char* what) { return "component" + std::to_string(k) + "/" + what; }

/// What has to be gathered from structs into arrays before it can be written.
struct Gathered {
  std::vector<std::string> covariate_names, covariate_categories, covariate_references;
  std::vector<double> covariate_scaling, components, recalibration, covariate_precision, prior_shift,
      covariate_estimates, credible_shares, credible_sets;
  std::vector<std::uint32_t> group_sizes, group_members, credible_sizes, credible_members;

  explicit Gathered(const Model& m) : covariate_precision{m.mixture.covariate_precision}, prior_shift{m.prior_shift} {
    for (const CovariateEncoding& c : m.preprocessing.covariates) {
      covariate_names.push_back(c.name);
      covariate_categories.push_back(c.category);
      covariate_references.push_back(c.reference);
      covariate_scaling.insert(covariate_scaling.end(), {c.centre, c.scale});
    }
    for (const CovariateEstimate& c : m.covariates)
      covariate_estimates.insert(covariate_estimates.end(), {c.weight, c.sd});
    for (const Component& c : m.mixture.components)
      components.insert(components.end(), {c.density, c.noise, c.weight, c.common_variance, c.width});
    if (m.mixture.recalibration) recalibration = {m.mixture.recalibration->floor, m.mixture.recalibration->slope};
    for (const auto& group : m.features.groups) {
      group_sizes.push_back(static_cast<std::uint32_t>(group.size()));
      group_members.insert(group_members.end(), group.begin(), group.end());
    }
    for (const CredibleSet& set : m.features.credible_sets) {
      credible_sizes.push_back(static_cast<std::uint32_t>(set.features.size()));
      credible_members.insert(credible_members.end(), set.features.begin(), set.features.end());
      credible_shares.insert(credible_shares.end(), set.share.begin(), set.share.end());
      credible_sets.insert(credible_sets.end(), {set.probability, set.filled});
    }
  }
};

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

void add_places(std::size_t k, const PlaceDraws& places, ArrayWriter& file) {
  if (places.count() == 0) return;
  file.add(component_array(k, "draw_sizes"), places.size);
  file.add(component_array(k, "draw_places"), places.place);
  file.add(component_array(k, "draw_mean"), places.mean);
  file.add(component_array(k, "draw_factor"), places.factor);
}

/// The component's noise and covariates are those of its draws, too.
PlaceDraws read_places(const ArrayReader& file, std::size_t k, const Component& of) {
  return {of.noise,
          of.covariate_mean.size(),
          file.read<std::uint32_t>(component_array(k, "draw_sizes")),
          file.read<std::uint32_t>(component_array(k, "draw_places")),
          file.read<double>(component_array(k, "draw_mean")),
          file.read<double>(component_array(k, "draw_factor"))};
}

std::vector<Component> read_components(const ArrayReader& file) {
  Shape shape;
  const auto scalars = file.read<double>("components", &shape, 2);
  const std::size_t numbers = shape[1];
  if (numbers != 4 && numbers != 5) file.damaged("its components do not have five numbers each");
  std::vector<Component> components(scalars.size() / numbers);
  for (std::size_t k = 0; k < components.size(); ++k) {
    const double* s = scalars.data() + numbers * k;
    components[k] = {s[0],
                     s[1],
                     numbers == 5 ? s[4] : 0.0,  // files before there was a width
                     s[2],
                     file.read<double>(component_array(k, "mean")),
                     file.read<double>(component_array(k, "covariate_mean")),
                     s[3],
                     file.read<double>(component_array(k, "feature_precision")),
                     file.read<double>(component_array(k, "sample_precision")),
                     {},
                     {},
                     {}};
    if (file.has(component_array(k, "draw_sizes"))) components[k].places = read_places(file, k, components[k]);
    if (!file.has(component_array(k, "variance"))) continue;  // files of 0.1.0 before gamp have none
    components[k].variance = file.read<double>(component_array(k, "variance"));
    components[k].covariate_variance = file.read<double>(component_array(k, "covariate_variance"));
  }
  return components;
}

std::vector<std::vector<std::uint32_t>> read_groups(const ArrayReader& file) {
  const auto sizes = file.read<std::uint32_t>("group_sizes"), members = file.read<std::uint32_t>("group_members");
  std::vector<std::vector<std::uint32_t>> groups;
  std::size_t used = 0;
  for (const std::uint32_t size : sizes) {
    if (size > members.size() - used) file.damaged("its feature groups do not fit together");
    const auto first = members.begin() + static_cast<std::ptrdiff_t>(used);
    groups.emplace_back(first, first + size);
    used += size;
  }
  if (used != members.size()) file.damaged("its feature groups do not fit together");
  return groups;
}

std::vector<CredibleSet> read_credible_sets(const ArrayReader& file) {
  if (!file.has("credible_sizes")) return {};  // files before places were sampled
  Shape shape;
  const auto sizes = file.read<std::uint32_t>("credible_sizes"), members = file.read<std::uint32_t>("credible_members");
  const auto shares = file.read<double>("credible_shares"), numbers = file.read<double>("credible_sets", &shape, 2);
  if (shape != Shape{sizes.size(), 2} || shares.size() != members.size())
    file.damaged("its credible sets do not fit together");
  std::vector<CredibleSet> out;
  std::size_t used = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] > members.size() - used) file.damaged("its credible sets do not fit together");
    const auto first = static_cast<std::ptrdiff_t>(used), last = static_cast<std::ptrdiff_t>(used + sizes[i]);
    out.push_back({{members.begin() + first, members.begin() + last},
                   {shares.begin() + first, shares.begin() + last},
                   numbers[2 * i],
                   numbers[2 * i + 1]});
    used += sizes[i];
  }
  if (used != members.size()) file.damaged("its credible sets do not fit together");
  return out;
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
  const auto classes = file.read_text("class_names"), label = file.read_text("label_name"),
             summary = file.read_text("summary_json");
  const auto precision = file.read<double>("covariate_precision"), recalibration = file.read<double>("recalibration");
  if (classes.size() != 2 || label.size() != 1 || summary.size() != 1 || precision.size() != 1)
    file.damaged("its class names, label name or summary are not there");
  if (!recalibration.empty() && recalibration.size() != 2) file.damaged("its recalibration is not two numbers");
  m.class_names = {classes[0], classes[1]};
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
  m.mixture.covariate_precision = precision[0];
  if (!recalibration.empty()) m.mixture.recalibration = Recalibration{recalibration[0], recalibration[1]};
}

Model read_model(const ArrayReader& file) {
  Model m;
  m.mixture.activation = parse_activation(file.header().at("activation").get<std::string>());
  m.mixture.intercept = file.header().at("intercept").get<bool>();
  read_scalars(file, m);
  m.preprocessing = read_preprocessing(file);
  m.mixture.components = read_components(file);
  m.features.inclusion = file.read<double>("inclusion");
  m.features.weight = file.read<double>("weight");
  m.features.sd = file.read<double>("sd");
  m.features.groups = read_groups(file);
  m.features.credible_sets = read_credible_sets(file);
  if (file.has("covariate_estimates")) {  // not in files of 0.1.0
    Shape shape;
    const auto values = file.read<double>("covariate_estimates", &shape, 2);
    if (shape[1] != 2) file.damaged("its covariates do not have two numbers each");
    for (std::size_t j = 0; j < values.size(); j += 2) m.covariates.push_back({values[j], values[j + 1]});
  }
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
  ArrayWriter file;
  file.add_text("class_names", m.class_names);
  file.add_text("label_name", std::span(&m.label_name, 1));
  if (m.prior_shift != 1) file.add("prior_shift", g.prior_shift);
  if (!m.id_name.empty()) file.add_text("id_name", std::span(&m.id_name, 1));
  add_preprocessing(m.preprocessing, g, file);
  file.add("covariate_precision", g.covariate_precision);
  file.add("recalibration", g.recalibration);
  file.add("components", g.components, {m.mixture.components.size(), 5});
  for (std::size_t k = 0; k < m.mixture.components.size(); ++k) {
    const Component& c = m.mixture.components[k];
    file.add(component_array(k, "mean"), c.mean);
    file.add(component_array(k, "covariate_mean"), c.covariate_mean);
    file.add(component_array(k, "feature_precision"), c.feature_precision);
    file.add(component_array(k, "sample_precision"), c.sample_precision);
    add_places(k, c.places, file);
    if (c.variance.empty()) continue;
    file.add(component_array(k, "variance"), c.variance);
    file.add(component_array(k, "covariate_variance"), c.covariate_variance);
  }
  if (!m.covariates.empty()) file.add("covariate_estimates", g.covariate_estimates, {m.covariates.size(), 2});
  file.add("inclusion", m.features.inclusion);
  file.add("weight", m.features.weight);
  file.add("sd", m.features.sd);
  file.add("group_sizes", g.group_sizes);
  file.add("group_members", g.group_members);
  if (!g.credible_sizes.empty()) {
    file.add("credible_sizes", g.credible_sizes);
    file.add("credible_members", g.credible_members);
    file.add("credible_shares", g.credible_shares);
    file.add("credible_sets", g.credible_sets, {g.credible_sizes.size(), 2});
  }
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
