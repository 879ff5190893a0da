library(testthat)
library(cavity)

test_check("cavity")
