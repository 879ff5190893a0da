test_that("every block of docs/r.md runs as written", {
  page <- file.path(Sys.getenv("CAVITY_SOURCE"), "docs", "r.md")
  skip_if_not(file.exists(page), "docs/r.md is not beside this package")
  lines <- readLines(page)
  from <- which(lines == "```r")
  expect_gt(length(from), 5)
  scope <- new.env(parent = globalenv())
  for (start in from) {
    end <- start + which(lines[-seq_len(start)] == "```")[1]
    code <- parse(text = lines[seq(start + 1, end - 1)])
    expect_output(for (one in code) print(eval(one, scope)))
  }
  expect_identical(predict(scope$fit, scope$toy$x), predict(read_cavity(scope$file), scope$toy$x))
})
