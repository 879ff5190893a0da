# Tables of other packages as the matrices and data frames that everything else takes, and the sheet of their samples.

# `x` with a row a sample, and `sheet`, a data frame with a row a sample where the container has one.
as_table <- function(x) {
  if (is(x, "SummarizedExperiment")) return(of_experiment(x))
  if (is(x, "ExpressionSet")) {
    require_package("Biobase", x)
    return(turned(Biobase::exprs(x), Biobase::pData(x)))
  }
  if (inherits(x, "ArrowTabular")) {
    require_package("arrow", x)
    return(list(x = as.data.frame(x)))
  }
  if (is.list(x) && !is.data.frame(x)) return(of_list(x))
  list(x = x)
}

# That made x, which says nothing without it.
require_package <- function(package, x) {
  if (requireNamespace(package, quietly = TRUE)) return(invisible())
  refuse("x is of class ", class(x)[1L], ": install the package ", package, ", or pass its values as a matrix",
         kind = "input")
}

of_experiment <- function(x) {
  require_package("SummarizedExperiment", x)
  count <- length(SummarizedExperiment::assays(x))
  if (count == 0L) refuse("x has no assay: there are no values to fit", kind = "input")
  if (count > 1L) {
    names <- SummarizedExperiment::assayNames(x)
    message("of the assays ", toString(names), " the first is taken; pass t(assay(x, name)) for another")
  }
  turned(SummarizedExperiment::assay(x, 1L), as.data.frame(SummarizedExperiment::colData(x)))
}

# A list as edgeR and limma have them: counts with samples, or E with targets.
of_list <- function(x) {
  values <- Find(function(name) length(dim(x[[name]])) == 2L, intersect(c("counts", "E"), names(x)))
  if (is.null(values)) {
    refuse("x is a list, and neither its counts nor its E is a matrix: pass a matrix with a row a sample",
           kind = "input")
  }
  turned(x[[values]], x[[if (values == "counts") "samples" else "targets"]])
}

# Features stand in rows in all of these.
turned <- function(values, sheet) {
  if (!is.matrix(values) && !is(values, "Matrix")) values <- as.matrix(values)
  if (!is.data.frame(sheet) || nrow(sheet) != ncol(values)) sheet <- NULL
  list(x = if (is(values, "Matrix")) Matrix::t(values) else t(values), sheet = sheet)
}

# One name of a column of the sheet is that column.
of_sheet <- function(sheet, what, argument) {
  if (is.null(sheet) || !is.character(what) || length(what) != 1L) return(what)
  if (what %in% names(sheet)) return(sheet[[what]])
  refuse(argument, "=", quoted(what), " is no column of the samples' sheet, which has ",
         if (ncol(sheet)) toString(head(names(sheet), 8L)) else "none", kind = "input")
}

# Covariates that are columns of the sheet come from there as a table.
covariates_of_sheet <- function(sheet, covariates) {
  if (is.null(sheet) || !is.character(covariates) || !all(covariates %in% names(sheet))) return(covariates)
  sheet[covariates]
}
