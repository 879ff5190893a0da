# What the tests share: small simulated data, the real data sets, the command line.
toy <- simulate_teacher(80, 120, teacher = 0.05, noise = 0.02, seed = 7)
classes <- ifelse(toy$y > 0, "b", "a")

# One grid cell: for tests about anything but the grid.
quick <- function(x = toy$x, y = classes, ..., density = 0.1, noise = 0.05) {
  cavity(x, y, ..., density = density, noise = noise)
}

read_data <- function(name) {
  file <- file.path(Sys.getenv("CAVITY_DATA"), paste0(name, ".csv.gz"))
  skip_if_not(file.exists(file), paste0(name, ".csv.gz is not there: name its folder in CAVITY_DATA"))
  table <- read.csv(file)
  list(file = file, x = table[-1], y = table$label)
}

command_line <- function(...) {
  binary <- Sys.getenv("CAVITY_BINARY")
  skip_if_not(nzchar(binary) && file.exists(binary), "no command line: run `make build`, or name it in CAVITY_BINARY")
  out <- system2(binary, shQuote(c(...)), stdout = TRUE, stderr = FALSE)
  if (!is.null(attr(out, "status"))) stop("the command line failed: ", paste(c(...), collapse = " "))
  out
}

# A Python that has cavity.
python_with_cavity <- function() {
  python <- Sys.getenv("CAVITY_PYTHON")
  skip_if_not(nzchar(python) && file.exists(python),
              "no Python with cavity: run `make test-python`, or name it in CAVITY_PYTHON")
  python
}

# What an estimator of the Python package takes, in its order; `skip` are self and its data.
python_arguments <- function(file, skip) {
  source <- file.path(Sys.getenv("CAVITY_SOURCE"), "python", "cavity", file)
  skip_if_not(file.exists(source), "the Python package is not beside this one")
  lines <- readLines(source)
  from <- grep("def __init__", lines)[1]
  signature <- lines[seq(from + skip, from + grep(") -> None:", lines[-seq_len(from)], fixed = TRUE)[1] - 1)]
  sub("^ *([a-z_]+):.*", "\\1", signature)
}

all_digits <- function(values) formatC(values, digits = 17, format = "g", width = 1)

write_table <- function(x, y) {
  file <- tempfile(fileext = ".csv")
  rows <- apply(apply(x, 2, all_digits), 1, paste, collapse = ",")
  writeLines(c(paste(c("label", colnames(x)), collapse = ","), paste(y, rows, sep = ",")), file)
  file
}

probabilities <- function(lines) read.csv(text = lines)$probability

cli_fit <- function(data, ...) {
  model <- tempfile(fileext = ".cavity")
  command_line("fit", data, "-o", model, "-q", ...)
  list(model = model, probability = probabilities(command_line("predict", model, data, "-q")))
}

# What a command prints as JSON, as lists of lists.
command_json <- function(...) {
  skip_if_not_installed("jsonlite")
  jsonlite::fromJSON(paste(command_line(..., "--json", "-q"), collapse = "\n"), simplifyVector = FALSE)
}

# `found` has every name and number of the JSON that was `said`, records as rows of a data frame.
expect_said <- function(found, said, where = "") {
  if (is.null(said)) return(expect_true(is.null(found) || all(is.na(found)), info = where))
  if (!is.list(said)) return(expect_equal(unname(found), said, tolerance = 1e-12, info = where))
  if (length(said) == 0L) return(expect_length(unlist(found), 0L))
  if (is.data.frame(found)) return(expect_rows(found, said, where))
  if (is.matrix(found)) found <- lapply(seq_len(nrow(found)), function(i) found[i, ])
  if (!is.null(names(said))) expect_true(all(names(said) %in% names(found)), info = where)
  expect_length(if (is.null(names(said))) found else found[names(said)], length(said))
  for (at in if (is.null(names(said))) seq_along(said) else names(said)) {
    expect_said(found[[at]], said[[at]], paste0(where, "$", at))
  }
}

expect_rows <- function(found, said, where) {
  expect_identical(nrow(found), length(said), info = where)
  for (i in seq_along(said)) {
    for (field in names(said[[i]])) {
      column <- found[[field]]
      expect_said(if (is.matrix(column)) column[i, ] else column[i], said[[i]][[field]], paste0(where, i, "$", field))
    }
  }
}
