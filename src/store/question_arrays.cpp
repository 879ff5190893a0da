#include "store/question_arrays.hpp"

namespace cavity {

namespace {

std::string component_array(const std::string& prefix, std::size_t k, const char* what) {
  return prefix + "component" + std::to_string(k) + "/" + what;
}

void add_places(const std::string& prefix, std::size_t k, const PlaceDraws& places, ArrayWriter& file) {
  if (places.count() == 0) return;
  file.add(component_array(prefix, k, "draw_sizes"), places.size);
  file.add(component_array(prefix, k, "draw_places"), places.place);
  file.add(component_array(prefix, k, "draw_mean"), places.mean);
  file.add(component_array(prefix, k, "draw_factor"), places.factor);
}

/// The component's noise and covariates are those of its draws, too.
PlaceDraws read_places(const ArrayReader& file, const std::string& prefix, std::size_t k, const Component& of) {
  return {of.noise,
          of.covariate_mean.size(),
          file.read<std::uint32_t>(component_array(prefix, k, "draw_sizes")),
          file.read<std::uint32_t>(component_array(prefix, k, "draw_places")),
          file.read<double>(component_array(prefix, k, "draw_mean")),
          file.read<double>(component_array(prefix, k, "draw_factor"))};
}

void add_place_scores(const std::string& prefix, const PlaceScores& scores, ArrayWriter& file) {
  if (scores.place.empty()) return;
  file.add(prefix + "scored_places", scores.place);
  file.add(prefix + "scored_values", scores.values, {scores.place.size(), scores.samples()});
}

PlaceScores read_place_scores(const ArrayReader& file, const std::string& prefix) {
  if (!file.has(prefix + "scored_values")) return {};  // draws see what inference sees
  PlaceScores out;
  out.place = file.read<std::uint32_t>(prefix + "scored_places");
  Shape shape;
  out.values = file.read<float>(prefix + "scored_values", &shape, 2);
  if (out.place.empty() || shape[0] != out.place.size()) file.damaged("its scores do not fit together");
  return out;
}

std::vector<Component> read_components(const ArrayReader& file, const std::string& prefix) {
  Shape shape;
  const auto scalars = file.read<double>(prefix + "components", &shape, 2);
  const std::size_t numbers = shape[1];
  if (numbers != 4 && numbers != 5) file.damaged("its components do not have five numbers each");
  std::vector<Component> components(scalars.size() / numbers);
  for (std::size_t k = 0; k < components.size(); ++k) {
    const double* s = scalars.data() + numbers * k;
    components[k] = {s[0],
                     s[1],
                     numbers == 5 ? s[4] : 0.0,  // files before there was a width
                     s[2],
                     file.read<double>(component_array(prefix, k, "mean")),
                     file.read<double>(component_array(prefix, k, "covariate_mean")),
                     s[3],
                     file.read<double>(component_array(prefix, k, "feature_precision")),
                     file.read<double>(component_array(prefix, k, "sample_precision")),
                     {},
                     {},
                     {}};
    if (file.has(component_array(prefix, k, "draw_sizes")))
      components[k].places = read_places(file, prefix, k, components[k]);
    if (!file.has(component_array(prefix, k, "variance"))) continue;  // files of 0.1.0 before gamp have none
    components[k].variance = file.read<double>(component_array(prefix, k, "variance"));
    components[k].covariate_variance = file.read<double>(component_array(prefix, k, "covariate_variance"));
  }
  return components;
}

std::vector<CredibleSet> read_credible_sets(const ArrayReader& file, const std::string& prefix) {
  if (!file.has(prefix + "credible_sizes")) return {};  // files before places were sampled
  Shape shape;
  const auto sizes = file.read<std::uint32_t>(prefix + "credible_sizes"),
             members = file.read<std::uint32_t>(prefix + "credible_members");
  const auto shares = file.read<double>(prefix + "credible_shares"),
             numbers = file.read<double>(prefix + "credible_sets", &shape, 2);
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

void read_density_average(const ArrayReader& file, const std::string& prefix, FeatureEstimates& out) {
  if (!file.has(prefix + "density_average")) return;  // files before inclusion was an average
  const auto values = file.read<double>(prefix + "density_average");
  if (values.size() != 3) file.damaged("its average over densities is not three numbers");
  out.average = {values[0], values[1], values[2]};
}

void read_marginals(const ArrayReader& file, const std::string& prefix, FeatureEstimates& out) {
  if (!file.has(prefix + "alone")) return;  // files before they were kept
  Shape shape;
  const auto values = file.read<double>(prefix + "alone", &shape, 2);
  if (shape[1] != 3) file.damaged("its features alone do not have three numbers each");
  for (std::size_t l = 0; l < values.size(); l += 3) out.alone.push_back({values[l], values[l + 1], values[l + 2]});
}

void read_covariate_estimates(const ArrayReader& file, const std::string& prefix, QuestionModel& out) {
  if (!file.has(prefix + "covariate_estimates")) return;  // not in files of 0.1.0
  Shape shape;
  const auto values = file.read<double>(prefix + "covariate_estimates", &shape, 2);
  if (shape[1] != 2) file.damaged("its covariates do not have two numbers each");
  for (std::size_t j = 0; j < values.size(); j += 2) out.covariates.push_back({values[j], values[j + 1]});
}

std::vector<double> numbers_of(const std::optional<Recalibration>& recalibration) {
  return recalibration ? std::vector{recalibration->floor, recalibration->slope} : std::vector<double>();
}

}  // namespace

QuestionArrays::QuestionArrays(const QuestionModel& question, const std::vector<std::vector<std::uint32_t>>& correlated,
                               const std::optional<Recalibration>& recalibration)
    : mixture_(question.mixture),
      features_(question.features),
      bent_(mixture_.bent),
      recalibration_(numbers_of(recalibration)),
      recalibration_sampled_(numbers_of(mixture_.part_recalibration.sampled)),
      recalibration_others_(numbers_of(mixture_.part_recalibration.others)),
      covariate_precision_{mixture_.covariate_precision} {
  for (const CovariateEstimate& c : question.covariates)
    covariate_estimates_.insert(covariate_estimates_.end(), {c.weight, c.sd});
  for (const Marginal& m : features_.alone) alone_.insert(alone_.end(), {m.difference, m.t, m.q});
  if (const auto& average = features_.average)
    density_average_ = {average->prior_inclusion, average->none, average->few};
  for (const Component& c : mixture_.components)
    components_.insert(components_.end(), {c.density, c.noise, c.weight, c.common_variance, c.width});
  for (const auto& group : correlated) {
    group_sizes_.push_back(static_cast<std::uint32_t>(group.size()));
    group_members_.insert(group_members_.end(), group.begin(), group.end());
  }
  for (const CredibleSet& set : features_.credible_sets) {
    credible_sizes_.push_back(static_cast<std::uint32_t>(set.features.size()));
    credible_members_.insert(credible_members_.end(), set.features.begin(), set.features.end());
    credible_shares_.insert(credible_shares_.end(), set.share.begin(), set.share.end());
    credible_sets_.insert(credible_sets_.end(), {set.probability, set.filled});
  }
}

void QuestionArrays::add_components(const std::string& prefix, ArrayWriter& file) const {
  file.add(prefix + "components", components_, {mixture_.components.size(), 5});
  for (std::size_t k = 0; k < mixture_.components.size(); ++k) {
    const Component& c = mixture_.components[k];
    file.add(component_array(prefix, k, "mean"), c.mean);
    file.add(component_array(prefix, k, "covariate_mean"), c.covariate_mean);
    file.add(component_array(prefix, k, "feature_precision"), c.feature_precision);
    file.add(component_array(prefix, k, "sample_precision"), c.sample_precision);
    add_places(prefix, k, c.places, file);
    if (c.variance.empty()) continue;
    file.add(component_array(prefix, k, "variance"), c.variance);
    file.add(component_array(prefix, k, "covariate_variance"), c.covariate_variance);
  }
}

void QuestionArrays::add(const std::string& prefix, ArrayWriter& file) const {
  file.add(prefix + "covariate_precision", covariate_precision_);
  file.add(prefix + "recalibration", recalibration_);
  if (mixture_.part_recalibration.any()) {
    file.add(prefix + "recalibration_sampled", recalibration_sampled_);
    file.add(prefix + "recalibration_others", recalibration_others_);
  }
  add_components(prefix, file);
  add_place_scores(prefix, mixture_.place_scores, file);
  bent_.add(prefix, file);
  if (!covariate_estimates_.empty())
    file.add(prefix + "covariate_estimates", covariate_estimates_, {covariate_estimates_.size() / 2, 2});
  file.add(prefix + "inclusion", features_.inclusion);
  file.add(prefix + "weight", features_.weight);
  file.add(prefix + "sd", features_.sd);
  if (!density_average_.empty()) file.add(prefix + "density_average", density_average_);
  if (!alone_.empty()) file.add(prefix + "alone", alone_, {alone_.size() / 3, 3});
  file.add(prefix + "group_sizes", group_sizes_);
  file.add(prefix + "group_members", group_members_);
  if (credible_sizes_.empty()) return;
  file.add(prefix + "credible_sizes", credible_sizes_);
  file.add(prefix + "credible_members", credible_members_);
  file.add(prefix + "credible_shares", credible_shares_);
  file.add(prefix + "credible_sets", credible_sets_, {credible_sizes_.size(), 2});
}

std::vector<std::vector<std::uint32_t>> read_correlated(const ArrayReader& file, const std::string& prefix) {
  const auto sizes = file.read<std::uint32_t>(prefix + "group_sizes"),
             members = file.read<std::uint32_t>(prefix + "group_members");
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

std::optional<Recalibration> read_recalibration(const ArrayReader& file, const std::string& name) {
  const auto values = file.read<double>(name);
  if (values.empty()) return std::nullopt;
  if (values.size() != 2) file.damaged("its recalibration is not two numbers");
  return Recalibration{values[0], values[1]};
}

QuestionModel read_question(const ArrayReader& file, const std::string& prefix) {
  QuestionModel out;
  const auto precision = file.read<double>(prefix + "covariate_precision");
  if (precision.size() != 1) file.damaged("its covariate precision is not one number");
  out.mixture.activation = parse_activation(file.header().at("activation").get<std::string>());
  out.mixture.intercept = file.header().at("intercept").get<bool>();
  out.mixture.covariate_precision = precision[0];
  if (file.has(prefix + "recalibration_sampled"))
    out.mixture.part_recalibration = {read_recalibration(file, prefix + "recalibration_sampled"),
                                      read_recalibration(file, prefix + "recalibration_others")};
  out.mixture.components = read_components(file, prefix);
  out.mixture.place_scores = read_place_scores(file, prefix);
  out.mixture.bent = read_bent(file, prefix);
  out.features.inclusion = file.read<double>(prefix + "inclusion");
  out.features.weight = file.read<double>(prefix + "weight");
  out.features.sd = file.read<double>(prefix + "sd");
  out.features.credible_sets = read_credible_sets(file, prefix);
  read_density_average(file, prefix, out.features);
  read_marginals(file, prefix, out.features);
  read_covariate_estimates(file, prefix, out);
  return out;
}

}  // namespace cavity
