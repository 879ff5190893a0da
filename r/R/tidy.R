# For broom and its like: registered when the generics package is there.
tidy.cavity <- function(x, ...) {
  one <- function(k) {
    table <- of_question(x, k)
    data.frame(class = table$class, term = table$feature, estimate = table$weight, std.error = table$sd,
               inclusion = table$inclusion)
  }
  do.call(rbind, lapply(seq_along(x$questions), one))
}

glance.cavity <- function(x, ...) {
  s <- x$summary
  data.frame(nobs = nobs.cavity(x), features = length(x$feature_names), classes = length(x$classes), solver = x$solver,
             loo.error = x$loo_error, loo.error.se = x$loo_error_se, loo.log.loss = x$loo_log_loss,
             balanced.accuracy = or_missing(s$balanced_accuracy), brier = or_missing(s$brier),
             converged = x$converged)
}

augment.cavity <- function(x, data = NULL, newdata = NULL, ...) {
  probability <- predict.cavity(x, newdata)
  out <- newdata
  if (is.null(out)) out <- data
  out <- if (is.null(out)) data.frame(.truth = x$loo_truth) else as.data.frame(out)
  out$.fitted <- if (is.matrix(probability)) unname(apply(probability, 1L, max)) else unname(probability)
  out$.class <- unname(predict.cavity(x, newdata, type = "class"))
  out
}
