#include "read/genotypes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "cavity/errors.hpp"
#include "file/lower_case.hpp"
#include "file/messages.hpp"
#include "read/labels.hpp"
#include "read/labels_file.hpp"
#include "read/plink.hpp"
#include "table/genotype_table.hpp"

namespace cavity {

namespace {

/// The label of every sample of the .fam as text, "" where it has none.
LabelTexts label_texts(const Plink& plink, const PlinkFiles& files, const ReadOptions& options,
                       std::vector<std::string>& notes) {
  LabelTexts texts{plink.phenotypes, {}, files.fam};
  if (!options.labels_file.empty()) {
    texts = read_labels_file(options.labels_file, plink.samples, notes);
    for (std::string& text : texts.values)
      if (text == "-9" || text == "NA" || text == "nan") text.clear();
    return texts;
  }
  for (std::size_t mu = 0; mu < plink.samples; ++mu) texts.lines.push_back(mu + 1);
  return texts;
}

void keep(LabelTexts& texts, const std::vector<std::size_t>& used) {
  LabelTexts kept{{}, {}, texts.path};
  for (const std::size_t mu : used) {
    kept.values.push_back(std::move(texts.values[mu]));
    kept.lines.push_back(texts.lines[mu]);
  }
  texts = std::move(kept);
}

void check_options(const ReadOptions& options) {
  if (!options.sample_id.empty() || !options.covariates.empty() || (options.labels_required && !options.label.empty()))
    throw UsageError(
        "a PLINK fileset has no named columns: the phenotype stands in its .fam or in a file of labels (`labels`), "
        "covariates in a file of their own (`covariate_file`)");
  const std::string group = lower_case(options.group);
  if (!group.empty() && group != "fid" && group != "family" && group != "1")
    throw UsageError(fmt::format(
        "groups of a PLINK fileset are the families of its .fam: `group=FID`, not {}; others stand in a sample sheet "
        "(`samples`)",
        shown(options.group)));
}

}  // namespace

bool names_plink(const std::string& path) {
  if (path.ends_with(".bed") || path.ends_with(".bim") || path.ends_with(".fam")) return true;
  std::error_code ignored;
  return !std::filesystem::exists(path, ignored) && std::filesystem::exists(path + ".bed", ignored);
}

Dataset read_genotypes(const std::string& path, const ReadOptions& options) {
  check_options(options);
  const PlinkFiles files = plink_files(path);
  Plink plink = read_plink(files);
  Dataset dataset;
  dataset.notes.push_back(
      fmt::format("format: PLINK, {} x {}", counted(plink.samples, "sample"), counted(plink.variants, "variant")));
  LabelTexts texts = label_texts(plink, files, options, dataset.notes);
  std::vector<std::size_t> used;
  for (std::size_t mu = 0; mu < plink.samples; ++mu)
    if (!options.labels_required || !texts.values[mu].empty()) used.push_back(mu);
  if (used.empty())
    throw InputError(
        fmt::format("{}: no sample has a phenotype (column 6; 1 control, 2 case, -9 missing); give the "
                    "labels in a file of their own (`labels`)",
                    shown_path(texts.path)));
  if (used.size() < plink.samples)
    dataset.notes.push_back(counted(plink.samples - used.size(), "sample") + " without a phenotype left out");
  keep(texts, used);
  const bool some_missing = std::find(texts.values.begin(), texts.values.end(), "") != texts.values.end();
  if (some_missing) texts = {{}, {}, texts.path};  // only where labels are not required
  assign_labels(dataset, texts, options);
  dataset.label_name = "phenotype";
  for (const std::size_t mu : used) {
    dataset.sample_names.push_back(plink.sample_names[mu]);
    if (!options.group.empty()) dataset.groups.push_back(plink.families[mu]);
  }
  dataset.feature_names = std::move(plink.variant_names);
  GenotypeCalls calls{plink.packed, plink.samples, plink.variants, plink.bytes_per_variant};
  if (options.memory > 0) calls.most_resident = options.memory;
  dataset.features = FeatureTable(std::make_shared<GenotypeTable>(plink.bed, calls, std::move(used)));
  return dataset;
}

}  // namespace cavity
