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
