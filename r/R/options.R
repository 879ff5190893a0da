# What can be asked of a fit; the names and the words of the Python estimator.
cavity_options <- function(density = "auto", noise = "auto", width = "auto", activation = "auto",
                           boundary = "auto", solver = "auto", scale = "auto", value_transform = "auto",
                           select = "stack", class_prior = NULL, fit_intercept = TRUE, check_loo = 0, max_iter = NULL, tol = 1e-6, n_jobs = 1,
                           random_state = NULL, verbose = 0, ...) {
  refuse_arguments(list(...))
  known <- run("names")
  scales <- list(auto = NULL, variance = TRUE, none = FALSE, whiten = TRUE)
  paper <- identical(density, "paper")
  options <- list(
    density = if (paper) numeric() else grid_values("density", density),
    noise = grid_values("noise", noise),
    width = grid_values("width", width),
    activation = one_of("activation", activation, c("auto", "step", "probit", "logistic")),
    boundary = one_of("boundary", boundary, known$boundary),
    solver = one_of("solver", solver, known$solver),
    value_transform = one_of("value_transform", value_transform, known$value_transform),
    select = one_of("select", select, known$select),
    unit_variance = scales[[one_of("scale", scale, names(scales))]],
    whiten = identical(scale, "whiten"),
    paper_grid = paper,
    class_prior = class_prior,
    fit_intercept = flag("fit_intercept", fit_intercept),
    check_loo = whole("check_loo", check_loo, least = 0),
    max_iter = if (is.null(max_iter)) 0 else whole("max_iter", max_iter, least = 1, or = " or NULL"),
    tol = positive("tol", tol),
    threads = threads(n_jobs),
    random_state = if (!is.null(random_state)) whole("random_state", random_state, least = 0, or = " or NULL"),
    verbose = whole("verbose", verbose, least = 0)
  )
  structure(options, class = "cavity_options")
}

refuse_arguments <- function(given) {
  if (length(given) == 0L) return(invisible())
  name <- names(given)[1L]
  if (is.null(name) || !nzchar(name)) refuse("arguments after 'covariates' must be named")
  if (name %in% c("weights", "sample_weight")) {
    refuse(
      "cavity has no ", name, ": a sample is one measurement, and a weight would change what leave-one-out leaves ",
      "out. Where classes should count as in another population use class_prior; leave samples of weight 0 out ",
      "of x; of repeated measurements keep the mean, or name them in groups"
    )
  }
  if (name %in% c("class_weight", "class_weights", "class.weights", "classwt")) {
    refuse(
      "cavity has no ", name, ": samples count as they are, and weights would make probabilities those of no ",
      "population. Where classes should count as in another population, or all alike, use class_prior ('uniform', ",
      "or shares); where one kind of error costs more set a threshold on predict(type = 'prob')"
    )
  }
  refuse("unknown argument '", name, "': see ?cavity_options for those that there are")
}

# The library's options: shares that fit the classes, and a seed.
complete <- function(options, classes, chance = FALSE) {
  options$class_prior <- checked_prior(options$class_prior, classes)
  chance <- chance || options$solver == "gibbs" || options$check_loo > 0
  options$seed <- seed(options$random_state, chance)
  options[c("random_state", "verbose")] <- NULL
  unclass(options)
}

# Where chance is asked for, R's own generator sets it, so that set.seed() repeats a fit; elsewhere, sampled cells of a
# default grid included, the command line's seed serves, so that all front ends give the same numbers.
seed <- function(random_state, chance) {
  if (!is.null(random_state)) return(random_state)
  if (chance) as.numeric(sample.int(.Machine$integer.max, 1L)) else 1
}

checked_prior <- function(class_prior, classes) {
  if (is.null(class_prior)) return(NULL)
  n <- length(classes)
  wanted <- paste0("NULL, 'uniform' or ", n, " positive numbers with sum 1, one a class: ", toString(classes))
  if (identical(class_prior, "uniform")) return(rep(1 / n, n))
  if (!is.numeric(class_prior)) refuse("class_prior=", quoted(class_prior), " is unknown: use ", wanted)
  if (!is.null(names(class_prior)) && setequal(names(class_prior), classes)) class_prior <- class_prior[classes]
  if (length(class_prior) != n || !isTRUE(all(class_prior > 0)) || abs(sum(class_prior) - 1) > 1e-6) {
    refuse("class_prior must be ", n, " positive numbers with sum 1, one a class, got ", toString(class_prior))
  }
  as.numeric(class_prior)
}

grid_values <- function(name, value) {
  if (identical(value, "auto")) return(numeric())
  if (is.character(value)) refuse(name, "=", quoted(value), " is unknown: use 'auto', a number or several numbers")
  if (!is.numeric(value) || length(value) == 0L || anyNA(value)) {
    refuse(name, " must be 'auto', a number or several numbers, got ", deparse1(value))
  }
  as.numeric(value)
}

one_of <- function(name, value, known) {
  if (is.character(value) && length(value) == 1L && value %in% known) return(value)
  refuse(name, "=", quoted(value), " is unknown: use one of ", toString(paste0("'", known, "'")))
}

flag <- function(name, value) {
  if (isTRUE(value) || isFALSE(value)) return(value)
  refuse(name, "=", quoted(value), " must be TRUE or FALSE")
}

is_number <- function(value) is.numeric(value) && length(value) == 1L && is.finite(value)

whole <- function(name, value, least, or = "") {
  if (is.logical(value) && length(value) == 1L && !is.na(value) && name == "verbose") value <- as.numeric(value)
  if (is_number(value) && value == round(value) && value >= least) return(as.numeric(value))
  refuse(name, "=", quoted(value), " must be a whole number, ", least, " or more", or)
}

positive <- function(name, value) {
  if (is_number(value) && value > 0) return(as.numeric(value))
  refuse(name, "=", quoted(value), " must be a positive number")
}

# The library's 0 is one thread a core.
threads <- function(n_jobs) {
  if (is.null(n_jobs)) return(1)
  if (is_number(n_jobs) && n_jobs == -1) return(0)
  whole("n_jobs", n_jobs, least = 1, or = ", or -1 for one thread a core")
}
