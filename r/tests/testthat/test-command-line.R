# R and the command line are one program: same data, same options, same numbers, same files.

cases <- list(
  default = list(list(), character()),
  evidence = list(list(density = c(0.05, 0.2), noise = 0.1, select = "evidence"),
                  c("--density", "0.05,0.2", "--noise", "0.1", "--select", "evidence")),
  amp = list(list(solver = "amp", density = 0.1, noise = 0.05, value_transform = "rank", random_state = 5),
             c("--solver", "amp", "--density", "0.1", "--noise", "0.05", "--value-transform", "rank", "--seed", "5")),
  probit = list(list(activation = "probit", density = 0.1, scale = "none", fit_intercept = FALSE),
                c("--activation", "probit", "--density", "0.1", "--no-unit-variance", "--no-intercept"))
)

for (name in names(cases)) {
  test_that(paste("the same fit:", name), {
    data <- write_table(toy$x, classes)
    expected <- do.call(cli_fit, as.list(c(data, cases[[name]][[2]])))
    fit <- do.call(cavity, c(list(toy$x, classes), cases[[name]][[1]]))
    expect_lte(max(abs(predict(fit, toy$x) - expected$probability)), 1e-12)
  })
}

test_that("model files are read both ways", {
  data <- write_table(toy$x, classes)
  expected <- cli_fit(data, "--noise", "0.05")
  read <- read_cavity(expected$model)
  expect_lte(max(abs(predict(read, toy$x) - expected$probability)), 1e-12)
  expect_identical(read$classes, c("a", "b"))
  fit <- cavity(toy$x, classes, noise = 0.05)
  file <- tempfile(fileext = ".cavity")
  write_cavity(fit, file)
  expect_lte(max(abs(probabilities(command_line("predict", file, data, "-q")) - predict(fit, toy$x))), 1e-12)
  expect_equal(read$loo_error, fit$loo_error)
  expect_equal(coef(read), coef(fit), tolerance = 0)
})

test_that("colon has the command line's numbers to the last digit", {
  colon <- read_data("colon")
  expected <- cli_fit(colon$file)
  fit <- cavity(colon$x, colon$y)
  expect_identical(unname(predict(fit, colon$x)), expected$probability)
  expect_identical(predict(read_cavity(expected$model), colon$x), predict(fit, colon$x))
})

test_that("colon has Python's numbers to the last digit", {
  python <- python_with_cavity()
  colon <- read_data("colon")
  script <- tempfile(fileext = ".py")
  writeLines(c(
    "import cavity, pandas, sys",
    "table = pandas.read_csv(sys.argv[1])",
    "X = table.drop(columns='label')",
    "probability = cavity.SparseBayesClassifier().fit(X, table['label']).predict_proba(X)[:, 1]",
    "print(*map(repr, map(float, probability)), sep='\\n')"
  ), script)
  expected <- as.numeric(system2(python, shQuote(c(script, colon$file)), stdout = TRUE))
  expect_identical(unname(predict(cavity(colon$x, colon$y), colon$x)), expected)
})

test_that("simulated data are the command line's", {
  file <- tempfile(fileext = ".csv")
  command_line("simulate", "--samples", "30", "--features", "20", "--teacher", "0.2", "--noise", "0.1", "--seed", "4",
               "-o", file)
  made <- read.csv(file)
  drawn <- simulate_teacher(30, 20, teacher = 0.2, noise = 0.1, seed = 4)
  expect_equal(as.matrix(made[colnames(drawn$x)]), drawn$x, tolerance = 1e-7)
  expect_equal(made$label, drawn$y)
})

test_that("files that are not there or no models are told apart", {
  expect_error(read_cavity(file.path(tempdir(), "nothing.cavity")), "nothing.cavity", class = "cavity_io_error")
  file <- tempfile(fileext = ".cavity")
  writeLines("not a model", file)
  expect_error(read_cavity(file), "not a cavity model", class = "cavity_input_error")
  expect_error(write_cavity(quick(), file.path(tempdir(), "no", "such", "folder.cavity")), class = "cavity_io_error")
})
