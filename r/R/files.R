write_cavity <- function(object, file) {
  if (!inherits(object, "cavity")) refuse("write_cavity() takes a fit of cavity()")
  run("write_model", list(model = model_of(object), file = path.expand(file)))
  invisible(object)
}

read_cavity <- function(file) {
  fit <- as_fit(run("read_model", list(file = path.expand(file))), call = NULL)
  named <- !identical(fit$feature_names, paste0("x", seq_along(fit$feature_names)))
  fit$columns <- list(named = named, covariates_in = if (is.null(fit$covariates)) "none" else "x")
  keep_bytes(fit)
}

report <- function(object, ...) UseMethod("report")

report.cavity <- function(object, file, name = "data", ...) {
  command <- if (is.null(object$call)) "" else deparse1(object$call)
  run("report", list(model = model_of(object), file = path.expand(file), name = name, command = command,
                     template = page_template()))
  invisible(file)
}

# A page whose data R has kept.
write_page <- function(page, file, name, command) {
  run("page", list(page = page, file = path.expand(file), name = name, command = command, template = page_template()))
  invisible(file)
}

# The page without data; empty where the package was built without it.
page_template <- function() {
  packed <- gzfile(system.file("page.html.gz", package = "cavity", mustWork = TRUE))
  on.exit(close(packed))
  paste0(readLines(packed, encoding = "UTF-8", warn = FALSE), "\n", collapse = "")
}
