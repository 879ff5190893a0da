# Rscript bench/peers.R TRAIN.bin TRAIN.lab TEST.bin TEST.lab ROWS TEST_ROWS COLUMNS: cv.glmnet (10 folds, lasso) on float32
# matrices stored by row; one line of JSON. Reading does not count.
suppressMessages(library(glmnet))
arguments <- commandArgs(trailingOnly = TRUE)
size <- as.integer(arguments[5:7])
matrix_of <- function(path, rows)
  matrix(readBin(path, "numeric", rows * size[3], size = 4), nrow = rows, byrow = TRUE)
x <- matrix_of(arguments[1], size[1])
y <- factor(readLines(arguments[2]))
set.seed(1)
start <- proc.time()
fit <- cv.glmnet(x, y, family = "binomial", nfolds = 10)
used <- proc.time() - start
rm(x)
predicted <- predict(fit, matrix_of(arguments[3], size[2]), s = "lambda.min", type = "class")
peak <- as.integer(sub("\\D*(\\d+) kB", "\\1", grep("VmHWM", readLines("/proc/self/status"), value = TRUE)))
cat(sprintf('{"cpu_s": %.3f, "wall_s": %.3f, "peak_mb": %.0f, "test_error": %.4f}\n', used[1] + used[2], used[3],
            peak / 1024, mean(predicted != readLines(arguments[4]))))
