// Where sample s has feature l at v instead of x, its kernel to training sample n changes by that feature alone:
//   squared distance += d_l ((v - x_n)^2 - (x - x_n)^2),   straight part += d_l (v - x) x_n,   own += d_l (v^2 - x^2),
// and its field is asked as any new sample's (infer/kernel_predictive.hpp), or as that of a sample left out: samples^2
// operations a place.
#include "fit/bent_rule.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>

#include "base/budget.hpp"
#include "cavity/bent_owed.hpp"
#include "cavity/fit.hpp"
#include "design/dense_design.hpp"
#include "fit/make_covariates.hpp"
#include "infer/feature_kernel.hpp"
#include "infer/kernel_predictive.hpp"
#include "model/activation_kind.hpp"

namespace cavity {

namespace {

constexpr std::size_t most_features = 8, most_in_pairs = 6, most_pairs = 5, most_samples = 30, points = 9;
constexpr double least_relevance = 0.02;  // of all

bool pruned(const BentComponent& c) {
  return std::adjacent_find(c.relevance.begin(), c.relevance.end(), std::not_equal_to<>()) != c.relevance.end();
}

double quantile(std::vector<double> values, double share) {
  const auto at = values.begin() + std::lround(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

/// One feature moved to a value, as inputs see it a sample.
struct Move {
  std::size_t input;
  double value;  // transformed
};

/// By which sites a training sample is judged.
enum class Sites { all, others };

/// Samples of the training table with features moved, and what bent cells say of them.
class Probe {
 public:
  Probe(const Model& model, const CellMixture& mixture, Sites sites, std::size_t most, ThreadPool& pool)
      : preprocessing_(model.preprocessing),
        rows_(model.training),
        mixture_(mixture),
        sites_(sites),
        pool_(pool),
        design_(view(rows_.values), preprocessing_.centre, preprocessing_.scale, rows_.row_scale),
        covariates_(
            make_covariates(rows_.covariates, rows_.values.rows, mixture.intercept, mixture.covariate_precision)) {
    const std::size_t all = rows_.values.rows, count = std::min(all, most);
    for (std::size_t i = 0; i < count; ++i) samples_.push_back(i * all / count);
  }

  std::vector<double> values(std::size_t input) const {
    std::vector<double> out;
    for (std::size_t mu = 0; mu < rows_.values.rows; ++mu) out.push_back(rows_.values.row(mu)[input]);
    return out;
  }

  /// P(+) of every set of moves: a sample. One cell after the other: each holds some matrices of samples x samples.
  std::vector<std::vector<double>> ask(const std::vector<std::vector<Move>>& all) const {
    constexpr std::size_t at_once = 480;  // samples with features moved
    const std::size_t sets = std::max<std::size_t>(1, at_once / samples_.size());
    std::vector<std::vector<double>> out(all.size(), std::vector<double>(samples_.size(), 0.0));
    for (const BentComponent& c : mixture_.bent.components) {
      const OfCell cell(*this, c);
      pool_.run((all.size() + sets - 1) / sets, [&](std::size_t block) {
        const std::size_t first = block * sets, count = std::min(sets, all.size() - first);
        cell.add(std::span(all).subspan(first, count), std::span(out).subspan(first, count));
      });
    }
    return out;
  }

 private:
  class OfCell {
   public:
    OfCell(const Probe& probe, const BentComponent& c)
        : probe_(probe),
          cell_(c),
          parts_(kernel_parts(probe.design_, c.relevance, probe.covariates_, probe.pool_)),
          kernel_(parts_.at({c.bent, c.straight, c.level})),
          predictive_(kernel_, {c.sample_precision, c.sample_linear}, probe.pool_),
          activation_(make_activation(probe.mixture_.activation, c.noise, c.width, 1)) {}

    /// To what is said of each sample with these features moved.
    void add(std::span<const std::vector<Move>> moves, std::span<std::vector<double>> out) const {
      const std::vector<std::size_t>& samples = probe_.samples_;
      const auto count = static_cast<Eigen::Index>(moves.size() * samples.size());
      Matrix cross(count, kernel_.cols());
      Eigen::VectorXd own(count);
      for (std::size_t k = 0, row = 0; k < moves.size(); ++k)
        for (const std::size_t sample : samples) {
          const auto i = static_cast<Eigen::Index>(row++);
          own[i] = moved(sample, moves[k], cross.row(i));
        }
      std::vector<std::size_t> left_out;
      for (std::size_t k = 0; probe_.sites_ == Sites::others && k < moves.size(); ++k)
        left_out.insert(left_out.end(), samples.begin(), samples.end());
      ThreadPool alone(1);
      const NewFields fields = predictive_.left_out(cross, own, left_out, alone);
      for (std::size_t k = 0, row = 0; k < moves.size(); ++k)
        for (double& p : out[k]) {
          p += cell_.weight * average_likelihood(activation_, fields.mean[row], fields.variance[row]);
          ++row;
        }
    }

   private:
    /// The kernel of a moved sample to all of them; what it has with itself is returned.
    double moved(std::size_t sample, const std::vector<Move>& moves, Eigen::Ref<Eigen::RowVectorXd> cross) const {
      const auto s = static_cast<Eigen::Index>(sample);
      const Matrix& gram = parts_.straight;
      Eigen::RowVectorXd distance =
                             (gram.diagonal().transpose().array() + gram(s, s) - 2 * gram.row(s).array()).matrix(),
                         straight = gram.row(s);
      double own = 0;
      for (const Move& move : moves) {
        const Eigen::ArrayXd x = probe_.inputs(move.input);
        const double d = cell_.relevance[move.input], from = x[s], to = probe_.input(sample, move);
        distance.array() += d * ((to - x).square() - (from - x).square()).transpose();
        straight.array() += d * (to - from) * x.transpose();
        own += d * (to * to - from * from);
      }
      cross = cell_.bent * (-0.5 * distance.array().max(0.0)).exp().matrix() + cell_.straight * straight +
              cell_.level * parts_.level.row(s);
      return kernel_(s, s) + cell_.straight * own;
    }

    const Probe& probe_;
    const BentComponent& cell_;
    KernelParts parts_;
    Matrix kernel_;
    KernelPredictive predictive_;
    AnyActivation activation_;
  };

  double input(std::size_t sample, const Move& move) const {
    return rows_.row_scale[sample] * preprocessing_.scale[move.input] *
           (move.value - preprocessing_.centre[move.input]);
  }
  Eigen::ArrayXd inputs(std::size_t input_place) const {
    Matrix out;
    design_.columns(std::vector{input_place}, out);
    return out.col(0);
  }

  const Preprocessing& preprocessing_;
  const TrainingRows& rows_;
  const CellMixture& mixture_;
  Sites sites_;
  ThreadPool& pool_;
  DenseDesign design_;
  Covariates covariates_;
  std::vector<std::size_t> samples_;
};

std::vector<double> part_of_all(const BentMixture& bent, std::size_t inputs) {
  std::vector<double> out(inputs, 0);
  double weights = 0;
  for (const BentComponent& c : bent.components) {
    if (!pruned(c)) continue;
    weights += c.weight;
    const double all = std::accumulate(c.relevance.begin(), c.relevance.end(), 0.0);
    for (std::size_t l = 0; l < inputs; ++l) out[l] += c.weight * c.relevance[l] / all;
  }
  if (weights == 0) return {};
  for (double& d : out) d /= weights;
  return out;
}

/// Values of a feature, evenly from the lowest twentieth to the highest.
std::vector<double> even_values(const std::vector<double>& values) {
  const double low = quantile(values, 0.05), high = quantile(values, 0.95);
  std::vector<double> out;
  for (std::size_t i = 0; i < points; ++i) out.push_back(low + (high - low) * static_cast<double>(i) / (points - 1));
  return out;
}

std::vector<double> three_values(const std::vector<double>& values) {
  return {quantile(values, 0.1), quantile(values, 0.5), quantile(values, 0.9)};
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// The largest mixed second difference of a 3 x 3 table.
double mixed_difference(const std::vector<double>& p) {
  double out = 0;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = i + 1; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t l = k + 1; l < 3; ++l)
          out = std::max(out, std::abs(p[3 * i + k] - p[3 * i + l] - p[3 * j + k] + p[3 * j + l]));
  return out;
}

/// All that is asked of the cells at once, and what they say of it in the same order.
class Questions {
 public:
  explicit Questions(const Probe& probe) : probe_(probe) {}

  FeatureEffect effect(std::size_t input) {
    FeatureEffect out;
    out.value = even_values(probe_.values(input));
    for (const double v : out.value) moves_.push_back({{input, v}});
    return out;
  }

  FeaturePair pair(std::size_t first, std::size_t second) {
    FeaturePair out;
    out.first_value = three_values(probe_.values(first));
    out.second_value = three_values(probe_.values(second));
    for (const double a : out.first_value)
      for (const double b : out.second_value) moves_.push_back({{first, a}, {second, b}});
    return out;
  }

  void answer(BentRule& rule) const {
    const auto all = probe_.ask(moves_);
    auto said = all.begin();
    for (FeatureEffect& effect : rule.features)
      for (std::size_t i = 0; i < effect.value.size(); ++i, ++said) {
        effect.probability.push_back(mean(*said));
        effect.low.push_back(quantile(*said, 0.1));
        effect.high.push_back(quantile(*said, 0.9));
      }
    for (FeaturePair& pair : rule.pairs) {
      for (std::size_t i = 0; i < 9; ++i, ++said) pair.probability.push_back(mean(*said));
      pair.strength = mixed_difference(pair.probability);
    }
  }

 private:
  const Probe& probe_;
  std::vector<std::vector<Move>> moves_;
};

/// Empty where features have no relevance of their own.
std::vector<double> relevance_of_inputs(const Model& model, const CellMixture& mixture) {
  if (mixture.bent.share == 0 || model.preprocessing.directions > 0) return {};
  return part_of_all(mixture.bent, model.preprocessing.inputs());
}

std::vector<std::size_t> most_relevant(const std::vector<double>& relevance) {
  std::vector<std::size_t> out = ranked(relevance, most_features);
  std::erase_if(out, [&](std::size_t l) { return relevance[l] < least_relevance; });
  return out;
}

/// As many as can be asked of every sample, two at least.
void cut_to_budget(std::size_t samples, std::size_t cells, std::vector<std::size_t>& features) {
  const double cost = std::pow(static_cast<double>(samples), 3) * static_cast<double>(cells);
  const auto affordable = static_cast<std::size_t>(std::max(2.0, a_few_seconds / cost));
  features.resize(std::min(features.size(), affordable));
}

}  // namespace

std::vector<double> bent_relevance(const Preprocessing& preprocessing, const BentMixture& bent) {
  if (preprocessing.directions > 0) return {};
  const std::vector<double> inputs = part_of_all(bent, preprocessing.inputs());
  if (inputs.empty()) return {};
  std::vector<double> out(preprocessing.feature_names.size(), 0);
  for (std::size_t l = 0; l < inputs.size(); ++l) out[preprocessing.kept[l]] = inputs[l];
  return out;
}

BentRule bent_rule(const Model& model, std::size_t question, ThreadPool& pool) {
  const CellMixture& mixture = model.questions.at(question).mixture;
  BentRule out;
  const std::vector<double> relevance = relevance_of_inputs(model, mixture);
  const std::vector<std::size_t> most = most_relevant(relevance);
  if (most.empty()) return out;
  const Probe probe(model, mixture, Sites::all, most_samples, pool);
  Questions questions(probe);
  const auto place = [&](std::size_t input) { return model.preprocessing.kept[input]; };
  for (const std::size_t l : most) {
    out.features.push_back(questions.effect(l));
    out.features.back().feature = place(l);
    out.features.back().relevance = relevance[l];
  }
  for (std::size_t i = 0; i < std::min(most.size(), most_in_pairs); ++i)
    for (std::size_t j = i + 1; j < std::min(most.size(), most_in_pairs); ++j) {
      out.pairs.push_back(questions.pair(most[i], most[j]));
      out.pairs.back().first = place(most[i]);
      out.pairs.back().second = place(most[j]);
    }
  questions.answer(out);
  std::ranges::stable_sort(out.pairs, std::greater<>(), &FeaturePair::strength);
  if (out.pairs.size() > most_pairs) out.pairs.resize(most_pairs);
  return out;
}

BentOwed bent_owed(const Model& model, std::size_t question, unsigned threads) {
  ThreadPool pool(threads);
  const CellMixture& mixture = model.questions.at(question).mixture;
  const std::size_t samples = model.training.values.rows;
  BentOwed out;
  std::vector<std::size_t> most = most_relevant(relevance_of_inputs(model, mixture));
  if (most.empty()) return out;
  cut_to_budget(samples, mixture.bent.components.size(), most);
  std::vector<std::vector<Move>> moves(1);  // the first: as they are
  for (const std::size_t l : most) moves.push_back({{l, model.preprocessing.centre[l]}});
  const auto said = Probe(model, mixture, Sites::others, samples, pool).ask(moves);
  for (const std::size_t l : most) out.features.push_back(model.preprocessing.kept[l]);
  out.probability = said.front();
  for (std::size_t mu = 0; mu < samples; ++mu)
    for (std::size_t j = 1; j < said.size(); ++j) out.without.push_back(said[j][mu]);
  return out;
}

BentRule bent_rule(const Model& model, std::size_t question, unsigned threads) {
  ThreadPool pool(threads);
  return bent_rule(model, question, pool);
}

}  // namespace cavity
