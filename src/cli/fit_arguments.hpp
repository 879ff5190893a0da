// The options of `fit`, which `stability` takes, too.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "base/shards.hpp"
#include "cavity/fit.hpp"
#include "cli/block_flags.hpp"
#include "cli/options.hpp"

namespace cavity::cli {

struct FitArguments {
  std::string method = "sbc", file, output, report, command, density, noise, width, solver = "auto",
              activation = "auto", boundary = "auto", selection = "stack", value_transform = "auto", grid = "auto",
              loo_file, class_prior;
  ReadFlags read;
  BlockFlags blocks;
  FitOptions options;
  bool json = false, methods = false, quiet = false, unit_variance = false, no_unit_variance = false,
       no_intercept = false, no_variances = false;
  int top = 10;
  const CLI::Option* loo = nullptr;
  const Shards* shards = &Shards::whole();

  const Shards& processes() const { return *shards; }
};

/// All but where the answer goes.
void declare_fit_options(CLI::App& command, FitArguments& arguments);

/// From words to options; UsageError for whatever can be refused before a large file is read and fitted.
void resolve_fit_options(FitArguments& arguments);

/// The table, or all blocks of it.
Dataset read_fit_data(FitArguments& arguments);

/// What `--class-prior` asks of these classes; UsageError where it is not for as many.
void take_class_prior(const std::string& asked, const Dataset& data, FitOptions& options);

}  // namespace cavity::cli
