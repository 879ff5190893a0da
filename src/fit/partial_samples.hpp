// New samples whose features are not all there: no column for some, or no value in some samples. Samples that lack the
// same features are a pattern; each pattern has its regression (fit/absent_features.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cavity/prediction.hpp"
#include "design/dense_design.hpp"
#include "fit/absent_features.hpp"
#include "fit/left_out_fields.hpp"
#include "fit/seen_places.hpp"
#include "prepare/prepare.hpp"

namespace cavity {

/// Inputs without a column, and a sample those besides without a value; increasing.
struct MissingInputs {
  std::vector<std::uint32_t> absent;
  std::vector<std::vector<std::uint32_t>> of_sample;  // empty: every sample has all that there are columns for

  bool none() const { return absent.empty() && of_sample.empty(); }
};

/// Looks for what is missing where the model can tell it; `data` gets columns for what it has none, and is dense then.
/// Without training rows absent columns are left to apply(), which refuses them, and missing values take means.
/// InputError where nothing that the model looks at has a column.
/// `fill_means`: only absent columns are looked for.
MissingInputs find_missing(const Model& model, Dataset& data, bool fill_means, ThreadPool& pool);

/// What is not known of samples that were made whole.
struct Doubt {
  static constexpr std::size_t whole = SIZE_MAX;
  struct Pattern {
    std::vector<std::vector<double>> field;  // a question, a component: mean square of its field that was missed
    std::vector<Matrix> places;              // a question: covariance of what was missed of its seen places
    std::size_t first_missed = 0, missed = 0;
  };
  std::vector<std::size_t> pattern_of;  // a sample, or `whole`
  std::vector<Pattern> patterns;
  Inputs missed;  // rows of some training samples' missed parts, pattern by pattern
};

class PartialSamples {
 public:
  /// `model` must outlive this.
  PartialSamples(const Model& model, const MissingInputs& missing, std::size_t samples, ThreadPool& pool);

  /// For apply(): samples that complete() ranks by what is there.
  std::vector<bool> ranked_later() const;

  /// Brings the samples to the training samples' yardstick and fills what is missing, in place: `inputs` are all new
  /// samples, prepared as if missing values had their means.
  void complete(Inputs& inputs, ThreadPool& pool);

  /// What draws of a question see of what is missing: `scores`, samples x places of the mixture's scores.
  void tell_scores(std::size_t question, FeatureMatrix& scores) const;

  const Doubt& doubt() const { return doubt_; }
  const SeenPlaces& seen(std::size_t question) const { return seen_[question]; }
  const MeasuredPart& measured() const { return measured_; }

 private:
  struct Field {  // of a component, or (component: `whole`) of a question's draws together, or what bent cells look at
    std::size_t question, component;
    double weight, variance;  // of the answer; over the training samples
    std::vector<double> of_place{}, of_input{};
    std::optional<LeftOutFields> left_out{};  // of a component where the labels are known: `variance` is then that
  };
  struct Pattern {
    std::vector<std::uint32_t> missing;
    std::vector<std::size_t> samples;
    Matrix combination{};  // samples x training samples
  };
  struct Split {
    std::vector<std::size_t> there, missing;
  };

  void gather_fields(ThreadPool& pool);
  void gather_bent_fields(std::size_t question, double share, ThreadPool& pool);
  void leave_out(const CellMixture& mixture, const Component& component, const std::vector<std::int8_t>& labels,
                 std::vector<double>& field, Field& out, ThreadPool& pool) const;
  void gather_patterns(const MissingInputs& missing, std::size_t samples);
  bool looks_again(const Pattern& pattern) const;
  double operations(std::size_t missing) const;
  Split split(const Pattern& pattern) const;
  const std::vector<double>& input_weights(const Field& field) const;
  Matrix known_products(const Split& split, ThreadPool& pool);
  AbsentRegression::Targets targets(const Split& split, ThreadPool& pool) const;
  void tell(Pattern& pattern, Inputs& inputs, ThreadPool& pool);
  void mend(const Pattern& pattern, const Split& split, FeatureMatrix& rows, std::vector<double>& row_scale,
            ThreadPool& pool) const;
  void doubt_fields(const AbsentRegression& told, const AbsentRegression::Targets& wanted, const Split& split,
                    Doubt::Pattern& out, ThreadPool& pool) const;
  void add_missed(const AbsentRegression& told, const Pattern& pattern, const Split& split, Doubt::Pattern& out,
                  ThreadPool& pool);

  const Model& model_;
  std::size_t samples_;
  DenseDesign training_;
  std::vector<SeenPlaces> seen_;  // a question
  std::vector<Field> fields_;
  std::vector<Pattern> patterns_;  // the first: the absent columns alone, where there are any
  bool some_absent_ = false;
  Matrix whole_gram_;  // of the training rows, once it is needed
  FeatureMatrix missed_;
  Doubt doubt_;
  MeasuredPart measured_;
};

}  // namespace cavity
