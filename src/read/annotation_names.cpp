#include "read/annotation_names.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <unordered_set>

#include "file/lower_case.hpp"

namespace cavity {

bool is_annotation_name(std::string_view name) {
  static const std::unordered_set<std::string> names = {
      "chr",         "chrom",           "chromosome",   "start",      "end",           "strand",
      "length",      "symbol",          "genesymbol",   "genename",   "geneid",        "genetype",
      "genebiotype", "biotype",         "entrez",       "entrezid",   "ensembl",       "ensemblid",
      "description", "genedescription", "idref",        "probeid",    "gene",          "transcriptid",
      "width",       "seqnames",        "entrezgeneid", "hgncsymbol", "ensemblgeneid", "externalgenename"};
  std::string plain = lower_case(name);
  std::erase_if(plain, [](char c) { return c == '_' || c == ' ' || c == '.' || c == '-'; });
  return names.contains(plain);
}

bool is_rest_of_counts(std::string_view name) {
  constexpr std::string_view names[] = {
      "__no_feature", "__ambiguous",    "__too_low_aQual", "__not_aligned", "__alignment_not_unique",
      "N_unmapped",   "N_multimapping", "N_noFeature",     "N_ambiguous"};
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

}  // namespace cavity
