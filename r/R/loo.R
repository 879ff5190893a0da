loo <- function(x, ...) UseMethod("loo")

# Attached after the loo package, this generic hides that one: what is not ours goes on to it. It is not called
# loo.default, because loo::loo looks for methods where it is called first, and would come back.
loo_elsewhere <- function(x, ...) {
  if (requireNamespace("loo", quietly = TRUE)) return(loo::loo(x, ...))
  refuse("there is no leave-one-out of an object of class ", class(x)[1L])
}

loo.cavity <- function(x, ...) {
  if (length(x$loo_truth) == 0L) refuse("this model does not hold the leave-one-out probabilities of its samples")
  probability <- left_out(x)[cbind(seq_along(x$loo_truth), as.integer(x$loo_truth))]
  elpd <- log(pmax(probability, 1e-300))
  pointwise <- cbind(elpd_loo = elpd, looic = -2 * elpd)
  n <- nrow(pointwise)
  estimates <- cbind(Estimate = colSums(pointwise), SE = sqrt(n * apply(pointwise, 2, stats::var)))
  structure(list(estimates = estimates, pointwise = pointwise), dims = c(1L, n), class = c("cavity_loo", "loo"))
}

print.cavity_loo <- function(x, digits = 1, ...) {
  cat(sprintf("leave-one-out of %d samples\n", nrow(x$pointwise)))
  print(round(x$estimates, digits))
  invisible(x)
}
