# Tables of other packages give what the plain matrix of the same values gives. Genes are in rows there.
genes <- t(round(200 + 40 * toy$x[, 1:40]))
colnames(genes) <- paste0("s", 1:80)
state <- ifelse(toy$x[, 5] - toy$x[, 10] > 0, "b", "a")
sheet <- data.frame(state = state, age = 20 + 1:80, patient = rep(1:40, 2), row.names = colnames(genes))
plain <- quick(t(genes), state)
with_age <- quick(t(genes), state, covariates = sheet["age"])
expected <- predict(plain, t(genes))

expect_same_fits <- function(container) {
  fit <- quick(container, "state")
  expect_identical(predict(fit, container), expected)
  expect_identical(predict(fit, t(genes)), expected)
  expect_identical(predict(plain, container), expected)
  expect_identical(fit$label_name, "state")
  expect_identical(quick(container, state)$loo_error, plain$loo_error)
  aged <- quick(container, "state", covariates = "age")
  expect_identical(predict(aged, container), predict(with_age, t(genes), newcovariates = sheet["age"]))
  expect_identical(quick(container, "state", groups = "patient")$summary$sample_groups, 40)
  found <- validate(fit, container, groups = "patient")
  expect_equal(found$came$error$value, mean((expected >= 0.5) != (state == "b")))
  expect_length(found$by, 40)
  expect_identical(panel(container, "state", most = 2, folds = 2, density = 0.1, noise = 0.05)$path,
                   panel(t(genes), state, most = 2, folds = 2, density = 0.1, noise = 0.05)$path)
  expect_error(quick(container, "verdict"), "'verdict' is no column of the samples' sheet, which has .*state, age",
               class = "cavity_input_error")
}

test_that("lists as edgeR and limma have them are taken", {
  expect_same_fits(list(counts = genes, samples = sheet))
  expect_same_fits(list(E = genes, targets = sheet))
  bare <- list(counts = genes)
  expect_identical(predict(quick(bare, state), bare), expected)
  expect_error(quick(list(1, 2), state), "x is a list", class = "cavity_input_error")
})

test_that("a DGEList of edgeR is taken", {
  skip_if_not_installed("edgeR")
  expect_same_fits(edgeR::DGEList(genes, samples = sheet))
})

test_that("a SummarizedExperiment is taken", {
  skip_if_not_installed("SummarizedExperiment")
  make <- SummarizedExperiment::SummarizedExperiment
  expect_same_fits(make(list(counts = genes), colData = sheet))
  sparse <- Matrix::Matrix(genes * (genes > 255), sparse = TRUE)
  thin <- make(list(counts = sparse), colData = sheet)
  expect_equal(predict(quick(thin, "state", density = 0.5, noise = 0.2), thin),
               predict(quick(Matrix::t(sparse), state, density = 0.5, noise = 0.2), as.matrix(Matrix::t(sparse))))
  two <- make(list(counts = genes, logs = log(genes + 1)), colData = sheet)
  expect_message(fit <- quick(two, "state"), "of the assays counts, logs the first is taken")
  expect_identical(predict(fit, t(genes)), expected)
  expect_error(quick(make(colData = sheet), "state"), "no assay", class = "cavity_input_error")
})

test_that("an ExpressionSet is taken", {
  skip_if_not_installed("Biobase")
  expect_same_fits(Biobase::ExpressionSet(genes, Biobase::AnnotatedDataFrame(sheet)))
})

test_that("an Arrow table is taken", {
  skip_if_not_installed("arrow")
  frame <- as.data.frame(t(genes))
  table <- arrow::arrow_table(frame)
  fit <- quick(table, state)
  expect_identical(unname(predict(fit, table)), unname(expected))
})

test_that("what the package of a container would tell is asked for", {
  skip_if(requireNamespace("arrow", quietly = TRUE), "arrow is there")
  expect_error(quick(structure(list(), class = "ArrowTabular"), state), "install the package arrow",
               class = "cavity_input_error")
})

test_that("dense and sparse forms of Matrix are taken", {
  for (form in list(Matrix::Matrix(t(genes), sparse = FALSE), Matrix::Matrix(t(genes), sparse = TRUE))) {
    expect_identical(predict(quick(form, state), form), expected)
  }
})
