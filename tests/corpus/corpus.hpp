// All files, by format.
#pragma once

#include "corpus/archives.hpp"
#include "corpus/cells.hpp"
#include "corpus/compressed.hpp"
#include "corpus/covariates.hpp"
#include "corpus/families.hpp"
#include "corpus/labels.hpp"
#include "corpus/matrix_market.hpp"
#include "corpus/models.hpp"
#include "corpus/npy.hpp"
#include "corpus/plink.hpp"
#include "corpus/series.hpp"
#include "corpus/sheets.hpp"
#include "corpus/svmlight.hpp"
#include "corpus/tables.hpp"
#include "corpus/tenx.hpp"

namespace cavity::test {

struct CorpusFormat {
  const char* name;
  const char* run;  // the usual arguments; @: the file, DATA: a good .npy of eight samples, LABELS: its labels,
                    // TABLE: a good table with the ids p1 to p8,
                    // SEVEN: one too few, SHEET: their labels in a sheet
  Corpus (*files)();
};

inline const CorpusFormat corpus_formats[] = {
    {"table", "fit @ --density 0.5 --noise 0.1", [] { return with(table_corpus(), table_families()); }},
    {"svmlight", "fit @ --density 0.5 --noise 0.1", [] { return with(svmlight_corpus(), svmlight_families()); }},
    {"npy", "fit @ --density 0.5 --noise 0.1 --labels LABELS", [] { return with(npy_corpus(), npy_families()); }},
    {"matrix_market", "fit @ --density 0.5 --noise 0.1 --labels LABELS",
     [] { return with(matrix_market_corpus(), matrix_market_families()); }},
    {"archive", "fit @ --density 0.5 --noise 0.1", archive_corpus},
    {"series", "fit @ --density 0.5 --noise 0.1 --label state", series_corpus},
    {"cells", "fit @ --density 0.5 --noise 0.1 --label state", cells_corpus},
    {"tenx", "fit @ --density 0.5 --noise 0.1 --samples SHEET --label state", tenx_corpus},
    {"plink", "fit @ --density 0.5 --noise 0.1", plink_corpus},
    {"labels", "fit DATA --density 0.5 --noise 0.1 --labels @", labels_corpus},
    {"gzip", "fit @ --density 0.5 --noise 0.1", gzip_corpus},
    {"zstd", "fit @ --density 0.5 --noise 0.1", zstd_corpus},
    {"covariates", "fit @ --density 0.5 --noise 0.1 --covariates age", covariates_corpus},
    {"sheet", "fit TABLE --density 0.5 --noise 0.1 --samples @ --label state",
     [] { return with(sheet_corpus(), sheet_families(good_sheet)); }},
    {"model", "features @", [] { return with(model_corpus(), model_families(model_bytes(small_model()))); }},
};

}  // namespace cavity::test
