learning_curve <- function(features, density, noise, samples, activation = "step") {
  asked <- truth(features, density, noise, activation)
  if (!is.numeric(samples) || length(samples) == 0L || anyNA(samples)) refuse("samples must be numbers of samples")
  as.data.frame(run("learning_curve", c(asked, list(samples = as.numeric(samples)))))
}

plan_study <- function(features, density, noise, target_error = NULL, samples = NULL, activation = "step") {
  if (is.null(target_error) == is.null(samples)) {
    refuse("give one of target_error (how many samples?) and samples (what error?)")
  }
  asked <- truth(features, density, noise, activation)
  asked$target_error <- if (!is.null(target_error)) positive("target_error", target_error)
  asked$samples <- if (!is.null(samples)) positive("samples", samples)
  plan <- run("plan", asked)
  if (!plan$reachable) plan[c("samples", "ratio", "error_sbc", "error_gibbs")] <- NA_real_
  structure(plan, class = "cavity_plan", features = features, target_error = target_error)
}

truth <- function(features, density, noise, activation) {
  list(features = positive("features", features), density = positive("density", density), noise = as.numeric(noise),
       activation = one_of("activation", activation, c("step", "probit", "logistic")))
}

print.cavity_plan <- function(x, ...) {
  if (x$reachable) {
    cat(sprintf("%s samples of %s features: error %s on new samples; with any number of samples %s\n",
                format(ceiling(x$samples)), format(attr(x, "features")), percent(x$error_sbc), percent(x$best_error)))
  } else {
    cat(sprintf("no number of samples reaches an error of %s: the best is %s\n",
                percent(attr(x, "target_error")), percent(x$best_error)))
  }
  invisible(x)
}

simulate_teacher <- function(n_samples, n_features, teacher = 0.1, noise = 0, seed = 1) {
  made <- run("simulate", list(
    samples = whole("n_samples", n_samples, least = 1), features = whole("n_features", n_features, least = 1),
    teacher = positive("teacher", teacher), noise = as.numeric(noise), seed = whole("seed", seed, least = 0)
  ))
  colnames(made$x) <- made$feature_names
  made[c("x", "y", "teacher")]
}
