# From what users pass (matrices, data frames, sparse matrices) to what the library takes.

MOST_STORED <- 0.1 # of the values of a sparse matrix: above, the dense form is the faster one
LARGEST <- 3.4028234e38 # that a float32 holds

# The features as the arguments `x` or `sparse`, with names, and the covariates as text.
read_features <- function(x, covariates) {
  parts <- set_apart(x, covariates)
  if (NCOL(parts$x) == 0L) {
    refuse("no features are left: at least one column that is no covariate is required", kind = "input")
  }
  if (anyDuplicated(colnames(parts$x))) {
    refuse("two columns of x are called ", quoted(colnames(parts$x)[anyDuplicated(colnames(parts$x))]),
           ": names must differ", kind = "input")
  }
  arguments <- if (is(parts$x, "sparseMatrix")) sparse_arguments(parts$x) else list(x = as_numbers(parts$x))
  arguments$feature_names <- colnames(parts$x)
  arguments$covariates <- lapply(parts$covariates, as_texts)
  arguments
}

refuse_no_table <- function(x, name) {
  if (length(dim(x)) == 2L) return(invisible())
  refuse(name, " must be a matrix, a data frame or a sparse matrix with a row a sample, got ", class(x)[1L],
         kind = "input")
}

# Covariates are a table of their own, or columns of x by name or position.
set_apart <- function(x, covariates) {
  if (is(x, "Matrix")) x <- sparse_form(x)
  if (is.data.frame(x)) x <- as.data.frame(x) # of tibbles and the like, whose brackets differ
  if (is.null(covariates) || length(covariates) == 0L) return(list(x = x, covariates = NULL))
  if (!is.null(dim(covariates))) {
    table <- as.data.frame(covariates, stringsAsFactors = FALSE)
    if (nrow(table) != nrow(x)) {
      refuse("covariates have ", nrow(table), " rows, x has ", nrow(x), ": a row a sample is needed", kind = "input")
    }
    return(list(x = x, covariates = as.list(table)))
  }
  at <- positions(x, covariates)
  columns <- lapply(at, function(j) if (is.data.frame(x)) x[[j]] else as.vector(x[, j]))
  names(columns) <- if (is.null(colnames(x))) paste0("x", at) else colnames(x)[at]
  list(x = x[, -at, drop = FALSE], covariates = columns)
}

positions <- function(x, which) {
  if (anyDuplicated(which)) refuse("covariates names a column twice: ", toString(which))
  if (is.character(which)) {
    at <- match(which, colnames(x))
    if (anyNA(at)) {
      refuse("covariate ", quoted(which[is.na(at)][1L]), " is not a column of x",
             if (is.null(colnames(x))) ", which has no names", kind = "input")
    }
    return(at)
  }
  if (!is.numeric(which)) refuse("covariates must be a data frame, or names or positions of columns of x")
  outside <- which[which < 1 | which > ncol(x) | which != round(which)]
  if (length(outside)) refuse("covariate ", outside[1L], " is outside the ", ncol(x), " columns of x", kind = "input")
  which
}

# Sparse where that pays, else an ordinary matrix.
sparse_form <- function(x) {
  x <- as(as(as(x, "CsparseMatrix"), "generalMatrix"), "dMatrix")
  if (length(x@x) > MOST_STORED * prod(dim(x))) as.matrix(x) else x
}

sparse_arguments <- function(x) {
  refuse_infinite(x@x, function(at) c(x@i[at] + 1L, findInterval(at - 1L, x@p)), colnames(x))
  list(sparse = list(rows = as.numeric(nrow(x)), p = x@p, i = x@i, x = x@x))
}

as_numbers <- function(x) {
  if (is.data.frame(x)) x <- frame_as_matrix(x)
  if (is.character(x)) {
    at <- which(!is.na(x))[1L]
    refuse("x holds text, such as ", quoted(x[at]), ", which is no number: x must be numeric", kind = "input")
  }
  if (is.logical(x)) storage.mode(x) <- "integer"
  if (!is.numeric(x)) refuse("x must be numeric, got ", typeof(x), kind = "input")
  if (is.double(x)) refuse_infinite(x, function(at) arrayInd(at, dim(x)), colnames(x))
  x
}

# Without a copy of x where all is well.
refuse_infinite <- function(values, place_of, names) {
  ends <- suppressWarnings(range(values, na.rm = TRUE))
  if (length(values) == 0L || all(is.na(ends)) || max(abs(ends[!is.nan(ends)])) <= LARGEST) return(invisible())
  if (identical(ends, c(Inf, -Inf))) return(invisible()) # nothing but missing values
  at <- which(abs(values) > LARGEST)[1L]
  place <- place_of(at)
  name <- if (is.null(names)) place[2L] else quoted(names[place[2L]])
  refuse("row ", place[1L], ", column ", name, " of x is ", values[at],
         ", too large to use: make it NA or leave it out", kind = "input")
}

frame_as_matrix <- function(x) {
  for (j in seq_along(x)) {
    column <- x[[j]]
    if (is.numeric(column) && !is.factor(column) || is.logical(column)) next
    value <- as.character(column[!is.na(column)])[1L]
    refuse("column ", quoted(names(x)[j]), " of x holds ", class(column)[1L], " values, such as ", quoted(value),
           ", which are no numbers: leave it out of x, or name it in covariates", kind = "input")
  }
  out <- as.matrix(x)
  if (.row_names_info(x) <= 0L) rownames(out) <- NULL
  out
}

# Numbers with all their digits.
as_texts <- function(values) {
  texts <- if (is.numeric(values) && !is.factor(values)) {
    formatC(as.numeric(values), digits = 17, format = "g", width = 1)
  } else {
    as.character(values)
  }
  texts[is.na(values)] <- NA
  texts
}

# NULL where rows are only counted.
sample_names <- function(x) if (is.data.frame(x) && .row_names_info(x) <= 0L) NULL else rownames(x)

read_groups <- function(groups, samples) {
  if (is.null(groups)) return(NULL)
  if (!is.null(dim(groups)) || length(groups) != samples) {
    refuse("groups: a name for each of the ", samples, " samples is needed, got ", length(groups), kind = "input")
  }
  as.character(groups)
}

# Classes in order, and each sample's as a position from 0.
read_classes <- function(y, x) {
  if (missing(y) || is.null(y)) refuse("y is missing: a class a sample is needed", kind = "input")
  if (!is.null(dim(y)) && NCOL(y) == 1L) y <- if (is.data.frame(y)) y[[1L]] else as.vector(y)
  if (!is.atomic(y) || !is.null(dim(y))) refuse("y must be a factor or a vector with a class a sample", kind = "input")
  if (length(y) != nrow(x)) {
    turned <- length(y) == ncol(x)
    refuse("x has ", nrow(x), " rows and ", ncol(x), " columns, y ", length(y), " labels: ",
           if (turned) "rows must be samples; if features are in rows, pass t(x)" else "a label a row is needed",
           kind = "input")
  }
  absent <- which(is.na(y))
  if (length(absent)) {
    refuse(length(absent), " of ", length(y), " labels are missing, the first in row ", absent[1L],
           "; leave these samples out of x and y", kind = "input")
  }
  levels <- if (is.factor(y)) levels(droplevels(y)) else sort(unique(y), method = "radix")
  if (length(levels) < 2L) {
    refuse("at least two classes are required, the ", length(y), " samples contain only one class: ",
           quoted(as.character(levels)), kind = "input")
  }
  if (is.numeric(y) && length(levels) > max(20, length(y) / 2)) {
    refuse("y has ", length(levels), " different numbers in ", length(y),
           " samples: a class a sample is needed, not a measurement", kind = "input")
  }
  list(classes = as.character(levels), index = match(as.character(y), as.character(levels)) - 1L)
}
