nobs.cavity <- function(object, ...) as.integer(object$samples)

variable.names.cavity <- function(object, ...) c(unique(object$covariates$columns), object$feature_names)

coef.cavity <- function(object, ...) {
  out <- rbind(object$intercept, object$covariates$weight, object$weight)
  dimnames(out) <- list(c("(Intercept)", object$covariates$terms, object$feature_names),
                        if (length(object$classes) > 2L) object$classes)
  if (length(object$classes) == 2L) out[, 1L] else out
}

print.cavity <- function(x, top = 10, ...) {
  cat(headline(x), sep = "\n")
  shown <- head(inclusion.cavity(x), top)
  shown <- shown[setdiff(names(shown), c("sd", "expected_false", "difference", "t", "q"))]
  if (nrow(shown)) print(shown, digits = 3, row.names = FALSE)
  if (!is.null(x$adaptation)) {
    cat("adapted to another site", paste0("  ", strsplit(x$adaptation_text, "\n")[[1L]]), sep = "\n")
  }
  show_warnings(x)
  invisible(x)
}

percent <- function(share) sprintf("%.1f %%", 100 * share)

headline <- function(x) {
  counts <- table(x$loo_truth)
  kinds <- if (length(x$loo_truth)) paste0(" (", paste(counts, names(counts), collapse = ", "), ")") else ""
  guess <- x$summary$guessing
  chance <- x$summary$permutation
  c(
    sprintf("%d samples%s, %d features", as.integer(x$samples), kinds, length(x$feature_names)),
    if (!is.null(chance$p))
      sprintf("the features %s the classes apart: p = %.2g by %d permutations of the labels",
              if (chance$p < 0.05) "tell" else "are not shown to tell", chance$p, as.integer(chance$permutations)),
    sprintf("leave-one-out error %s +- %s%s, log loss %.3f; solver %s, transform %s",
            percent(x$loo_error), percent(x$loo_error_se),
            if (is.null(guess)) "" else sprintf(" (always guessing %s: %s)", guess$class, percent(guess$error)),
            x$loo_log_loss, x$solver, x$value_transform)
  )
}

show_warnings <- function(x) {
  for (warning in x$warnings) {
    told <- paste0("warning ", warning$name, ": ", warning$text, "; ", warning$cure)
    cat(strwrap(told, width = 110, exdent = 2), sep = "\n")
  }
}

summary.cavity <- function(object, top = 10, ...) {
  s <- object$summary
  out <- list(
    call = object$call, headline = headline(object), notes = object$notes, warnings = object$warnings,
    grid = object$grid,
    accuracy = accuracy_table(object$questions), balanced_accuracy = or_missing(s$balanced_accuracy),
    brier = or_missing(s$brier), loo_error_interval = object$loo_error_interval,
    confusion = table(truth = object$loo_truth, predicted = predict.cavity(object, type = "class")),
    features = head(inclusion.cavity(object), top), credible_sets = credible_sets.cavity(object),
    covariates = question_rows(object$questions, "covariates"), covariates_alone = s$covariates_alone,
    loo_check = question_rows(object$questions, "loo_check", list)
  )
  structure(out, class = "summary.cavity")
}

# Records of every question as one data frame, with the class that is asked for; NULL where there are none.
question_rows <- function(questions, key, as_records = identity) {
  do.call(rbind, lapply(questions, function(question) {
    if (length(question[[key]])) cbind(class = question$class, rows_of(as_records(question[[key]])))
  }))
}

# Each class against the others, left out.
accuracy_table <- function(questions) {
  one <- function(question) {
    numbers <- lapply(question[c("loo_error", "loo_log_loss", "sensitivity", "specificity", "auc", "auc_se")], or_missing)
    names(numbers) <- c("loo_error", "loo_log_loss", "sensitivity", "specificity", "auc", "auc_se")
    data.frame(class = question$class, numbers)
  }
  do.call(rbind, lapply(questions, one))
}

print.summary.cavity <- function(x, ...) {
  if (!is.null(x$call)) cat("call: ", deparse1(x$call), "\n", sep = "")
  cat(x$headline, sep = "\n")
  cat(sprintf("  - %s\n", x$notes), sep = "")
  cat("\nleave-one-out, rows are the truth:\n")
  print(x$confusion)
  ends <- x$loo_error_interval
  if (!anyNA(ends)) cat(sprintf("error between %s and %s (95 %%)\n", percent(ends[1L]), percent(ends[2L])))
  cat(sprintf("balanced accuracy %.3f, Brier score %.3f\n", x$balanced_accuracy, x$brier))
  show_table("each class against the others, left out", x$accuracy)
  cells <- c("class", "density", "noise", "width", "loo_error", "loo_log_loss", "weight", "status")
  show_table("grid", x$grid[, intersect(cells, names(x$grid))])
  show_table("features", x$features)
  show_table("credible sets", x$credible_sets)
  show_table("covariates, always kept", x$covariates)
  show_table("leave-one-out against refits", x$loo_check)
  show_warnings(x)
  invisible(x)
}

show_table <- function(title, table) {
  if (is.null(table) || nrow(table) == 0L) return(invisible())
  cat("\n", title, ":\n", sep = "")
  print(table, digits = 3, row.names = FALSE)
}
