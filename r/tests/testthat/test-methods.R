test_that("more classes have probabilities that sum to 1", {
  three <- cut(rank(toy$x[, 1]), 3, labels = c("low", "middle", "high"))
  fit <- quick(y = three)
  p <- predict(fit, toy$x)
  expect_identical(colnames(p), c("low", "middle", "high"))
  expect_equal(rowSums(p), rep(1, 80), tolerance = 1e-12)
  expect_identical(unname(predict(fit, toy$x, type = "class")), factor(colnames(p)[max.col(p)], colnames(p)))
  expect_identical(dim(coef(fit)), c(121L, 3L))
  expect_identical(inclusion(fit)$feature[1], "x1")
  low <- inclusion(fit, class = "low")
  expect_identical(low$inclusion, sort(fit$inclusion[, 1], decreasing = TRUE))
  expect_identical(unique(low$class), "low")
  expect_identical(dim(fitted(fit)), c(80L, 3L))
  expect_output(print(fit), "3|leave-one-out")
  expect_equal(loo(fit)$estimates["elpd_loo", "Estimate"], -80 * fit$loo_log_loss, tolerance = 1e-8)
})

test_that("a fit has one shape for any number of classes", {
  kinds <- function(fit) vapply(unclass(fit), function(value) paste(class(value), collapse = " "), "")
  two <- quick(check_loo = 2)
  four <- quick(y = paste0(classes, toy$x[, 1] > 0), check_loo = 2)
  parts <- setdiff(names(two), c("state", "bytes", "call"))
  expect_identical(kinds(two)[parts], kinds(four)[parts])
  expect_identical(names(two$summary), names(four$summary))
  expect_identical(lengths(list(two$questions, four$questions)), c(1L, 4L))
  for (question in four$questions) expect_identical(names(question), names(two$questions[[1]]))
  expect_identical(names(two$grid), names(four$grid))
  expect_identical(names(two$chosen), names(two$grid))
  expect_identical(names(inclusion(two)), names(inclusion(four)))
  expect_identical(lapply(list(two, four), function(fit) dim(fit$loo_probability)), list(c(80L, 2L), c(80L, 4L)))
  told <- lapply(list(two, four), summary)
  expect_identical(names(told[[1]]), names(told[[2]]))
  expect_identical(names(told[[1]]$accuracy), names(told[[2]]$accuracy))
  expect_identical(told[[2]]$accuracy$class, four$classes)
  for (k in 1:4) {
    p <- four$loo_probability[, k]
    expect_equal(told[[2]]$accuracy$sensitivity[k], mean(p[four$loo_truth == four$classes[k]] >= 0.5))
  }
  expect_identical(names(told[[1]]$loo_check), names(told[[2]]$loo_check))
  expect_output(print(told[[2]]), "each class against the others")
})

test_that("the types of prediction agree", {
  fit <- quick()
  p <- predict(fit, toy$x)
  expect_equal(pnorm(predict(fit, toy$x, type = "link")), p)
  expect_identical(unname(predict(fit, toy$x, type = "class")), factor(ifelse(p >= 0.5, "b", "a")))
  both <- predict(fit, toy$x, type = "prob")
  expect_identical(colnames(both), fit$classes)
  expect_identical(both[, "b"], p)
  expect_equal(rowSums(both), rep(1, 80), tolerance = 1e-15)
  expect_identical(predict(fit, type = "prob"), fit$loo_probability)
  expect_identical(unname(predict(fit)), unname(fit$loo_probability[, "b"]))
  expect_identical(fitted(fit), predict(fit))
  expect_error(predict(fit, toy$x, s = 1), "unknown argument 's'", class = "cavity_usage_error")
})

test_that("a probit score follows the coefficients", {
  fit <- quick(value_transform = "none")
  score <- drop(cbind(1, toy$x) %*% coef(fit))
  expect_gt(cor(score, predict(fit, toy$x, type = "link")), 0.9)
  sum_of_it <- linear_score(fit)
  value <- drop(toy$x[, sum_of_it$terms$name] %*% sum_of_it$terms$weight) + sum_of_it$intercept
  expect_gt(mean((value > 0) == (predict(fit, toy$x) >= 0.5)), 0.95)
  expect_error(linear_score(quick(value_transform = "rank")), class = "cavity_usage_error")
})

test_that("features are ranked and cut by their false-discovery rate", {
  fit <- quick()
  ranked <- inclusion(fit)
  expect_false(is.unsorted(-ranked$inclusion))
  expect_equal(ranked$expected_false, cumsum(1 - ranked$inclusion))
  few <- inclusion(fit, fdr = 0.3)
  expect_identical(few, head(ranked, nrow(few)))
  expect_lte(few$expected_false[nrow(few)] / nrow(few), 0.3)
  expect_gt(ranked$expected_false[nrow(few) + 1] / (nrow(few) + 1), 0.3)
  expect_error(inclusion(fit, fdr = 2), "between 0 and 1", class = "cavity_usage_error")
})

test_that("credible sets name features that stand in for each other", {
  twin <- cbind(toy$x, twin = toy$x[, 1] + 1e-3 * toy$x[, 2])
  fit <- cavity(twin, toy$x[, 1] > 0, value_transform = "none")
  sets <- credible_sets(fit)
  expect_named(sets, c("set", "class", "feature", "share", "probability", "filled", "weight"))
  expect_true(all(c("x1", "twin") %in% sets$feature[sets$set == 1]))
  expect_identical(nrow(credible_sets(quick())), 0L)
  fit$summary$permutation$shown <- FALSE
  expect_message(none <- credible_sets(fit), "no credible set is given")
  expect_identical(dim(none), c(0L, ncol(sets)))
  expect_no_match(suppressMessages(capture.output(print(summary(fit)))), "credible sets:")
})

test_that("print, summary, nobs and plot say what the fit says", {
  fit <- quick()
  expect_output(print(fit), sprintf("leave-one-out error %.1f %%", 100 * fit$loo_error))
  expect_output(print(summary(fit)), "rows are the truth")
  expect_identical(sum(summary(fit)$confusion), 80L)
  expect_identical(nobs(fit), 80L)
  expect_identical(variable.names(fit), colnames(toy$x))
  pdf(NULL)
  on.exit(dev.off())
  expect_identical(plot(fit), fit)
})

test_that("loo_compare of the loo package takes the fit", {
  skip_if_not_installed("loo")
  sparse <- quick()
  dense <- cavity(toy$x, classes, density = 0.9, noise = 0.2)
  compared <- loo::loo_compare(list(sparse = loo::loo(sparse), dense = loo(dense)))
  expect_identical(rownames(compared)[1], "sparse")
  expect_equal(compared["dense", "elpd_diff"], 80 * (sparse$loo_log_loss - dense$loo_log_loss), tolerance = 1e-8)
  expect_error(loo("nothing of ours"), "no applicable method")
  expect_output(print(loo(dense)), "leave-one-out of 80 samples")
})

test_that("tidiers are found by generics", {
  skip_if_not_installed("generics")
  fit <- quick()
  tidied <- generics::tidy(fit)
  expect_identical(tidied$estimate, unname(coef(fit)[-1]))
  expect_identical(generics::glance(fit)$loo.error, fit$loo_error)
  expect_identical(generics::augment(fit, data = data.frame(id = 1:80))$.fitted, unname(fit$loo_probability[, "b"]))
  expect_identical(generics::augment(fit, newdata = as.data.frame(toy$x))$.fitted, unname(predict(fit, toy$x)))
})

test_that("the model specification of parsnip fits and predicts", {
  skip_if_not_installed("parsnip")
  frame <- data.frame(toy$x, class = factor(classes))
  fitted <- parsnip::fit(sparse_bayes(density = 0.1, noise = 0.05), class ~ ., data = frame)
  expect_equal(stats::predict(fitted, frame, type = "prob")[[2]], unname(predict(quick(), toy$x)))
})

test_that("sparse_bayes says that it needs parsnip", {
  skip_if(requireNamespace("parsnip", quietly = TRUE), "parsnip is there")
  expect_error(sparse_bayes(), "needs the package parsnip", class = "cavity_usage_error")
})

test_that("a fit survives R's own files", {
  fit <- quick()
  file <- tempfile(fileext = ".rds")
  saveRDS(fit, file)
  again <- readRDS(file)
  expect_identical(predict(again, toy$x), predict(fit, toy$x))
  expect_error(report(again, tempfile()), "fit again", class = "cavity_usage_error")
})

test_that("the report is one page with the fit in it", {
  file <- tempfile(fileext = ".html")
  written <- tryCatch(report(quick(), file, name = "toy data"), cavity_usage_error = conditionMessage)
  skip_if(!file.exists(file), "this build has no report page: it was made without npm")
  page <- readChar(file, file.size(file), useBytes = TRUE)
  expect_match(page, "toy data", fixed = TRUE, useBytes = TRUE)
  expect_gt(nchar(page, "bytes"), 1e5)
})

test_that("beside inclusion stands what each feature says alone", {
  fit <- quick(value_transform = "none")
  table <- inclusion(fit)
  for (name in table$feature[c(1, 60, 120)]) {
    found <- t.test(toy$x[classes == "b", name], toy$x[classes == "a", name], var.equal = TRUE)
    row <- table[table$feature == name, ]
    expect_equal(row$t, unname(found$statistic), tolerance = 1e-4)
    expect_equal(row$difference, -unname(diff(found$estimate)), tolerance = 1e-4)
  }
  p <- 2 * pt(-abs(table$t), 78)
  expect_equal(table$q, p.adjust(p, "BH"), tolerance = 1e-6)
  expect_match(fit$summary$methods, "120 features")
})

test_that("no list by a false rate is given where nothing is shown", {
  set.seed(3)
  fit <- quick(y = sample(classes))
  expect_false(fit$summary$permutation$shown)
  expect_message(list <- inclusion(fit, fdr = 0.9), "not shown")
  expect_identical(nrow(list), 0L)
  expect_gt(nrow(inclusion(quick(), fdr = 0.9)), 0L)
})
