# Two cohorts of one population; g1 to g9 say the same as g0 with some noise.
drawn <- simulate_teacher(110, 40, teacher = 0.03, seed = 5)
people <- drawn$x
colnames(people) <- paste0("g", 0:39)
noise <- simulate_teacher(110, 9, teacher = 0.5, seed = 6)$x
people[, 2:10] <- people[, 1] + 0.4 * noise
state <- ifelse(people[, 1] + 0.3 * people[, 20] > 0, "ill", "well")
here <- 1:60
there <- people[-here, ]
truth <- state[-here]
site <- rep(c("south", "north"), 25)
model <- cavity(people[here, ], state[here], density = c(0.5, 0.1), noise = 0.05, value_transform = "none")

files <- function(...) {
  model_file <- tempfile(fileext = ".cavity")
  write_cavity(model, model_file)
  table <- data.frame(apply(there, 2, all_digits), ..., check.names = FALSE)
  data <- tempfile(fileext = ".csv")
  write.csv(table, data, row.names = FALSE, quote = FALSE)
  c(model_file, data)
}

# What the command line says, with options by the names that they have in R.
in_r <- function(text) {
  sub("--value-transform rank", "value_transform='rank'", sub("--slope", "slope", text, fixed = TRUE), fixed = TRUE)
}

test_that("absent columns and sets of labels are those of the command line", {
  at <- files()
  said <- command_json("predict", at[1], at[2], "--confidence", "0.9")
  told <- predict(model, there, type = "told", confidence = 0.9)
  expect_named(told, c("label", "probability", "explained", "measured", "set", "conformity"))
  expect_said(told$probability, lapply(said$samples, `[[`, "probabilities"))
  expect_said(told$conformity, lapply(said$samples, `[[`, "conformity"))
  expect_said(told$measured, said$measured)
  sets <- lapply(1:50, function(i) as.list(model$classes[told$set[i, ]]))
  expect_identical(sets, lapply(said$samples, `[[`, "set"))
  expect_identical(predict(model, there, type = "set"), told$set)
  expect_identical(unname(told$probability[, 2]), unname(predict(model, there)))
  expect_identical(told$label, predict(model, there, type = "class"))

  part <- there[, -c(1, 21)]
  writeLines(sub("^g0,", "none,", readLines(at[2])), at[2])
  writeLines(sub(",g20,", ",other,", readLines(at[2])), at[2])
  said <- command_json("predict", at[1], at[2])
  expect_message(told <- predict(model, part, type = "told"), "2 of the model's 40 features have no column")
  expect_said(told$measured, said$measured)
  expect_identical(told$measured$absent, c("g0", "g20"))
  expect_said(told$explained, lapply(said$samples, `[[`, "explained"))
  expect_said(told$probability, lapply(said$samples, `[[`, "probabilities"))
  expect_null(told$set)
})

test_that("names written differently are matched when asked", {
  other <- as.data.frame(there)
  names(other) <- paste0(toupper(names(other)), ".2")
  expect_error(predict(model, other), "match", class = "cavity_input_error")
  expect_message(found <- predict(model, other, match = TRUE), "40 features found by match")
  expect_identical(unname(found), unname(predict(model, there)))
})

test_that("little that is measured is a warning, less is refused", {
  expect_error(suppressMessages(predict(model, there[, 31:32])), "not in the data", class = "cavity_input_error")
  holes <- there
  holes[1, 1:38] <- NA
  expect_warning(suppressMessages(predict(model, holes)), "explained by what was measured",
                 class = "cavity_little_measured")
  means <- suppressMessages(predict(model, holes, fill_means = TRUE))
  expect_false(identical(means, suppressWarnings(suppressMessages(predict(model, holes)))))
})

test_that("a validation is that of the command line", {
  at <- files(label = truth, site = site)
  said <- command_json("validate", at[1], at[2], "--by", "site", "--threshold", "0.3,0.7")
  found <- validate(model, there, truth, groups = site, thresholds = c(0.3, 0.7))
  names(said$by) <- vapply(said$by, `[[`, "", "name")
  names(said$questions) <- vapply(said$questions, `[[`, "", "name")
  for (i in seq_along(said$findings)) said$findings[[i]]$cure <- in_r(said$findings[[i]]$cure)
  expect_said(unclass(found), said)
  expect_identical(colnames(found$samples$probabilities), model$classes)
  expect_equal(found$came$error$value, mean(predict(model, there, type = "class") != truth))
  expect_equal(sum(diag(found$confusion)), 50 * (1 - found$came$error$value))
  expect_identical(rownames(found$confusion), model$classes)
  text <- command_line("validate", at[1], at[2], "--by", "site", "--threshold", "0.3,0.7", "-q")
  frame <- data.frame(there, label = truth, site = site)
  named <- validate(model, frame, groups = "site", thresholds = c(0.3, 0.7))
  expect_identical(capture.output(print(named)), in_r(text))
  expect_identical(named$came, found$came)
})

test_that("findings name options as R does", {
  said <- capture.output(print(validate(model, 3 * there + 5, truth)))
  expect_match(said, "fit with value_transform='rank'", fixed = TRUE, all = FALSE)
  expect_no_match(said, "--value-transform", fixed = TRUE)
})

test_that("samples without a known class are left out and counted", {
  found <- validate(model, there, replace(truth, 1:3, c(NA, "other", NA)))
  expect_identical(found$unlabelled, 3)
  expect_identical(found$came$samples, 47)
  expect_identical(is.na(found$samples$truth), 1:50 <= 3)
})

test_that("three classes, covariates and a formula are validated", {
  kind <- cut(people[, 1], c(-Inf, -0.5, 0.5, Inf), c("low", "middle", "high"))
  frame <- data.frame(people, kind = kind, age = seq_len(110))
  fit <- cavity(kind ~ ., frame[here, ], covariates = "age", density = 0.1, noise = 0.05)
  found <- validate(fit, frame[-here, ])
  expect_identical(names(found$questions), c("low", "middle", "high"))
  expect_identical(dim(found$confusion), c(3L, 3L))
  expect_equal(found$came$error$value, mean(predict(fit, frame[-here, ], type = "class") != kind[-here]))
  expect_output(print(found), "do the samples look like the training ones")
})

test_that("a validation has its page", {
  file <- tempfile(fileext = ".html")
  found <- validate(model, there, truth)
  tryCatch(report(found, file, name = "elsewhere"), cavity_usage_error = conditionMessage)
  skip_if(!file.exists(file), "this build has no report page: it was made without npm")
  expect_match(readChar(file, file.size(file), useBytes = TRUE), "elsewhere", fixed = TRUE, useBytes = TRUE)
})

test_that("an adaptation is that of the command line", {
  at <- files(label = truth)
  file <- tempfile(fileext = ".cavity")
  said <- command_json("adapt", at[1], at[2], "--slope", "-o", file)
  before <- predict(model, there)
  moved <- adapt(model, there, truth, slope = TRUE)
  expect_said(moved$adaptation, said)
  expect_identical(predict(moved, there), predict(read_cavity(file), there))
  expect_identical(predict(model, there), before)
  write_cavity(moved, file)
  expect_identical(predict(read_cavity(file), there), predict(moved, there))
  saveRDS(moved, file)
  expect_identical(predict(readRDS(file), there), predict(moved, there))
  expect_output(print(moved), "probability that nothing has changed")
  rare <- adapt(model, class_prior = c(well = 0.1, ill = 0.9))
  expect_true(all(predict(rare, there) < before))
  expect_identical(rare$adaptation$samples, 0)
})

test_that("what cannot be done is said", {
  expect_error(adapt(model), "one of them", class = "cavity_usage_error")
  expect_error(adapt(model, there, truth, class_prior = c(0.5, 0.5)), "one of them", class = "cavity_usage_error")
  expect_error(adapt(model, class_prior = c(0.5, 0.6)), "sum 1", class = "cavity_usage_error")
  expect_error(adapt(model, there, rep("other", 50)), "; class_prior takes shares", class = "cavity_input_error")
  expect_error(validate(model, there, rep("other", 50)), "no sample has a label", class = "cavity_input_error")
  expect_error(validate(model, there), "y is missing", class = "cavity_input_error")
  expect_error(validate(model, there, truth[1:3]), "y 3 labels", class = "cavity_input_error")
  expect_error(validate(model, there, truth, thresholds = 1.5), "1.5", class = "cavity_error")
  expect_error(validate(model, there, truth, thresholds = "half"), "must be probabilities",
               class = "cavity_usage_error")
  expect_error(validate(model, data.frame(there), "verdict"), "'verdict' is no column", class = "cavity_input_error")
  expect_error(validate(model, there, truth, least_explained = 2), "from 0 to 1", class = "cavity_usage_error")
  expect_error(predict(model, there, type = "set", confidence = 1.5), "confidence", class = "cavity_error")
  expect_error(predict(model, there, confidence = 0.9), "type = 'set'", class = "cavity_usage_error")
  expect_error(predict(model, type = "set"), "pass newx", class = "cavity_usage_error")
  adapted <- adapt(model, class_prior = c(0.5, 0.5))
  expect_error(predict(adapted, there, type = "set"), "adapted to another site", class = "cavity_usage_error")
  expect_error(predict(model, there[, -1], type = "set"), "absent|not in the data", class = "cavity_input_error")
})
