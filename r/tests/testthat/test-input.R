test_that("classes may be factors, logical, text or numbers", {
  expected <- unname(predict(quick(), toy$x))
  expect_identical(unname(predict(quick(y = factor(classes)), toy$x)), expected)
  expect_identical(unname(predict(quick(y = toy$y > 0), toy$x)), expected)
  expect_identical(unname(predict(quick(y = toy$y), toy$x)), expected)
  turned <- quick(y = factor(classes, levels = c("b", "a")))
  expect_identical(turned$classes, c("b", "a"))
  expect_equal(unname(predict(turned, toy$x)), 1 - expected, tolerance = 1e-6)
  unused <- quick(y = factor(classes, levels = c("a", "b", "never")))
  expect_identical(unused$classes, c("a", "b"))
})

test_that("a data frame, a matrix of integers and one of doubles are one table", {
  counts <- round(10 * toy$x)
  whole <- counts
  storage.mode(whole) <- "integer"
  expected <- predict(quick(counts), counts)
  expect_identical(predict(quick(whole), whole), expected)
  expect_identical(predict(quick(as.data.frame(counts)), as.data.frame(counts)), expected)
  whole[3, 4] <- NA
  counts[3, 4] <- NA
  expect_identical(predict(quick(whole), whole), predict(quick(counts), counts))
})

test_that("a sparse matrix stays sparse, and gives what the command line gives", {
  thin <- toy$x
  thin[abs(thin) < 1.8] <- 0
  colnames(thin) <- paste0("f", 1:120)
  sparse <- Matrix::Matrix(thin, sparse = TRUE)
  expect_s4_class(sparse, "dgCMatrix")
  expect_named(read_features(sparse, NULL), c("sparse", "feature_names", "covariates"), ignore.order = TRUE)
  fit <- quick(sparse, toy$y, density = 0.5, noise = 0.2)
  expect_equal(predict(fit, thin), predict(fit, sparse), tolerance = 1e-12)
  by_rows <- quick(as(sparse, "RsparseMatrix"), toy$y, density = 0.5, noise = 0.2)
  expect_equal(predict(by_rows, sparse), predict(fit, sparse), tolerance = 1e-12)
  row <- function(i) {
    at <- which(thin[i, ] != 0)
    paste(toy$y[i], paste0(at, ":", all_digits(thin[i, at]), collapse = " "))
  }
  data <- tempfile(fileext = ".svm")
  writeLines(vapply(1:80, row, ""), data)
  expected <- cli_fit(data, "--density", "0.5", "--noise", "0.2")
  expect_lte(max(abs(predict(fit, sparse) - expected$probability)), 1e-12)
  expect_lte(max(abs(predict(read_cavity(expected$model), sparse) - expected$probability)), 1e-12)
  expect_type(read_features(Matrix::Matrix(toy$x), NULL)$x, "double")
})

test_that("missing values take the mean, infinite ones and text are refused", {
  holes <- toy$x
  holes[cbind(1:20, 1:20)] <- NA
  fit <- quick(holes)
  expect_true(all(is.finite(predict(fit, holes))))
  holes[5, 7] <- Inf
  expect_error(quick(holes), "row 5, column 'x7' of x is Inf", class = "cavity_input_error")
  text <- data.frame(a = letters[1:4], b = 1:4)
  expect_error(quick(text, c(1, 2, 1, 2)), "column 'a' of x holds character", class = "cavity_input_error")
  expect_error(quick(matrix("u", 4, 2), c(1, 2, 1, 2)), "holds text, such as 'u'", class = "cavity_input_error")
  expect_error(quick(1:4, c(1, 2, 1, 2)), "x must be a matrix", class = "cavity_input_error")
})

test_that("labels that cannot be used are refused", {
  expect_error(quick(y = rep("a", 80)), "only one class: 'a'", class = "cavity_input_error")
  expect_error(quick(y = replace(classes, 9, NA)), "1 of 80 labels are missing, the first in row 9",
               class = "cavity_input_error")
  expect_error(quick(y = classes[-1]), "y 79 labels", class = "cavity_input_error")
  expect_error(quick(t(toy$x)), "pass t\\(x\\)", class = "cavity_input_error")
  expect_error(quick(y = seq(0, 1, length.out = 80)), "not a measurement", class = "cavity_input_error")
})

test_that("columns of new data are found by name", {
  fit <- quick()
  expected <- predict(fit, toy$x)
  expect_identical(predict(fit, toy$x[, 120:1]), expected)
  expect_identical(predict(fit, cbind(extra = 1, toy$x)), expected)
  expect_identical(predict(fit, data.frame(toy$x, note = "text")), expected)
  told <- predict(fit, toy$x[, -(3:5)])  # absent columns are told by the others
  expect_gt(cor(told, expected), 0.9)
  unknown <- toy$x
  colnames(unknown)[7] <- "other"
  expect_gt(cor(predict(fit, unknown), expected), 0.9)
  expect_error(predict(fit, toy$x[, 118:119]), "features are not in the data", class = "cavity_input_error")
  expect_identical(predict(fit, unname(toy$x)), expected)
  expect_error(predict(fit, unname(toy$x[, -1])), "119 columns", class = "cavity_input_error")
  expect_length(predict(fit, toy$x[0, ]), 0)
  expect_equal(predict(fit, toy$x[5, ]), expected[5], tolerance = 1e-12)
  twice <- toy$x
  colnames(twice)[2] <- "x1"
  expect_error(quick(twice), "two columns of x are called 'x1'", class = "cavity_input_error")
  without_names <- quick(unname(toy$x))
  expect_identical(predict(without_names, toy$x), expected)
})

test_that("covariates come as columns, positions or a table", {
  frame <- data.frame(toy$x, sex = rep(c("f", "m"), 40), age = seq(20, 59.5, by = 0.5))
  by_name <- quick(frame, covariates = c("sex", "age"))
  expected <- predict(by_name, frame)
  by_table <- quick(toy$x, covariates = frame[c("sex", "age")])
  expect_identical(predict(by_table, toy$x, newcovariates = frame[c("sex", "age")]), expected)
  expect_identical(predict(quick(frame, covariates = 121:122), frame), expected)
  expect_identical(names(coef(by_name))[1:3], c("(Intercept)", "sex=m", "age"))
  expect_length(coef(by_name), 123)
  expect_error(predict(by_table, toy$x), "newcovariates is missing", class = "cavity_input_error")
  expect_error(quick(frame, covariates = "height"), "'height' is not a column", class = "cavity_input_error")
  expect_error(quick(frame, covariates = 200), "outside the 122 columns", class = "cavity_input_error")
  expect_error(quick(toy$x, covariates = frame[1:3, "sex", drop = FALSE]), "have 3 rows, x has 80",
               class = "cavity_input_error")
})

test_that("a formula asks for columns", {
  soft <- function(...) quick(..., density = 0.5, noise = 0.2)
  x <- toy$x[, 1:30]
  frame <- data.frame(x, class = classes, patient = rep(1:40, 2), sex = factor(rep(c("f", "m"), 40)))
  fit <- soft(class ~ ., frame[1:31])
  expect_identical(predict(fit, frame), predict(soft(x), x))
  expect_identical(fit$label_name, "class")
  grouped <- soft(class ~ ., frame, groups = "patient", covariates = "sex")
  expect_identical(grouped$summary$sample_groups, 40)
  expect_identical(variable.names(grouped), c("sex", paste0("x", 1:30)))
  by_hand <- soft(x, groups = frame$patient, covariates = frame["sex"])
  expect_identical(predict(grouped, frame), predict(by_hand, x, newcovariates = frame["sex"]))
  asked <- quick(class ~ x1 + log(abs(x2)) + sex - 1, frame, density = 0.5, noise = 0.4)
  expect_identical(variable.names(asked), c("x1", "log(abs(x2))", "sexm"))
  expect_true(all(is.finite(predict(asked, frame[1:3, ]))))
  expect_error(cavity(~ x1, frame), "left side", class = "cavity_usage_error")
  expect_error(cavity(class ~ x1), "data must be a data frame", class = "cavity_input_error")
})

test_that("samples of a group are left out together", {
  twice <- rbind(toy$x, toy$x)
  alone <- quick(twice, c(classes, classes))
  grouped <- quick(twice, c(classes, classes), groups = rep(1:80, 2))
  expect_lt(alone$loo_error, grouped$loo_error)
  expect_error(quick(groups = 1:3), "each of the 80 samples", class = "cavity_input_error")
})

test_that("numbers of samples in order of class are warned of", {
  noise <- simulate_teacher(40, 30, teacher = 0.1, noise = 0.4, seed = 3)
  y <- rep(c("n", "t"), each = 20)
  warned <- function(x) "ids-among-features" %in% vapply(suppressWarnings(quick(x, y))$warnings, function(w) w$name, "")
  colnames(noise$x) <- paste0("g", 1:30)
  expect_true(warned(cbind(patient = 1000 + 7 * 1:40, noise$x)))
  expect_true(warned(data.frame(row = 1:40, noise$x)))
  expect_false(warned(noise$x))
})
