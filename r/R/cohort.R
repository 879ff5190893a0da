# A fitted model on labelled samples of another cohort: validated, adapted.

validate <- function(object, ...) UseMethod("validate")

validate.cavity <- function(object, newx, y = NULL, groups = NULL, thresholds = 0.5, newcovariates = NULL,
                            match = FALSE, least_explained = 0.25, n_jobs = 1, ...) {
  named <- deparse1(substitute(object))
  call <- match.call()
  call[[1L]] <- quote(validate)
  refuse_arguments(list(...))
  if (!is.numeric(thresholds) || length(thresholds) == 0L || anyNA(thresholds)) {
    refuse("thresholds must be probabilities, got ", deparse1(thresholds))
  }
  table <- as_table(newx)
  arguments <- cohort_arguments(object, table, newcovariates, n_jobs, match, least_explained)
  subgroup <- if (is.character(groups) && length(groups) == 1L) groups else ""
  found <- run("validate", c(arguments, labels_of(object, table, y, groups),
                             list(thresholds = as.numeric(thresholds), subgroup = subgroup, model_name = named)))
  say_measured(found$lines)
  structure(figures_of(found$figures), class = "cavity_validation", text = found$text, page = found$page,
            call = deparse1(call))
}

# Labels and groups: vectors, or names of columns of the new samples' sheet or frame. Without y the column is called as
# the classes of the fit were.
labels_of <- function(object, table, y, groups) {
  sheet <- if (!is.null(table$sheet)) table$sheet else if (is.data.frame(table$x)) as.data.frame(table$x)
  if (is.null(y) && object$label_name %in% names(sheet)) y <- object$label_name
  samples <- NROW(table$x)
  list(index = label_positions(object, of_sheet(sheet, y, "y"), samples),
       groups = read_groups(of_sheet(sheet, groups, "groups"), samples))
}

# From 0; one beyond the classes where a sample's class is none of them.
label_positions <- function(object, y, samples) {
  if (is.null(y)) refuse("y is missing: the class of each sample", kind = "input")
  if (!is.null(dim(y)) && NCOL(y) == 1L) y <- if (is.data.frame(y)) y[[1L]] else as.vector(y)
  if (length(y) != samples) {
    refuse("newx has ", samples, " rows, y ", length(y), " labels: a label a row is needed", kind = "input")
  }
  match(as.character(y), object$classes, nomatch = length(object$classes) + 1L) - 1L
}

# The names of the library's JSON; lists of records are data frames.
figures_of <- function(figures) {
  classes <- figures$classes
  figures$samples <- rows_of(figures$samples)
  colnames(figures$samples$probabilities) <- classes
  figures$confusion <- matrix(unlist(figures$confusion), length(classes), byrow = TRUE,
                              dimnames = list(truth = classes, predicted = classes))
  figures["findings"] <- list(rows_of(figures$findings)) # NULL where there is none
  figures$measured <- measured_of(figures$measured)
  names(figures$by) <- vapply(figures$by, function(site) site$name, "")
  names(figures$questions) <- vapply(figures$questions, function(question) question$name, "")
  figures$questions <- lapply(figures$questions, function(question) {
    tables <- c("calibration_curve", "roc", "thresholds", "decision_curve")
    question[tables] <- lapply(question[tables], rows_of)
    question
  })
  if (!is.null(figures$drift)) {
    figures$drift["worst_features"] <- list(rows_of(figures$drift$worst_features))
    figures$drift$outliers <- as.character(unlist(figures$drift$outliers))
  }
  figures
}

print.cavity_validation <- function(x, ...) {
  cat(attr(x, "text"))
  invisible(x)
}

report.cavity_validation <- function(object, file, name = "data", ...) {
  write_page(attr(object, "page"), file, name, attr(object, "call"))
}

adapt <- function(object, ...) UseMethod("adapt")

adapt.cavity <- function(object, newx = NULL, y = NULL, class_prior = NULL, slope = FALSE, newcovariates = NULL,
                         match = FALSE, least_explained = 0.25, n_jobs = 1, ...) {
  call <- match.call()
  call[[1L]] <- quote(adapt)
  refuse_arguments(list(...))
  if (is.null(newx) == is.null(class_prior)) {
    refuse("adapt takes labelled samples of the site, newx and y, or class_prior, one of them")
  }
  arguments <- if (is.null(newx)) {
    list(model = model_of(object), class_prior = checked_prior(class_prior, object$classes))
  } else {
    table <- as_table(newx)
    c(cohort_arguments(object, table, newcovariates, n_jobs, match, least_explained), labels_of(object, table, y, NULL),
      list(slope = flag("slope", slope)))
  }
  made <- run("adapt", arguments)
  fit <- as_fit(made, call)
  fit$columns <- object$columns
  fit$adaptation <- made$adaptation
  fit$adaptation_text <- made$text
  keep_bytes(fit)
}
