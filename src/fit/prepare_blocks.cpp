#include "fit/prepare_blocks.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "cavity/errors.hpp"
#include "file/messages.hpp"
#include "fit/absent_features.hpp"
#include "fit/fit_table.hpp"
#include "fit/make_covariates.hpp"
#include "fit/pilot.hpp"
#include "kernels/matrix_product.hpp"
#include "prepare/covariates.hpp"
#include "prepare/fit_columns.hpp"
#include "prepare/make_design.hpp"
#include "prepare/scale_rows.hpp"
#include "prepare/transform.hpp"
#include "search/search.hpp"
#include "table/question.hpp"

namespace cavity {

namespace {

constexpr std::size_t fewest_with_block = 4;  // samples: with fewer nothing can be told of it
constexpr double level_variance = 4;          // of intercept and covariates, beside a probit of width 1

struct Block {
  std::size_t first = 0;          // column
  std::vector<std::size_t> with;  // samples
  std::vector<bool> has;          // a sample
  Prepared prepared{};            // of those samples
  FeatureMatrix values{};         // all samples x kept features, those without it at the centre until they are told
  Matrix gram{};                  // of all samples, standardised
};

Eigen::Index index(std::size_t i) { return static_cast<Eigen::Index>(i); }

std::vector<Block> find_blocks(const Dataset& data) {
  const FeatureMatrix& values = data.features.dense();
  std::vector<Block> out;
  std::size_t first = 0;
  for (const FeatureBlock& block : data.blocks) {
    Block b{.first = first, .with = {}, .has = std::vector<bool>(values.rows)};
    for (std::size_t i = 0; i < values.rows; ++i) {
      const float* row = values.row(i) + first;
      b.has[i] = !std::all_of(row, row + block.features, [](float x) { return std::isnan(x); });
      if (b.has[i]) b.with.push_back(i);
    }
    if (b.with.size() < fewest_with_block)
      throw InputError(fmt::format("block {}: {} of the fit's samples {} it, at least {} must; leave the block out",
                                   shown(block.name), b.with.size(), b.with.size() == 1 ? "has" : "have",
                                   fewest_with_block));
    first += block.features;
    out.push_back(std::move(b));
  }
  return out;
}

/// As a table of its own.
Dataset table_of(const Block& block, std::size_t features, const Dataset& data) {
  const FeatureMatrix& from = data.features.dense();
  FeatureMatrix values(block.with.size(), features);
  Dataset out;
  for (std::size_t i = 0; i < block.with.size(); ++i) {
    std::copy_n(from.row(block.with[i]) + block.first, features, values.row(i));
    out.sample_names.push_back(data.sample_names[block.with[i]]);
  }
  out.features = std::move(values);
  const auto names = data.feature_names.begin() + static_cast<std::ptrdiff_t>(block.first);
  out.feature_names.assign(names, names + static_cast<std::ptrdiff_t>(features));
  return out;
}

/// By the pilot, where both sides are among its samples.
Prepared prepare_alone(const Block& block, Dataset table, const std::vector<std::int8_t>& labels,
                       const SampleGroups* groups, const FitOptions& options, ThreadPool& pool) {
  std::vector<std::int8_t> own;
  std::vector<std::string> group_names;
  for (const std::size_t i : block.with) {
    own.push_back(labels[i]);
    if (groups) group_names.push_back(std::to_string(groups->of[i]));
  }
  if (std::set<std::int8_t>(own.begin(), own.end()).size() < 2)
    return prepare(std::move(table), options.preprocessing, pool);
  const SampleGroups own_groups = gather_groups(group_names);
  FitOptions how = options;
  how.grid.sparsest = false;  // no values as measured
  Prepared out = prepare_by_pilot(std::move(table), {own, groups ? &own_groups : nullptr}, how, pool, Shards::whole());
  out.measured = {};
  return out;
}

void spread_rows(Block& block, std::size_t samples) {
  const Preprocessing& p = block.prepared.preprocessing;
  const FeatureMatrix& own = std::as_const(block.prepared.features).dense();
  block.values = FeatureMatrix(samples, own.cols);
  for (std::size_t i = 0; i < samples; ++i)
    for (std::size_t j = 0; j < own.cols; ++j) block.values.row(i)[j] = static_cast<float>(p.centre[j]);
  for (std::size_t i = 0; i < block.with.size(); ++i)
    std::copy_n(own.row(i), own.cols, block.values.row(block.with[i]));
  block.prepared.features = {};
}

/// Standardised, over the number of features.
void take_gram(Block& block, ThreadPool& pool) {
  const Preprocessing& p = block.prepared.preprocessing;
  const std::size_t features = block.values.cols;
  Inputs all;
  all.features = FeatureMatrix::borrow(block.values.data(), block.values.rows, features);
  all.columns = {all_columns(features), p.centre, p.scale};
  all.row_scale.assign(block.values.rows, 1);
  const std::vector<double> equal(features, 1 / static_cast<double>(features));
  make_design(all)->gram(equal, block.gram, pool);
}

/// F with F F^T = G: whatever is told of all features is told of F, which is narrower.
Matrix root_of(const Matrix& gram) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(gram);
  return eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal();
}

/// Samples that lack the block and have the same others.
void tell_samples(const std::vector<Block>& blocks, Block& block, const std::vector<std::size_t>& of,
                  const std::vector<std::size_t>& others, const Matrix& own_gram, ThreadPool& pool) {
  std::vector<Eigen::Index> known, unknown(of.begin(), of.end());
  for (const std::size_t i : block.with)
    if (std::ranges::all_of(others, [&](std::size_t b) { return blocks[b].has[i]; })) known.push_back(index(i));
  if (known.size() < fewest_with_block) return;
  Matrix gram = Matrix::Zero(index(known.size()), index(known.size())),
         products = Matrix::Zero(index(unknown.size()), index(known.size()));
  for (const std::size_t b : others) {
    gram += blocks[b].gram(known, known);
    products += blocks[b].gram(unknown, known);
  }
  AbsentRegression::Targets targets{root_of(own_gram(known, known)), std::vector<double>(known.size(), 1.0), {}};
  const Matrix combination = AbsentRegression(gram, targets, pool).combination(products, pool);
  const Preprocessing& p = block.prepared.preprocessing;
  Matrix rows(index(known.size()), index(block.values.cols));
  for (Eigen::Index i = 0; i < rows.rows(); ++i)
    for (std::size_t j = 0; j < block.values.cols; ++j)
      rows(i, index(j)) =
          block.values.row(static_cast<std::size_t>(known[static_cast<std::size_t>(i)]))[j] - p.centre[j];
  Matrix told = Matrix::Zero(index(unknown.size()), rows.cols());
  add_product(1, combination, rows, told, pool);
  for (std::size_t i = 0; i < of.size(); ++i)
    for (std::size_t j = 0; j < block.values.cols; ++j)
      block.values.row(of[i])[j] = static_cast<float>(p.centre[j] + told(index(i), index(j)));
}

/// From the grams of what is there, which `blocks` still hold.
void tell_lacking(std::vector<Block>& blocks, ThreadPool& pool) {
  std::vector<std::size_t> told;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    std::map<std::vector<std::size_t>, std::vector<std::size_t>> alike;  // by the blocks that they have
    for (std::size_t i = 0; i < blocks[b].has.size(); ++i) {
      if (blocks[b].has[i]) continue;
      std::vector<std::size_t> others;
      for (std::size_t other = 0; other < blocks.size(); ++other)
        if (blocks[other].has[i]) others.push_back(other);
      if (!others.empty()) alike[others].push_back(i);
    }
    for (const auto& [others, of] : alike) tell_samples(blocks, blocks[b], of, others, blocks[b].gram, pool);
    if (!alike.empty()) told.push_back(b);
  }
  for (const std::size_t b : told) take_gram(blocks[b], pool);
}

/// The transform of the whole is that of all blocks, or of those that look at whole samples.
Transform common_transform(const std::vector<Block>& blocks) {
  Transform out = blocks.front().prepared.preprocessing.transform;
  for (const Block& block : blocks) {
    const Transform own = block.prepared.preprocessing.transform;
    if (own != out && !looks_at_samples(out)) out = looks_at_samples(own) ? own : Transform::none;
  }
  return out;
}

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

void join_preprocessing(const Dataset& data, const std::vector<Block>& blocks, Prepared& out) {
  Preprocessing& p = out.preprocessing;
  p.transform = common_transform(blocks);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const Preprocessing& own = blocks[b].prepared.preprocessing;
    const std::string name = plain(data.blocks[b].name);
    append(p.feature_names, own.feature_names);
    for (const std::uint32_t l : own.kept) p.kept.push_back(l + static_cast<std::uint32_t>(blocks[b].first));
    append(p.impute, own.impute);
    append(p.centre, own.centre);
    append(p.scale, own.scale);
    append(p.median, own.median);
    append(p.spread, own.spread);
    p.unit_variance = b == 0 ? own.unit_variance : p.unit_variance && own.unit_variance;
    p.blocks.push_back({data.blocks[b].name, static_cast<std::uint32_t>(own.feature_names.size()), own.transform, 1});
    for (const std::string& note : blocks[b].prepared.notes) out.notes.push_back(name + ": " + note);
    out.missing += blocks[b].prepared.missing;
    out.constant += blocks[b].prepared.constant;
  }
}

void join_values(std::vector<Block>& blocks, std::size_t samples, Prepared& out) {
  FeatureMatrix values(samples, out.preprocessing.kept.size());
  std::size_t first = 0;
  for (Block& block : blocks) {
    for (std::size_t i = 0; i < samples; ++i)
      std::copy_n(block.values.row(i), block.values.cols, values.row(i) + first);
    first += block.values.cols;
    block.values = {};
  }
  out.features = std::move(values);
}

BlockKernels kernels_of(std::vector<Block>& blocks, const Prepared& prepared, bool intercept) {
  BlockKernels out;
  for (Block& block : blocks) {
    out.features.push_back(static_cast<double>(block.prepared.preprocessing.kept.size()));
    out.gram.push_back(std::move(block.gram));
  }
  const Matrix level = make_covariates(prepared.covariates, prepared.row_scale.size(), intercept, 1).values;
  out.level = level_variance * level * level.transpose();
  return out;
}

void take_factors(const std::vector<double>& factors, Prepared& out) {
  Preprocessing& p = out.preprocessing;
  std::size_t j = 0, end = 0;
  for (std::size_t b = 0; b < p.blocks.size(); ++b) {
    p.blocks[b].factor = factors[b];
    end += p.blocks[b].features;
    for (; j < p.kept.size() && p.kept[j] < end; ++j) p.scale[j] *= factors[b];
  }
}

BlockLabels labels_of(const Labelled& samples, const SampleGroups* groups) {
  BlockLabels out{{}, groups};
  const std::size_t questions = question_count(samples.class_count());
  for (std::size_t q = 0; q < questions; ++q)
    out.questions.push_back(against_rest(samples.classes, static_cast<std::uint32_t>(questions == 1 ? 1 : q)));
  return out;
}

}  // namespace

PreparedBlocks prepare_blocks(Dataset&& data, const Labelled& samples, const SampleGroups* groups,
                              const FitOptions& options, ThreadPool& pool) {
  if (options.preprocessing.whiten || !options.preprocessing.centre)
    throw UsageError("blocks are centred and not whitened: `whiten` mixes the features of all blocks");
  data.features.make_dense();
  const std::size_t count = data.samples();
  std::vector<Block> blocks = find_blocks(data);
  const std::vector<std::int8_t> labels = against_rest(samples.classes, most_even_class(samples));
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    blocks[b].prepared =
        prepare_alone(blocks[b], table_of(blocks[b], data.blocks[b].features, data), labels, groups, options, pool);
    spread_rows(blocks[b], count);
  }
  data.features = {};
  PreparedBlocks out;
  const bool small = count <= most_ep_samples;
  if (small)
    for (Block& block : blocks) take_gram(block, pool);
  if (small) tell_lacking(blocks, pool);
  join_preprocessing(data, blocks, out.prepared);
  join_values(blocks, count, out.prepared);
  EncodedCovariates covariates = encode_covariates(data.covariates, count);
  out.prepared.preprocessing.covariates = std::move(covariates.encodings);
  out.prepared.covariates = std::move(covariates.values);
  append(out.prepared.notes, covariates.notes);
  out.prepared.row_scale.assign(count, 1);
  for (const Block& block : blocks) {
    out.table.kept.push_back(block.prepared.preprocessing.kept.size());
    out.table.lacking.push_back(count - block.with.size());
  }
  out.table.labels = labels_of(samples, groups);
  if (small) {
    out.table.kernels = kernels_of(blocks, out.prepared, options.intercept);
    out.table.log_scales = find_block_scales(*out.table.kernels, out.table.labels, pool);
    take_factors(block_factors(*out.table.kernels, out.table.log_scales), out.prepared);
  }
  const Preprocessing& p = out.prepared.preprocessing;
  out.prepared.columns = {all_columns(p.kept.size()), p.centre, p.scale};
  scale_rows(options.preprocessing.equal_rows.value_or(false), out.prepared, pool);
  return out;
}

}  // namespace cavity
