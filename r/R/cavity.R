cavity <- function(x, ...) UseMethod("cavity")

cavity.default <- function(x, y, groups = NULL, covariates = NULL, ...) {
  fit_classifier(x, y, groups, covariates, cavity_options(...), generic(match.call()))
}

cavity.formula <- function(formula, data, groups = NULL, covariates = NULL, ...) {
  read <- read_formula(formula, data, covariates, groups)
  options <- cavity_options(...)
  if (!read$intercept) options$fit_intercept <- FALSE
  fit <- fit_classifier(read$x, read$y, read$groups, read$covariates, options, generic(match.call()),
                        read$label_name)
  fit$columns$rule <- read$rule
  fit$columns$covariates_in <- if (is.null(read$covariate_columns)) fit$columns$covariates_in else "x"
  fit
}

# The call as the user wrote it, for the page and for print.
generic <- function(call) {
  call[[1L]] <- quote(cavity)
  call
}

# How data arrive at the library, of a fit, its stability and its panels.
training_arguments <- function(x, y, groups, covariates, label_name = "label") {
  table <- as_table(x)
  x <- table$x
  refuse_no_table(x, "x")
  if (!missing(y) && !is.null(table$sheet)) {
    if (is.character(y) && length(y) == 1L) label_name <- y
    y <- of_sheet(table$sheet, y, "y")
  }
  classes <- read_classes(y, x)
  arguments <- read_features(x, covariates_of_sheet(table$sheet, covariates))
  arguments$sample_names <- sample_names(x)
  arguments$label_name <- label_name
  arguments$groups <- read_groups(of_sheet(table$sheet, groups, "groups"), nrow(x))
  structure(c(arguments, classes), columns = column_names(x, covariates))
}

# What the library calls the columns of x; those without a name are counted, covariates left out.
column_names <- function(x, covariates) {
  if (!is.null(colnames(x))) return(colnames(x))
  inside <- if (is.numeric(covariates) && is.null(dim(covariates))) covariates
  features <- setdiff(seq_len(ncol(x)), inside)
  replace(rep("", ncol(x)), features, paste0("x", seq_along(features)))
}

fit_classifier <- function(x, y, groups, covariates, options, call, label_name = "label") {
  arguments <- training_arguments(x, y, groups, covariates, label_name)
  arguments$options <- complete(options, arguments$classes)
  described <- run("fit", arguments, options$verbose)
  fit <- as_fit(described, call)
  fit$columns <- columns_of(arguments, covariates)
  fit <- keep_bytes(fit)
  if (!fit$converged) {
    warn_of("not_converged", "no grid cell converged: raise max_iter, use a larger density or noise, or another solver")
  }
  fit
}

# How to find the columns in new data.
columns_of <- function(arguments, covariates) {
  list(named = !is.null(arguments$feature_names), covariates_in = where_from(covariates),
       covariates_at = if (is.numeric(covariates) && is.null(dim(covariates))) covariates)
}

where_from <- function(covariates) {
  if (is.null(covariates)) return("none")
  if (is.null(dim(covariates))) "x" else "table"
}

# The S3 object from what the library says of a model.
as_fit <- function(described, call = NULL) {
  summary <- described$summary
  questions <- summary$questions
  fit <- list(
    call = call, classes = described$classes, label_name = described$label_name,
    feature_names = described$feature_names, samples = summary$samples,
    inclusion = described$inclusion, weight = described$weight, sd = described$sd,
    alone = described[c("difference", "t", "q")],
    intercept = vapply(questions, function(question) or_missing(question$intercept), 0) - described$centred,
    covariates = covariate_table(described),
    solver = summary$solver, activation = summary$activation, value_transform = summary$value_transform,
    loo_error = summary$loo_error, loo_error_se = summary$loo_error_se,
    loo_error_interval = interval_of(summary$loo_error_interval), loo_log_loss = summary$loo_log_loss,
    loo_probability = loo_matrix(summary, described$classes),
    loo_truth = factor(as.character(unlist(summary$loo_truth)), described$classes),
    grid = grid_table(questions), chosen = chosen_table(questions), questions = questions,
    notes = unlist(summary$notes), warnings = summary$warnings, summary = summary, state = new.env(parent = emptyenv())
  )
  fit$converged <- !any(vapply(fit$warnings, function(w) w$name == "not-converged", NA))
  fit$state$model <- described$model
  structure(fit, class = "cavity")
}

# Samples x classes, whatever the number of classes.
loo_matrix <- function(summary, classes) {
  matrix(as.numeric(unlist(summary$loo_probability)), ncol = length(classes), byrow = TRUE, dimnames = list(NULL, classes))
}

# The cells of all questions; a question is a class against the others.
grid_table <- function(questions) {
  do.call(rbind, lapply(questions, function(question) cbind(class = question$class, rows_of(question$grid))))
}

# The cell of each question that has most weight.
chosen_table <- function(questions) {
  do.call(rbind, lapply(questions, function(question) {
    cbind(class = question$class, rows_of(question$grid[question$chosen + 1]))
  }))
}

covariate_table <- function(described) {
  terms <- described$covariate_terms
  if (length(terms) == 0L) return(NULL)
  list(columns = described$covariate_columns, terms = terms, weight = described$covariate_weight,
       sd = described$covariate_sd)
}

# R's own files (saveRDS, workers of a cluster) hold the model as bytes, unless that would be much.
MOST_BYTES <- 64e6
keep_bytes <- function(fit) {
  if (4 * fit$samples * length(fit$feature_names) > MOST_BYTES) return(fit)
  fit$bytes <- run("model_bytes", list(model = fit$state$model))$bytes
  fit
}

model_of <- function(fit) {
  if (!.Call(C_cavity_is_lost, fit$state$model)) return(fit$state$model)
  if (is.null(fit$bytes)) {
    refuse("this fit has been through a file of R, which does not hold so large a model: keep it with write_cavity()")
  }
  fit$state$model <- run("model_from_bytes", list(bytes = fit$bytes))$model
  fit$state$model
}
