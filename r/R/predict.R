predict.cavity <- function(object, newx = NULL, type = c("response", "class", "link"), newcovariates = NULL,
                           n_jobs = 1, ...) {
  type <- match.arg(type)
  refuse_arguments(list(...))
  probability <- if (is.null(newx)) left_out(object) else new_samples(object, newx, newcovariates, threads(n_jobs))
  as_type(object, probability, type)
}

# Leave-one-out: what the fit says of its own samples honestly.
left_out <- function(object) {
  p <- object$loo_probability
  if (nrow(p) == 0L) refuse("this model does not hold the leave-one-out probabilities of its samples: pass newx")
  p
}

new_samples <- function(object, newx, newcovariates, threads) {
  read <- new_features(object, newx, newcovariates)
  arguments <- c(list(model = model_of(object), threads = threads), read)
  out <- matrix(run("predict", arguments)$probability, ncol = length(object$classes))
  rownames(out) <- sample_names(newx)
  out
}

# The columns that the model asks for, by name where there are names; the library says which ones are missing.
new_features <- function(object, newx, newcovariates) {
  columns <- object$columns
  if (is.null(dim(newx)) && is.numeric(newx)) newx <- matrix(newx, 1L, dimnames = list(NULL, names(newx)))
  refuse_no_table(newx, "newx")
  if (is.data.frame(newx)) newx <- as.data.frame(newx)
  asked <- object$feature_names
  wanted <- unique(object$covariates$columns)
  covariates <- newcovariates
  if (is.null(covariates) && length(wanted)) {
    if (columns$covariates_in == "table" && !all(wanted %in% colnames(newx))) {
      refuse("newcovariates is missing: a table with the columns ", toString(wanted), kind = "input")
    }
    covariates <- if (is.null(colnames(newx)) && !is.null(columns$covariates_at)) columns$covariates_at else wanted
  }
  if (!is.null(columns$rule)) {
    covariates <- if (is.character(covariates)) named_columns(newx, covariates) else covariates
    newx <- columns_by(columns$rule, as.data.frame(newx))
  } else if (is.data.frame(newx)) {
    newx <- newx[intersect(names(newx), c(asked, if (is.character(covariates)) covariates))]
  }
  check_width(object, newx, covariates)
  read <- read_features(newx, covariates)
  if (!columns$named) read$feature_names <- NULL
  read
}

check_width <- function(object, newx, covariates) {
  if (object$columns$named && !is.null(colnames(newx))) return(invisible())
  inside <- if (is.null(dim(covariates))) length(covariates) else 0L
  expected <- length(object$feature_names) + inside
  if (ncol(newx) == expected) return(invisible())
  refuse("newx has ", ncol(newx), " columns", if (object$columns$named) " without names", ", the model was fitted on ",
         expected, kind = "input")
}

as_type <- function(object, probability, type) {
  colnames(probability) <- object$classes
  if (type == "class") {
    best <- max.col(probability, ties.method = "last") # of equal ones the last, as on the command line
    return(setNames(factor(object$classes[best], object$classes), rownames(probability)))
  }
  if (type == "link") probability[] <- qnorm(pmin(pmax(probability, 1e-300), 1 - 2^-53))
  if (ncol(probability) == 2L) setNames(probability[, 2L], rownames(probability)) else probability
}

fitted.cavity <- function(object, ...) predict.cavity(object)
