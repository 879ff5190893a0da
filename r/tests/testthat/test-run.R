test_that("options are those of Python, except for its covariates", {
  expect_identical(setdiff(names(formals(cavity_options)), "..."),
                   setdiff(python_arguments("_classifier.py", skip = 2), "covariates"))
})

test_that("options that make no sense are refused", {
  expect_error(quick(solver = "magic"), "solver='magic' is unknown: use one of 'auto'", class = "cavity_usage_error")
  expect_error(cavity(toy$x, classes, density = "all"), "density='all' is unknown", class = "cavity_usage_error")
  expect_error(cavity(toy$x, classes, density = 2), "density", class = "cavity_usage_error")
  expect_error(quick(max_iter = 0), "max_iter=0 must be", class = "cavity_usage_error")
  expect_error(quick(tol = -1), "tol=-1 must be", class = "cavity_usage_error")
  expect_error(quick(n_jobs = 0), "n_jobs=0 must be", class = "cavity_usage_error")
  expect_error(quick(weights = 1:80), "has no weights", class = "cavity_usage_error")
  expect_error(quick(class_weight = c(1, 2)), "has no class_weight.*class_prior", class = "cavity_usage_error")
  expect_error(quick(lambda = 1), "unknown argument 'lambda'", class = "cavity_usage_error")
  expect_error(quick(class_prior = c(0.5, 0.6)), "sum 1", class = "cavity_usage_error")
  expect_s3_class(tryCatch(quick(tol = -1), error = identity), "cavity_error")
})

test_that("texts of the library name R's arguments", {
  expect_error(quick(groups = rep(1:40, 2), solver = "amp"), "solver='ep'|groups", class = "cavity_error")
})

test_that("a fit that does not converge warns", {
  expect_warning(fit <- quick(max_iter = 1), class = "cavity_not_converged")
  expect_false(fit$converged)
})

test_that("a class prior moves predictions", {
  rare <- quick(class_prior = c(b = 0.05, a = 0.95))
  expect_true(all(predict(rare, toy$x) < predict(quick(), toy$x)))
  file <- tempfile(fileext = ".cavity")
  write_cavity(rare, file)
  expect_identical(predict(read_cavity(file), toy$x), predict(rare, toy$x))
})

test_that("the answer does not depend on the threads", {
  expect_identical(predict(quick(n_jobs = 2), toy$x), predict(quick(), toy$x))
  expect_identical(predict(quick(), toy$x, n_jobs = -1), predict(quick(), toy$x))
})

test_that("set.seed repeats what is random, and nothing else touches the generator", {
  # 100 sweeps do not converge, which is not what this is about.
  quietly <- function(...) {
    suppressWarnings(quick(toy$x[, 1:20], solver = "gibbs", max_iter = 100, ...))$loo_probability
  }
  set.seed(5)
  first <- quietly()
  second <- quietly()
  set.seed(5)
  expect_identical(quietly(), first)
  expect_false(identical(second, first))
  expect_identical(quietly(random_state = 9), quietly(random_state = 9))
  set.seed(5)
  before <- .Random.seed
  quick()
  expect_identical(.Random.seed, before)
})

test_that("progress is told", {
  seen <- NULL
  watch <- list(show = function(done, all) seen <<- rbind(seen, c(done, all)), close = function() NULL)
  arguments <- training_arguments(toy$x, classes, NULL, NULL)
  arguments$options <- complete(cavity_options(density = c(0.05, 0.1), noise = c(0.02, 0.1)), arguments$classes)
  run("fit", arguments, bar = watch)
  expect_gt(nrow(seen), 0)
  expect_true(all(seen[, 1] <= seen[, 2]))
  broken <- list(show = function(done, all) stop("no bar"), close = function() NULL)
  expect_identical(tryCatch(run("fit", arguments, bar = broken), interrupt = function(condition) "ended"), "ended")
  expect_s3_class(quick(verbose = 1), "cavity")
})

test_that("Ctrl-C ends a fit", {
  skip_on_os("windows")
  # Hours of cells, if nothing ended them.
  endless <- function() quick(density = seq(0.01, 0.9, by = 0.001), noise = 1:40 / 100, solver = "gibbs")
  system(sprintf("(sleep 1; kill -INT %d) &", Sys.getpid()))
  expect_identical(tryCatch(endless(), interrupt = function(condition) "interrupted"), "interrupted")
  expect_true(all(is.finite(predict(quick(), toy$x))))
})

test_that("memory does not grow over 200 fits", {
  skip_if_not(file.exists("/proc/self/status"), "there is no /proc/self/status to read the memory from")
  resident <- function() {
    gc()
    as.numeric(gsub("[^0-9]", "", grep("^VmRSS", readLines("/proc/self/status"), value = TRUE))) / 1024
  }
  wide <- simulate_teacher(40, 3000, teacher = 0.01, seed = 2)
  fit_once <- function() predict(cavity(wide$x, wide$y, density = 0.1, noise = 0.05, value_transform = "none"), wide$x)
  for (i in 1:20) fit_once()
  before <- resident()
  for (i in 1:200) fit_once()
  # A fit that stays is 1 MB and more.
  expect_lt(resident() - before, 20)
})
