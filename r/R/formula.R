# y ~ . and the like: the columns of a data frame that a formula asks for, and how to find them again in new data.

read_formula <- function(formula, data, covariates, groups) {
  if (missing(data) || !is.data.frame(data)) {
    refuse("data must be a data frame with the columns of the formula", kind = "input")
  }
  data <- as.data.frame(data)
  if (length(formula) != 3L) refuse("the formula needs the classes on its left side: y ~ .")
  groups_column <- if (is.character(groups) && length(groups) == 1L && groups %in% names(data)) groups
  covariate_columns <- if (is.character(covariates) && is.null(dim(covariates))) covariates
  y <- eval(formula[[2L]], data, environment(formula))
  left <- data[setdiff(names(data), c(all.vars(formula[[2L]]), groups_column))]
  kept <- left[setdiff(names(left), covariate_columns)]
  rule <- column_rule(formula, kept)
  x <- columns_by(rule, kept)
  list(
    x = x, y = y, rule = rule, intercept = rule$intercept,
    label_name = if (is.name(formula[[2L]])) as.character(formula[[2L]]) else "label",
    groups = if (is.null(groups_column)) groups else data[[groups_column]],
    covariates = if (is.null(covariate_columns)) covariates else named_columns(left, covariate_columns),
    covariate_columns = covariate_columns
  )
}

named_columns <- function(data, columns) {
  absent <- setdiff(columns, names(data))
  if (length(absent)) refuse("covariate ", quoted(absent[1L]), " is not a column of data", kind = "input")
  data[columns]
}

# All numeric columns are taken as they are: terms() takes minutes over thousands of them.
column_rule <- function(formula, data) {
  plain <- vapply(data, function(column) is.numeric(column) && !is.factor(column) || is.logical(column), NA)
  if (identical(formula[[3L]], quote(.)) && all(plain)) return(list(columns = names(data), intercept = TRUE))
  asked <- delete.response(terms(formula, data = data))
  frame <- model.frame(asked, data, na.action = na.pass, drop.unused.levels = TRUE)
  list(terms = attr(frame, "terms"), levels = .getXlevels(attr(frame, "terms"), frame),
       intercept = attr(asked, "intercept") == 1L)
}

columns_by <- function(rule, data) {
  if (is.null(rule$terms)) return(data[intersect(rule$columns, names(data))])
  asked <- rule$terms
  attr(asked, "intercept") <- 1L # a category fewer than there are, whether or not the fit has an intercept
  frame <- model.frame(asked, data, na.action = na.pass, xlev = rule$levels)
  out <- model.matrix(asked, frame)
  out <- out[, colnames(out) != "(Intercept)", drop = FALSE]
  if (.row_names_info(data) <= 0L) rownames(out) <- NULL
  out
}
