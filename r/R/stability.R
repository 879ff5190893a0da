stability <- function(x, ...) UseMethod("stability")

stability.default <- function(x, y, groups = NULL, covariates = NULL, pairs = 50, selected = 10, fdr = NULL,
                              threshold = 0.6, ...) {
  halves(x, y, groups, covariates, list(pairs = pairs, selected = selected, fdr = fdr, threshold = threshold),
         cavity_options(...))
}

stability.formula <- function(formula, data, groups = NULL, covariates = NULL, pairs = 50, selected = 10, fdr = NULL,
                              threshold = 0.6, ...) {
  read <- read_formula(formula, data, covariates, groups)
  options <- cavity_options(...)
  if (!read$intercept) options$fit_intercept <- FALSE
  halves(read$x, read$y, read$groups, read$covariates,
         list(pairs = pairs, selected = selected, fdr = fdr, threshold = threshold), options)
}

halves <- function(x, y, groups, covariates, rule, options) {
  arguments <- training_arguments(x, y, groups, covariates)
  if (length(arguments$classes) != 2L) {
    refuse("two classes are needed, y has ", length(arguments$classes), ": ask for one against the rest, y == ",
           quoted(arguments$classes[1L]), kind = "input")
  }
  arguments$options <- complete(options, arguments$classes, chance = TRUE)
  arguments$pairs <- whole("pairs", rule$pairs, least = 1)
  arguments$selected <- whole("selected", rule$selected, least = 1)
  arguments$threshold <- positive("threshold", rule$threshold)
  arguments$fdr <- if (!is.null(rule$fdr)) positive("fdr", rule$fdr)
  found <- run("stability", arguments, options$verbose)
  told <- found$summary[c("most_expected_false", "mean_selected", "correlated", "halves", "failed", "threshold")]
  features <- data.frame(found[c("feature", "inclusion", "mean", "sd", "share")])
  structure(c(list(features = features, stable = found$feature[found$stable + 1L]), told), class = "cavity_stability")
}

# Groups are samples: what they were called here goes with version 2.
`$.cavity_stability` <- function(x, name) {
  if (identical(name, "groups")) {
    .Deprecated("correlated", msg = "groups goes with version 2: use correlated")
    name <- "correlated"
  }
  x[[name]]
}

print.cavity_stability <- function(x, top = 10, ...) {
  cat(sprintf("%d halves of the samples, %.4g features selected a half\n", as.integer(x$halves), x$mean_selected))
  cat(sprintf("stable, in at least %s of the halves: %s\n", percent(x$threshold),
              if (length(x$stable)) toString(x$stable) else "none"))
  cat(sprintf("at most %.3g of them are expected to be false\n", x$most_expected_false))
  print(head(x$features[order(-x$features$share, -x$features$inclusion), ], top), digits = 3, row.names = FALSE)
  invisible(x)
}
