# A model for parsnip, registered when parsnip is loaded.
sparse_bayes <- function(mode = "classification", engine = "cavity", density = NULL, noise = NULL) {
  if (!requireNamespace("parsnip", quietly = TRUE)) refuse("sparse_bayes() needs the package parsnip")
  if (!identical(mode, "classification")) refuse("mode=", quoted(mode), " is unknown: use 'classification'")
  args <- list(density = rlang::enquo(density), noise = rlang::enquo(noise))
  parsnip::new_model_spec("sparse_bayes", args = args, eng_args = NULL, mode = mode, method = NULL, engine = engine)
}

register_parsnip <- function(...) {
  known <- parsnip::get_model_env()
  if ("sparse_bayes" %in% known$models) return(invisible())
  parsnip::set_new_model("sparse_bayes")
  parsnip::set_model_mode("sparse_bayes", "classification")
  parsnip::set_model_engine("sparse_bayes", "classification", "cavity")
  parsnip::set_dependency("sparse_bayes", "cavity", "cavity")
  for (name in c("density", "noise")) {
    parsnip::set_model_arg("sparse_bayes", "cavity", name, name, list(pkg = "cavity", fun = "cavity_options"),
                           has_submodel = FALSE)
  }
  parsnip::set_fit("sparse_bayes", "classification", "cavity", list(
    interface = "data.frame", protect = c("x", "y"), func = c(pkg = "cavity", fun = "cavity"), defaults = list()
  ))
  parsnip::set_encoding("sparse_bayes", "classification", "cavity", list(
    predictor_indicators = "traditional", compute_intercept = TRUE, remove_intercept = TRUE, allow_sparse_x = FALSE
  ))
  parsnip::set_pred("sparse_bayes", "classification", "cavity", "class", list(
    pre = NULL, post = NULL, func = c(fun = "predict"),
    args = list(object = quote(object$fit), newx = quote(new_data), type = "class")
  ))
  parsnip::set_pred("sparse_bayes", "classification", "cavity", "prob", list(
    pre = NULL, post = probability_columns, func = c(fun = "predict"),
    args = list(object = quote(object$fit), newx = quote(new_data), type = "response")
  ))
}

probability_columns <- function(result, object) {
  out <- if (is.matrix(result)) result else cbind(1 - result, result)
  setNames(as.data.frame(out), object$lvl)
}
