# Sixty columns whose names do not count up, as a matrix; two classes and three.
wide <- toy$x[, 1:60]
colnames(wide) <- paste0("g", 3 * (0:59))
score <- toy$x[, 5] - toy$x[, 10]
labels <- list(two = ifelse(score > 0, "yes", "no"), three = as.character(cut(score, c(-Inf, -0.8, 0.8, Inf), 0:2)))

panel_of <- function(x = wide, y = labels$two, ..., most = 4, folds = 3) {
  panel(x, y, ..., most = most, folds = folds, density = 0.1, noise = 0.05)
}

for (which in names(labels)) {
  test_that(paste("panels are those of the command line:", which), {
    data <- write_table(wide, labels[[which]])
    model <- tempfile(fileext = ".cavity")
    said <- command_json("panel", data, "--density", "0.1", "--noise", "0.05", "--most", "4", "--folds", "3",
                         "--size", "3", "-o", model)
    found <- panel_of(y = labels[[which]], size = 3)
    expect_said(found$summary[setdiff(names(said), c("sizes", "notes", "warnings"))],
                said[setdiff(names(said), c("sizes", "notes", "warnings"))])
    expect_said(found$prices, said$sizes)
    expect_identical(found$path, unlist(said$path))
    expect_identical(found$panel, found$path[1:3])
    expect_equal(found$suggested, if (is.null(said$suggested)) NA_integer_ else said$suggested)
    written <- predict(read_cavity(model), wide[, found$panel], type = "prob")
    expect_identical(predict(found, wide, type = "prob"), written)
    expect_identical(predict(found, wide[, 60:1]), predict(read_cavity(model), wide))
  })
}

test_that("colon's panels are Python's to the last digit", {
  python <- python_with_cavity()
  colon <- read_data("colon")
  script <- tempfile(fileext = ".py")
  writeLines(c(
    "import cavity, pandas, sys",
    "table = pandas.read_csv(sys.argv[1])",
    "X = table.drop(columns='label')",
    "panel = cavity.Panel(cavity.SparseBayesClassifier(density=0.01, noise=0.1), size=2, most=3, folds=3)",
    "panel.fit(X, table['label'])",
    "numbers = [panel.prices_[name] for name in ('error', 'log_loss', 'auc', 'log_loss_more_se')]",
    "print(*panel.path_, *(repr(float(v)) for v in [*numbers[0], *numbers[1], *numbers[2], *numbers[3]]))",
    "print(*(repr(float(v)) for v in panel.predict_proba(X)[:, 1]))"
  ), script)
  lines <- strsplit(system2(python, shQuote(c(script, colon$file)), stdout = TRUE), " ")
  found <- panel(colon$x, colon$y, size = 2, most = 3, folds = 3, density = 0.01, noise = 0.1)
  expect_identical(found$path, lines[[1]][1:3])
  expect_identical(unlist(found$prices[c("error", "log_loss", "auc", "log_loss_more_se")], use.names = FALSE),
                   as.numeric(lines[[1]][-(1:3)]))
  expect_identical(unname(predict(found, colon$x)), as.numeric(lines[[2]]))
})

test_that("a panel is a model of few features, of any size", {
  found <- panel_of(size = 2)
  expect_setequal(found$panel, c("g12", "g27"))
  expect_identical(variable.names(found), found$panel)
  expect_identical(names(coef(found)), c("(Intercept)", found$panel))
  right <- predict(found, wide, type = "class") == labels$two
  expect_gt(mean(right), 0.85)
  expect_length(predict(found), 80)
  expect_identical(predict(found, as.data.frame(wide)[found$panel]), predict(found, as.data.frame(wide)))
  one <- at(found, 1)
  expect_identical(one$feature_names, found$path[1])
  expect_gt(one$loo_log_loss, found$classifier$loo_log_loss)
  file <- tempfile()
  saveRDS(found, file)
  again <- readRDS(file)
  expect_identical(predict(again, wide), predict(found, wide))
  expect_identical(predict(at(again, 1), wide), predict(one, wide))
  write_cavity(found$classifier, file)
  expect_identical(predict(read_cavity(file), wide), predict(found, wide))
  expect_error(at(found, 5), "panels of 1 to 4", class = "cavity_usage_error")
})

test_that("a sparse matrix, columns without names, a formula and covariates are taken", {
  found <- panel_of(size = 2)
  bare <- panel_of(unname(wide), size = 2)
  expect_identical(bare$panel, paste0("x", as.integer(sub("g", "", found$panel)) / 3 + 1))
  expect_identical(unname(predict(bare, unname(wide))), unname(predict(found, wide)))
  expect_error(predict(bare, unname(wide[, 1:9])), "searched among 60", class = "cavity_input_error")
  frame <- data.frame(wide, class = labels$two, sex = rep(c("f", "m"), 40))
  by_formula <- panel(class ~ ., frame[1:61], size = 2, most = 4, folds = 3, density = 0.1, noise = 0.05)
  expect_identical(predict(by_formula, frame), predict(found, wide))
  expect_identical(by_formula$classifier$label_name, "class")
  with_sex <- panel_of(frame[setdiff(names(frame), "class")], covariates = "sex", size = 1)
  expect_identical(variable.names(with_sex), c("sex", with_sex$panel))
  expect_false(identical(predict(with_sex, frame), predict(with_sex, transform(frame, sex = "f"))))
  at_place <- panel_of(unname(cbind(wide, rep(1:2, 40))), covariates = 61, size = 1)
  expect_length(predict(at_place, unname(cbind(wide, rep(1:2, 40)))), 80)
  thin <- replace(wide, abs(wide) < 1.8, 0)
  sparse <- Matrix::Matrix(thin, sparse = TRUE)
  expect_s4_class(sparse, "dgCMatrix")
  of_sparse <- panel(sparse, labels$two, most = 2, size = 1, folds = 3, density = 0.5, noise = 0.2)
  expect_equal(predict(of_sparse, sparse), predict(of_sparse, thin), tolerance = 1e-12)
})

test_that("must, never, among, cost and normalise are heard", {
  found <- panel_of(must = "g0", never = 10, cost = c(g3 = 5), normalise = list("g6", "g15"))
  expect_identical(found$path[1], "g0")
  expect_false(any(c("g27", "g6", "g15") %in% found$path))
  expect_identical(found$summary$normalise, c("g6", "g15"))
  expect_setequal(variable.names(found), c(found$panel, "g6", "g15"))
  shifted <- wide + 1:80 # a ratio does not see how much of a sample was taken
  expect_equal(predict(found, shifted), predict(found, wide), tolerance = 1e-4)
  expect_setequal(panel_of(among = c("g12", "g27", "g0"), most = 3)$path, c("g12", "g27", "g0"))
  dear <- panel_of(cost = list(g12 = 1000))
  expect_false("g12" %in% dear$path)
  expect_identical(dear$prices$cost, as.numeric(1:4))
})

test_that("print, summary, plot and the page say what was found", {
  found <- panel_of(size = 2)
  data <- write_table(wide, labels$two)
  said <- command_line("panel", data, "--density", "0.1", "--noise", "0.05", "--most", "4", "--folds", "3",
                       "--size", "2")
  cures <- function(lines) grep("^  cure:", lines, invert = TRUE, value = TRUE) # they name options
  expect_identical(cures(capture.output(print(found))), cures(said))
  expect_output(print(summary(found)), "error_interval.low")
  expect_named(stand_ins(found), c("feature", "stand_in", "loss", "share"))
  close <- panel_of(cbind(wide, twin = wide[, "g12"] + 1e-3 * wide[, 1]), size = 2)
  expect_true(all(c("g12", "twin") %in% unlist(stand_ins(close)[c("feature", "stand_in")])))
  pdf(NULL)
  on.exit(dev.off())
  expect_identical(plot(found), found)
  expect_identical(plot(found, which = "error"), found)
  file <- tempfile(fileext = ".html")
  tryCatch(report(found, file, name = "toy panel"), cavity_usage_error = conditionMessage)
  skip_if(!file.exists(file), "this build has no report page: it was made without npm")
  page <- readChar(file, file.size(file), useBytes = TRUE)
  expect_match(page, "toy panel", fixed = TRUE, useBytes = TRUE)
})

test_that("where nothing is shown no size is suggested", {
  set.seed(3)
  none <- panel_of(y = sample(labels$two))
  expect_identical(none$suggested, NA_integer_)
  expect_output(print(none), "no size is suggested")
})

test_that("arguments are those of Python", {
  expect_identical(setdiff(names(formals(panel.default)), c("x", "y", "groups", "covariates", "...")),
                   python_arguments("_panel.py", skip = 3))
})

test_that("what cannot be is said", {
  refused <- function(..., class = "cavity_error") expect_error(panel_of(...), class = class)
  expect_match(conditionMessage(refused(must = "nobody")), "must.*not in the data: 'nobody'")
  expect_match(conditionMessage(refused(must = c("g0", "g3"), size = 1)), "must.* names 2 features, and a panel of 1")
  expect_match(conditionMessage(refused(never = 1:60)), "no feature is left to choose from")
  expect_match(conditionMessage(refused(normalise = "nobody")), "normalise.*not in the data: 'nobody'")
  expect_match(conditionMessage(refused(must = "g0", never = "g0")), "stands in .*must.* and in .*never")
  expect_match(conditionMessage(refused(must = 61, class = "cavity_input_error")), "outside the 60 columns")
  expect_match(conditionMessage(refused(size = 9)), "a panel of 9")
  expect_match(conditionMessage(refused(size = 0, class = "cavity_usage_error")), "size=0")
  expect_match(conditionMessage(refused(margin = -1, class = "cavity_usage_error")), "margin=-1")
  expect_match(conditionMessage(refused(cost = c(g0 = -1))), "price.*positive")
  expect_match(conditionMessage(refused(cost = 5, class = "cavity_usage_error")), "names of columns")
  expect_match(conditionMessage(refused(scale = "whiten")), "whiten")
  expect_match(conditionMessage(refused(lambda = 1, class = "cavity_usage_error")), "unknown argument 'lambda'")
  expect_match(conditionMessage(refused(y = rep("yes", 80))), "only one class")
})

test_that("every fold is told", {
  seen <- NULL
  watch <- list(show = function(done, all) seen <<- rbind(seen, c(done, all)), close = function() NULL)
  arguments <- training_arguments(wide, labels$two, NULL, NULL)
  arguments$options <- complete(cavity_options(density = 0.1, noise = 0.05), arguments$classes)
  asked <- panel_options(colnames(wide), NULL, 2, NULL, NULL, NULL, NULL, NULL, 3, NULL, 0.02)
  run("panel", c(arguments, asked), bar = watch)
  expect_identical(seen[nrow(seen), ], c(3, 3))
})
