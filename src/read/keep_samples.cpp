#include "read/keep_samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cavity/errors.hpp"
#include "file/messages.hpp"
#include "file/number.hpp"
#include "table/sparse_table.hpp"

namespace cavity {

namespace {

FeatureMatrix rows_of(const FeatureMatrix& from, const std::vector<std::size_t>& samples) {
  FeatureMatrix out(samples.size(), from.cols);
  for (std::size_t i = 0; i < samples.size(); ++i) std::copy_n(from.row(samples[i]), from.cols, out.row(i));
  return out;
}

CompressedColumns rows_of(const CompressedColumns& from, const std::vector<std::size_t>& samples) {
  std::vector<std::uint32_t> place(from.samples, UINT32_MAX);
  for (std::size_t i = 0; i < samples.size(); ++i) place[samples[i]] = static_cast<std::uint32_t>(i);
  CompressedColumns out;
  out.samples = samples.size();
  out.start.push_back(0);
  for (std::size_t column = 0; column < from.columns(); ++column) {
    for (std::uint64_t k = from.start[column]; k < from.start[column + 1]; ++k) {
      if (place[from.row[k]] == UINT32_MAX) continue;
      out.row.push_back(place[from.row[k]]);
      out.value.push_back(from.value[k]);
    }
    out.start.push_back(out.row.size());
  }
  return out;
}

template <class Values>
void keep(const std::vector<std::size_t>& samples, Values& values) {
  if (values.empty()) return;
  Values out;
  for (const std::size_t i : samples) out.push_back(std::move(values[i]));
  values = std::move(out);
}

}  // namespace

void keep_samples(const std::vector<std::size_t>& samples, Dataset& data) {
  if (samples.size() == data.samples()) return;
  if (data.features.is_dense()) {
    data.features = rows_of(std::as_const(data.features).dense(), samples);
  } else if (data.features.table().sparse()) {
    data.features = FeatureTable(rows_of(std::as_const(data.features.sparse()), samples));
  } else {
    throw InputError(
        "samples of genotypes and of columns in a file cannot be left out here: give every sample a line and a label "
        "in the sample sheet, or make a fileset without them (plink --keep)");
  }
  keep(samples, data.sample_names);
  keep(samples, data.classes);
  keep(samples, data.groups);
  for (auto& covariate : data.covariates) keep(samples, covariate.values);
}

void drop_unlabelled(LabelTexts& labels, const ReadOptions& options, Dataset& data) {
  if (!options.labels_required || !options.expected_classes.empty()) return;
  std::vector<std::size_t> labelled;
  std::vector<std::string> unknown;
  for (std::size_t i = 0; i < labels.values.size(); ++i) {
    if (read_value(labels.values[i]).kind == Kind::missing)
      unknown.push_back(data.sample_names[i]);
    else
      labelled.push_back(i);
  }
  if (unknown.empty() || labelled.empty()) return;
  keep_samples(labelled, data);
  keep(labelled, labels.values);
  keep(labelled, labels.lines);
  data.notes.push_back(fmt::format("{} left out, their label is missing: {}", counted(unknown.size(), "sample"),
                                   shown_names(unknown, 8)));
}

}  // namespace cavity
