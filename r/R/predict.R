predict.cavity <- function(object, newx = NULL, type = c("response", "prob", "class", "link", "set", "told"),
                           newcovariates = NULL, n_jobs = 1, confidence = NULL, match = FALSE, least_explained = 0.25,
                           fill_means = FALSE, ...) {
  type <- match.arg(type)
  refuse_arguments(list(...))
  if (!is.null(confidence) && !type %in% c("set", "told")) {
    refuse("confidence= is of sets of labels: ask for type = 'set', or for 'told'")
  }
  if (type == "set" && is.null(confidence)) confidence <- 0.9
  if (is.null(newx)) {
    if (type %in% c("set", "told")) refuse("type='", type, "' is for new samples: pass newx")
    return(as_type(object, left_out(object), type))
  }
  arguments <- cohort_arguments(object, as_table(newx), newcovariates, n_jobs, match, least_explained, fill_means)
  told <- told_of(object, arguments, confidence)
  switch(type, told = told, set = told$set, as_type(object, told$probability, type))
}

# Leave-one-out: what the fit says of its own samples honestly.
left_out <- function(object) {
  p <- object$loo_probability
  if (nrow(p) == 0L) refuse("this model does not hold the leave-one-out probabilities of its samples: pass newx")
  p
}

# All that the library says of new samples, with the names of Python's predict().
told_of <- function(object, arguments, confidence) {
  if (!is.null(confidence)) {
    if (!is_number(confidence)) refuse("confidence=", quoted(confidence), " must be a number between 0 and 1")
    arguments$confidence <- as.numeric(confidence)
  }
  made <- run("predict", arguments)
  say_measured(made$lines)
  by_class <- function(values) {
    matrix(values, ncol = length(object$classes), dimnames = list(arguments$sample_names, object$classes))
  }
  probability <- by_class(made$probability)
  conformity <- if (!is.null(made$conformity)) by_class(made$conformity)
  list(label = as_type(object, probability, "class"), probability = probability, explained = made$explained,
       measured = measured_of(made$measured), set = if (!is.null(conformity)) conformity > 1 - confidence,
       conformity = conformity)
}

measured_of <- function(measured) {
  measured$absent <- as.character(unlist(measured$absent))
  measured
}

# What was absent is a message, too little of it a warning.
say_measured <- function(lines) {
  for (line in unlist(lines)) {
    if (startsWith(line, "warning: ")) warn_of("little_measured", substring(line, 10L)) else message(line)
  }
}

# New samples as the library takes them, and what is done where their columns are not those of the model.
cohort_arguments <- function(object, table, newcovariates, n_jobs, match, least_explained, fill_means = FALSE) {
  newx <- table$x
  if (is.null(dim(newx)) && is.numeric(newx)) newx <- matrix(newx, 1L, dimnames = list(NULL, names(newx)))
  refuse_no_table(newx, "newx")
  covariates <- newcovariates
  if (is.null(covariates)) covariates <- covariates_asked(object, newx, table$sheet)
  c(list(model = model_of(object), threads = threads(n_jobs), match = flag("match", match),
         least_explained = share("least_explained", least_explained), fill_means = flag("fill_means", fill_means),
         sample_names = sample_names(newx)),
    new_features(object, newx, covariates, match))
}

share <- function(name, value) {
  if (is_number(value) && value >= 0 && value <= 1) return(as.numeric(value))
  refuse(name, "=", quoted(value), " must be a number from 0 to 1")
}

# Where the covariates of the model stand: in the sheet of the samples, or in columns by name or position.
covariates_asked <- function(object, newx, sheet) {
  columns <- object$columns
  wanted <- unique(object$covariates$columns)
  if (length(wanted) == 0L) return(NULL)
  if (!is.null(sheet)) {
    absent <- setdiff(wanted, names(sheet))
    if (length(absent) == 0L) return(sheet[wanted])
  }
  if (columns$covariates_in == "table" && !all(wanted %in% colnames(newx))) {
    refuse("newcovariates is missing: a table with the columns ", toString(wanted), kind = "input")
  }
  if (is.null(colnames(newx)) && !is.null(columns$covariates_at)) columns$covariates_at else wanted
}

# The columns that the model asks for, by name where there are names; the library says which ones are missing.
new_features <- function(object, newx, covariates, match) {
  columns <- object$columns
  if (is.data.frame(newx)) newx <- as.data.frame(newx)
  if (!is.null(columns$rule)) {
    covariates <- if (is.character(covariates)) named_columns(newx, covariates) else covariates
    newx <- columns_by(columns$rule, as.data.frame(newx))
  } else if (is.data.frame(newx)) {
    newx <- asked_columns(newx, object$feature_names, if (is.character(covariates)) covariates, match)
  }
  check_width(object, newx, covariates)
  read <- read_features(newx, covariates)
  if (!columns$named) read$feature_names <- NULL
  read
}

# Where some are missing every column of numbers stays: what the model could still know them by is the library's to say.
asked_columns <- function(newx, features, covariates, match) {
  asked <- c(features, covariates)
  if (!match && all(features %in% names(newx))) return(newx[intersect(names(newx), asked)])
  numbers <- vapply(newx, function(column) is.numeric(column) && !is.factor(column) || is.logical(column), NA)
  newx[numbers | names(newx) %in% asked]
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
  if (type == "prob") return(probability)
  if (type == "class") {
    best <- max.col(probability, ties.method = "last") # of equal ones the last, as on the command line
    return(setNames(factor(object$classes[best], object$classes), rownames(probability)))
  }
  if (type == "link") probability[] <- qnorm(pmin(pmax(probability, 1e-300), 1 - 2^-53))
  if (ncol(probability) == 2L) setNames(probability[, 2L], rownames(probability)) else probability
}

fitted.cavity <- function(object, ...) predict.cavity(object)
