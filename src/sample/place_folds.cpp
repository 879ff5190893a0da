#include "sample/place_folds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cavity/errors.hpp"
#include "design/some_samples.hpp"

namespace cavity {

namespace {

constexpr std::uint64_t fold_stream = dealing_stream + 1;

struct Part {
  std::vector<std::size_t> samples;
  std::vector<std::int8_t> labels;
  Covariates covariates;
  SomeSamples design;

  Part(const PlaceProblem& problem, const Design& seen, std::vector<std::size_t> which)
      : samples(std::move(which)), design(seen, samples) {
    for (const std::size_t mu : samples) labels.push_back(problem.labels[mu]);
    covariates.precision = problem.covariates.precision;
    covariates.values = problem.covariates.count() > 0 ? Matrix(problem.covariates.values(samples, Eigen::all))
                                                       : Matrix(static_cast<Eigen::Index>(samples.size()), 0);
  }
};

Eigen::MatrixXd predict_fold(const PlaceProblem& problem, const std::vector<double>& kept, const PlaceOptions& options,
                             const Part& known, const Part& left_out, std::uint64_t stream) {
  ThreadPool alone(1);
  const PlaceModel model({known.design, known.labels, known.covariates, problem.kept, problem.flip, problem.width},
                         kept, alone);
  PlaceDraws draws{.flip = problem.flip, .covariates = problem.covariates.count()};
  for (int c = 0; c < options.fold_chains; ++c) {
    PlaceChain chain(model, static_cast<std::size_t>(std::lround(problem.kept)),
                     Random(options.seed, stream + static_cast<std::uint64_t>(c)));
    for (int i = 0; i < options.fold_warm_up; ++i) chain.step();
    for (int i = 0; i < options.fold_draws; ++i) {
      chain.step();
      add_draw(chain.state().places, chain.basis().root, chain.basis().score, draws);
      if (options.observer) options.observer();
    }
  }
  Eigen::MatrixXd weights(static_cast<Eigen::Index>(draws.count()), static_cast<Eigen::Index>(kept.size()));
  for (Eigen::Index draw = 0; draw < weights.rows(); ++draw)
    for (Eigen::Index row = 0; row < weights.cols(); ++row)
      weights(draw, row) = model.rows.share(static_cast<std::size_t>(row), draws.size[static_cast<std::size_t>(draw)]);
  return predict_places(draws, weights, left_out.design, left_out.covariates.values);
}

}  // namespace

std::vector<std::size_t> deal_folds(std::span<const std::int8_t> labels, std::size_t folds, Random random) {
  std::vector<std::size_t> order(labels.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  for (std::size_t i = 0; i + 1 < order.size(); ++i) std::swap(order[i], order[i + random.below(order.size() - i)]);
  std::ranges::stable_sort(order, {}, [&](std::size_t mu) { return labels[mu]; });
  std::vector<std::size_t> out(labels.size());
  for (std::size_t i = 0; i < order.size(); ++i) out[order[i]] = i % std::min(folds, labels.size());
  return out;
}

PlaceFolds::PlaceFolds(const PlaceProblem& problem, const std::vector<double>& kept, const PlaceOptions& options)
    : problem_(problem), kept_(kept), options_(options), fold_(options.fold) {
  if (options.folds == 0) return;
  if (fold_.empty()) fold_ = deal_folds(problem.labels, options.folds, Random(options.seed, dealing_stream));
  if (fold_.size() != problem.labels.size())
    throw UsageError(fmt::format("folds of {} samples for {}", fold_.size(), problem.labels.size()));
  count_ = *std::ranges::max_element(fold_) + 1;
  if (!options.fold_designs.empty() && options.fold_designs.size() != count_)
    throw UsageError(fmt::format("designs of {} folds for {}", options.fold_designs.size(), count_));
  positive_.resize(static_cast<Eigen::Index>(fold_.size()), static_cast<Eigen::Index>(kept.size()));
}

void PlaceFolds::run(std::size_t fold) {
  std::vector<std::size_t> inside, outside;
  for (std::size_t mu = 0; mu < fold_.size(); ++mu) (fold_[mu] == fold ? outside : inside).push_back(mu);
  if (outside.empty()) return;
  if (inside.empty()) throw UsageError("one fold cannot hold all samples");
  const Design& seen = options_.fold_designs.empty() ? problem_.design : *options_.fold_designs[fold];
  const Part known(problem_, seen, inside), left_out(problem_, seen, outside);
  positive_(outside, Eigen::all) = predict_fold(problem_, kept_, options_, known, left_out,
                                                fold_stream + fold * static_cast<std::uint64_t>(options_.fold_chains));
}

}  // namespace cavity
