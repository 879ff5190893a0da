// Every design there is, over random values whose entries are known: what the conformance test goes through. A new
// design is one line in `makers`.
#pragma once

#include <cmath>
#include <limits>
#include <memory>

#include "base/random.hpp"
#include "design/column_design.hpp"
#include "design/dense_design.hpp"
#include "design/genotype_design.hpp"
#include "design/sharded_design.hpp"
#include "design/some_samples.hpp"
#include "design/sparse_design.hpp"
#include "support/gathered_shards.hpp"

namespace cavity::test {

struct Case {
  FeatureMatrix values;
  std::shared_ptr<const void> keeper;  // what the design refers to beside the values
  std::unique_ptr<Design> design;
  Matrix entries;  // what the design stands for
};

/// Random centres and scales, and the entries that they make of the values.
struct Scaling {
  std::vector<double> centre, scale, row_scale;
};
inline Scaling random_scaling(std::size_t samples, std::size_t features, double around, Random& random) {
  Scaling out{std::vector<double>(features), std::vector<double>(features), std::vector<double>(samples)};
  for (auto& c : out.centre) c = around + random.normal();
  for (auto& s : out.scale) s = 0.1 + random.uniform();
  for (auto& r : out.row_scale) r = 0.5 + random.uniform();
  return out;
}
inline Matrix entries_of(const FeatureMatrix& values, const Scaling& s) {
  Matrix out(static_cast<Eigen::Index>(values.rows), static_cast<Eigen::Index>(values.cols));
  for (std::size_t mu = 0; mu < values.rows; ++mu)
    for (std::size_t l = 0; l < values.cols; ++l)
      out(static_cast<Eigen::Index>(mu), static_cast<Eigen::Index>(l)) =
          s.row_scale[mu] * s.scale[l] * (static_cast<double>(values.row(mu)[l]) - s.centre[l]);
  return out;
}

inline std::unique_ptr<Case> dense_case(std::size_t samples, std::size_t features, std::size_t most_in_tiles = 1 << 21,
                                        double around = 50) {
  Random random(samples * 1000 + features);
  auto made = std::make_unique<Case>();
  made->values = FeatureMatrix(samples, features);
  for (auto& v : made->values.values) v = static_cast<float>(around + 3 * random.normal());
  const Scaling s = random_scaling(samples, features, around, random);
  made->entries = entries_of(made->values, s);
  made->design = std::make_unique<DenseDesign>(view(made->values), s.centre, s.scale, s.row_scale, most_in_tiles);
  return made;
}

inline std::unique_ptr<Case> untiled_case(std::size_t samples, std::size_t features) {
  return dense_case(samples, features, 0);
}

inline std::unique_ptr<Case> near_zero_case(std::size_t samples, std::size_t features) {
  return dense_case(samples, features, 1 << 21, 0);
}

// One value in five stored; the first column and the first row hold none.
inline std::unique_ptr<Case> sparse_case(std::size_t samples, std::size_t features) {
  Random random(samples * 1000 + features, 1);
  auto made = std::make_unique<Case>();
  made->values = FeatureMatrix(samples, features);
  CompressedColumns columns;
  columns.samples = samples;
  columns.start.push_back(0);
  for (std::size_t l = 0; l < features; ++l) {
    for (std::size_t mu = 1; l > 0 && mu < samples; ++mu) {
      if (random.uniform() > 0.2) continue;
      made->values.row(mu)[l] = static_cast<float>(random.normal());
      columns.row.push_back(static_cast<std::uint32_t>(mu));
      columns.value.push_back(made->values.row(mu)[l]);
    }
    columns.start.push_back(columns.value.size());
  }
  const Scaling s = random_scaling(samples, features, 0, random);
  made->entries = entries_of(made->values, s);
  ScaledColumns all{{}, s.centre, s.scale};
  for (std::size_t l = 0; l < features; ++l) all.column.push_back(static_cast<std::uint32_t>(l));
  const auto table = std::make_shared<CompressedColumns>(std::move(columns));
  const SparseView view{samples, table->start.data(), table->row.data(), table->value.data()};
  made->design = std::make_unique<SparseDesign>(view, all, s.row_scale, table);
  return made;
}

// Samples of a larger design, backwards, every third left out.
inline std::unique_ptr<Case> some_samples_case(std::size_t samples, std::size_t features) {
  const std::size_t all = samples + samples / 2 + 1;
  const std::shared_ptr<Case> whole = dense_case(all, features);
  std::vector<std::size_t> which;
  for (std::size_t mu = all; mu-- > 0 && which.size() < samples;)
    if (mu % 3 != 1 || mu < samples - which.size()) which.push_back(mu);
  auto made = std::make_unique<Case>();
  made->entries = whole->entries(which, Eigen::all);
  made->design = std::make_unique<SomeSamples>(*whole->design, which);
  made->keeper = whole;
  return made;
}

// Columns one after the other; every seventh value is missing and stands at its centre.
inline std::unique_ptr<Case> column_case(std::size_t samples, std::size_t features) {
  Random random(samples * 1000 + features, 2);
  auto made = std::make_unique<Case>();
  made->values = FeatureMatrix(features, samples);
  for (auto& v : made->values.values) v = static_cast<float>(5 + random.normal());
  const Scaling s = random_scaling(samples, features, 5, random);
  made->entries = Matrix::Zero(static_cast<Eigen::Index>(samples), static_cast<Eigen::Index>(features));
  ScaledColumns all{{}, s.centre, s.scale};
  for (std::size_t l = 0; l < features; ++l) {
    all.column.push_back(static_cast<std::uint32_t>(l));
    for (std::size_t mu = 0; mu < samples; ++mu) {
      float& value = made->values.row(l)[mu];
      if ((l + 3 * mu) % 7 == 6)
        value = std::numeric_limits<float>::quiet_NaN();
      else
        made->entries(static_cast<Eigen::Index>(mu), static_cast<Eigen::Index>(l)) =
            s.row_scale[mu] * s.scale[l] * (static_cast<double>(value) - s.centre[l]);
    }
  }
  const ColumnValues values{made->values.data(), samples, features};
  made->design = std::make_unique<ColumnDesign>(values, all, s.row_scale);
  return made;
}

// Every third variant has unknown calls, one in five.
inline std::unique_ptr<Case> genotype_case(std::size_t samples, std::size_t features) {
  Random random(samples * 1000 + features, 3);
  auto made = std::make_unique<Case>();
  const std::size_t bytes = (samples + 3) / 4;
  const auto packed = std::make_shared<std::vector<std::uint8_t>>(bytes * features);
  GenotypeScaling scaling;
  std::vector<double> row_scale(samples);
  std::vector<std::size_t> all(samples);
  for (std::size_t mu = 0; mu < samples; ++mu) {
    row_scale[mu] = 0.5 + random.uniform();
    all[mu] = mu;
  }
  made->entries = Matrix::Zero(static_cast<Eigen::Index>(samples), static_cast<Eigen::Index>(features));
  for (std::size_t l = 0; l < features; ++l) {
    scaling.kept.push_back(l);
    scaling.centre.push_back(2 * random.uniform());
    scaling.scale.push_back(0.5 + random.uniform());
    for (std::size_t mu = 0; mu < samples; ++mu) {
      const bool known = l % 3 != 1 || random.uniform() > 0.2;
      const int copies = random.bernoulli(0.4) + random.bernoulli(0.4);
      const unsigned code = !known ? 1 : copies == 2 ? 0 : copies == 1 ? 2 : 3;
      auto& byte = (*packed)[l * bytes + mu / 4];
      byte = static_cast<std::uint8_t>(byte | code << (2 * (mu % 4)));
      if (known)
        made->entries(static_cast<Eigen::Index>(mu), static_cast<Eigen::Index>(l)) =
            row_scale[mu] * scaling.scale[l] * (copies - scaling.centre[l]);
    }
  }
  made->keeper = packed;
  const GenotypeCalls calls{packed->data(), samples, features, bytes};
  made->design = std::make_unique<GenotypeDesign>(calls, all, scaling, row_scale);
  return made;
}

// Three processes, some without a feature where there are few.
inline std::unique_ptr<Case> sharded_case(std::size_t samples, std::size_t features) {
  Random random(samples * 1000 + features, 4);
  auto made = std::make_unique<Case>();
  made->values = FeatureMatrix(samples, features);
  for (auto& v : made->values.values) v = static_cast<float>(random.normal());
  const Scaling s = random_scaling(samples, features, 0, random);
  made->entries = entries_of(made->values, s);
  const float* values = made->values.data();
  const auto part = [values, samples, features, s](const Shards::Part& own) -> std::unique_ptr<const Design> {
    if (own.count() == 0) return nullptr;
    const auto mine = [own](const std::vector<double>& all) {
      return std::vector(all.begin() + static_cast<std::ptrdiff_t>(own.first),
                         all.begin() + static_cast<std::ptrdiff_t>(own.last));
    };
    return std::make_unique<DenseDesign>(FeatureView{values + own.first, samples, own.count(), features},
                                         mine(s.centre), mine(s.scale), s.row_scale);
  };
  made->design = std::make_unique<GatheredShards>(3, samples, features, part);
  return made;
}

struct Maker {
  const char* name;
  std::unique_ptr<Case> (*make)(std::size_t samples, std::size_t features);
};
inline const Maker makers[] = {{"Dense", [](std::size_t m, std::size_t n) { return dense_case(m, n); }},
                               {"Untiled", untiled_case},
                               {"NearZero", near_zero_case},
                               {"Sparse", sparse_case},
                               {"Columns", column_case},
                               {"Genotypes", genotype_case},
                               {"SomeSamples", some_samples_case},
                               {"Sharded", sharded_case}};

}  // namespace cavity::test
