// What is fitted to the columns of a table: which are kept, their centre and scale.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "prepare/prepare.hpp"
#include "table/column_moments.hpp"

namespace cavity {

/// 0, 1, ..., count - 1.
std::vector<std::uint32_t> all_columns(std::size_t count);

/// Of every column, each process having looked at its own.
ColumnMoments all_moments(const FeatureTable& features, ThreadPool& pool, const Shards& shards);

/// InputError that names sample and feature, when a column's mean says that it holds an infinite value.
void reject_infinite(const ColumnMoments& moments, const FeatureTable& features, const std::vector<std::string>& names,
                     const std::vector<std::string>& samples);

/// Marks variants that are too rare or too incomplete as constant, so that they are left out like these.
void filter_variants(const PreprocessingOptions& options, ColumnMoments& moments, Prepared& out);

void note_missing(const std::vector<std::uint32_t>& missing, Prepared& out);

/// Finds the features that vary both before (`raw`) and after the transform, and fits their centre and scale.
void keep_varying(const ColumnMoments& raw, const ColumnMoments& moments, const PreprocessingOptions& options,
                  Prepared& out);

}  // namespace cavity
