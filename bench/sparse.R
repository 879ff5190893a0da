# Rscript bench/sparse.R TRAIN TEST: cv.glmnet (10 folds, lasso) on the sparse matrices TRAIN.mtx and TEST.mtx with labels
# in TRAIN.lab and TEST.lab; one line of JSON. Reading does not count.
suppressMessages({library(Matrix); library(glmnet)})
paths <- commandArgs(trailingOnly = TRUE)
matrix_of <- function(path) as(as(readMM(paste0(path, ".mtx")), "generalMatrix"), "CsparseMatrix")
x <- matrix_of(paths[1])
y <- factor(readLines(paste0(paths[1], ".lab")))
set.seed(1)
start <- proc.time()
fit <- cv.glmnet(x, y, family = "binomial", nfolds = 10)
used <- proc.time() - start
peak <- as.integer(sub("\\D*(\\d+) kB", "\\1", grep("VmHWM", readLines("/proc/self/status"), value = TRUE)))
predicted <- predict(fit, matrix_of(paths[2]), s = "lambda.min", type = "class")
cat(sprintf('{"cpu_s": %.3f, "wall_s": %.3f, "peak_mb": %.0f, "test_error": %.4f}\n', used[1] + used[2], used[3],
            peak / 1024, mean(predicted != readLines(paste0(paths[2], ".lab")))))
