# The few features that say what a fit of all of them says, and what each one fewer costs.

panel <- function(x, ...) UseMethod("panel")

panel.default <- function(x, y, groups = NULL, covariates = NULL, size = NULL, most = 20, must = NULL, never = NULL,
                          among = NULL, cost = NULL, normalise = NULL, folds = 10, repeats = NULL, margin = 0.02, ...) {
  arguments <- training_arguments(x, y, groups, covariates)
  asked <- panel_options(attr(arguments, "columns"), size, most, must, never, among, cost, normalise, folds, repeats,
                         margin)
  columns <- columns_of(arguments, covariates)
  find_panel(arguments, asked, cavity_options(...), columns, match.call())
}

panel.formula <- function(formula, data, groups = NULL, covariates = NULL, size = NULL, most = 20, must = NULL,
                          never = NULL, among = NULL, cost = NULL, normalise = NULL, folds = 10, repeats = NULL,
                          margin = 0.02, ...) {
  read <- read_formula(formula, data, covariates, groups)
  options <- cavity_options(...)
  if (!read$intercept) options$fit_intercept <- FALSE
  arguments <- training_arguments(read$x, read$y, read$groups, read$covariates, read$label_name)
  asked <- panel_options(attr(arguments, "columns"), size, most, must, never, among, cost, normalise, folds, repeats,
                         margin)
  columns <- columns_of(arguments, read$covariates)
  columns$rule <- read$rule
  if (!is.null(read$covariate_columns)) columns$covariates_in <- "x"
  find_panel(arguments, asked, options, columns, match.call())
}

find_panel <- function(arguments, asked, options, columns, call) {
  call[[1L]] <- quote(panel)
  arguments$options <- complete(options, arguments$classes)
  found <- run("panel", c(arguments, asked), options$verbose)
  columns$features <- if (is.null(arguments$sparse)) ncol(arguments$x) else length(arguments$sparse$p) - 1L
  panels <- as_panel(found, columns, call)
  if (any(vapply(panels$warnings, function(w) w$name == "not-converged", NA))) {
    warn_of("not_converged", "no grid cell of the fit of all features converged")
  }
  panels
}

# What the library takes of it; columns by name, or by position in x.
panel_options <- function(columns, size, most, must, never, among, cost, normalise, folds, repeats, margin) {
  if (!is_number(margin) || margin < 0) refuse("margin=", quoted(margin), " must be a number, 0 or more")
  if (!is.null(cost) && (!is.numeric(unlist(cost)) || is.null(names(cost)) || anyNA(unlist(cost)))) {
    refuse("cost must be numbers with the names of columns, such as c(CEA = 5)")
  }
  optional <- function(name, value) if (is.null(value)) 0 else whole(name, value, least = 1, or = " or NULL")
  list(
    size = optional("size", size), most = whole("most", most, least = 1), folds = whole("folds", folds, least = 1),
    repeats = optional("repeats", repeats), margin = as.numeric(margin),
    must = as_column_names("must", must, columns), never = as_column_names("never", never, columns),
    among = as_column_names("among", among, columns), normalise = as_column_names("normalise", normalise, columns),
    cost_of = as.character(names(cost)), cost = as.numeric(unlist(cost))
  )
}

as_column_names <- function(argument, wanted, columns) {
  if (!is.numeric(wanted) || is.factor(wanted)) return(as.character(wanted))
  outside <- wanted[is.na(wanted) | wanted < 1 | wanted > length(columns) | wanted != round(wanted)]
  if (length(outside)) {
    refuse(argument, ": column ", outside[1L], " is outside the ", length(columns), " columns of x", kind = "input")
  }
  columns[wanted]
}

as_panel <- function(found, columns, call) {
  summary <- found$summary
  summary$members <- lapply(summary$members, function(member) {
    member["stand_ins"] <- list(rows_of(member$stand_ins)) # NULL where there is none
    member$credible_set <- as.character(unlist(member$credible_set))
    member
  })
  summary$normalise <- as.character(unlist(summary$normalise))
  prices <- rows_of(summary$sizes)
  panels <- structure(list(
    call = call, path = summary$path, panel = summary$path[seq_len(summary$size)], prices = prices,
    whole = summary$whole, suggested = if (is.null(summary$suggested)) NA_integer_ else as.integer(summary$suggested),
    size = as.integer(summary$size), members = summary$members, classifier = NULL,
    notes = unlist(summary$notes), warnings = summary$warnings, summary = summary, columns = columns,
    models = found$models, page = found$page, text = found$text
  ), class = "cavity_panel")
  panels$classifier <- at(panels, panels$size)
  panels
}

at <- function(object, size, ...) UseMethod("at")

at.cavity_panel <- function(object, size, ...) {
  largest <- length(object$path)
  if (!is_number(size) || size != round(size) || size < 1 || size > largest) {
    refuse("size=", quoted(size), ": there are panels of 1 to ", largest, " features")
  }
  fit <- as_fit(run("model_from_bytes", list(bytes = object$models[[size]])), object$call)
  fit$columns <- object$columns[c("covariates_in", "rule")]
  fit$columns$named <- TRUE
  keep_bytes(fit)
}

# A line a feature that could sit in a member's place.
stand_ins <- function(object, ...) UseMethod("stand_ins")

stand_ins.cavity_panel <- function(object, ...) {
  of_member <- function(member) {
    others <- member$stand_ins
    if (!is.null(others)) {
      data.frame(feature = member$name, stand_in = others$name, loss = others$loss, share = others$share)
    }
  }
  found <- do.call(rbind, lapply(object$members, of_member))
  if (!is.null(found)) return(found)
  data.frame(feature = character(), stand_in = character(), loss = numeric(), share = numeric())
}

predict.cavity_panel <- function(object, newx = NULL, ..., newcovariates = NULL) {
  if (is.null(newx)) return(predict.cavity(object$classifier, ...))
  named <- with_names(object, newx, newcovariates)
  predict.cavity(object$classifier, named$x, newcovariates = named$covariates, ...)
}

# Columns that had no names in the search are named as they were counted there.
with_names <- function(object, newx, newcovariates) {
  columns <- object$columns
  if (columns$named) return(list(x = newx, covariates = newcovariates))
  parts <- set_apart(as_table(newx)$x, columns$covariates_at)
  if (NCOL(parts$x) != columns$features) {
    refuse("newx has ", NCOL(parts$x), " columns of features, the panel was searched among ", columns$features,
           kind = "input")
  }
  colnames(parts$x) <- paste0("x", seq_len(columns$features))
  covariates <- if (is.null(parts$covariates)) newcovariates else as.data.frame(parts$covariates)
  list(x = parts$x, covariates = covariates)
}

coef.cavity_panel <- function(object, ...) coef.cavity(object$classifier)

variable.names.cavity_panel <- function(object, ...) variable.names.cavity(object$classifier)

print.cavity_panel <- function(x, ...) {
  cat(x$text)
  invisible(x)
}

summary.cavity_panel <- function(object, ...) {
  shown <- c("size", "adds", "error", "error_interval", "log_loss", "log_loss_se", "auc", "auc_interval",
             "sensitivity", "sensitivity_interval", "specificity", "specificity_interval", "log_loss_more",
             "log_loss_more_se")
  structure(list(call = object$call, text = object$text, notes = object$notes, prices = object$prices[shown],
                 coefficients = coef.cavity_panel(object), stand_ins = stand_ins.cavity_panel(object)),
            class = "summary.cavity_panel")
}

print.summary.cavity_panel <- function(x, ...) {
  cat("call: ", deparse1(x$call), "\n", sep = "")
  cat(x$text)
  known <- vapply(x$prices, function(column) !all(is.na(column)), NA)
  show_table("prices with 95 % intervals", x$prices[known])
  show_table("could stand in", x$stand_ins)
  cat("\nweights of the panel:\n")
  print(x$coefficients, digits = 3)
  cat(sprintf("  - %s\n", x$notes), sep = "")
  invisible(x)
}

# The price of every size: log loss with one standard error, or error with its interval; the fits of all features are a
# line.
plot.cavity_panel <- function(x, which = c("log_loss", "error"), ...) {
  which <- match.arg(which)
  sizes <- x$prices$size
  value <- x$prices[[which]]
  ends <- if (which == "error") x$prices$error_interval else value + outer(x$prices$log_loss_se, c(-1, 1))
  plot(sizes, value, type = "b", pch = 19, ylim = range(ends, value, x$whole[[which]], finite = TRUE),
       xlab = "features in the panel", ylab = if (which == "error") "error" else "log loss",
       main = if (is.na(x$suggested)) "no size is suggested" else paste("suggested:", x$suggested), ...)
  segments(sizes, ends[, 1L], sizes, ends[, 2L])
  abline(h = x$whole[[which]], lty = 2)
  if (!is.na(x$suggested)) abline(v = x$suggested, lty = 3)
  invisible(x)
}

report.cavity_panel <- function(object, file, name = "data", ...) {
  write_page(object$page, file, name, deparse1(object$call))
}
