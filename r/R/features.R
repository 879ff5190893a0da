inclusion <- function(object, ...) UseMethod("inclusion")

inclusion.cavity <- function(object, fdr = NULL, class = NULL, ...) {
  table <- if (is.null(class)) over_questions(object) else of_question(object, asked_question(object, class))
  table <- table[order(-table$inclusion), , drop = FALSE]
  table$expected_false <- cumsum(1 - table$inclusion)
  rownames(table) <- NULL
  if (is.null(fdr)) return(table)
  if (!is_number(fdr) || fdr <= 0 || fdr >= 1) refuse("fdr=", quoted(fdr), " must be a number between 0 and 1")
  if (withheld(object, "list by a false rate")) return(head(table, 0L))
  head(table, run("discoveries", list(inclusion = table$inclusion, fdr = as.numeric(fdr)))$count)
}

# Where the features are not shown to tell the classes apart, nothing is made of them.
withheld <- function(object, what) {
  not_shown <- isFALSE(object$summary$permutation$shown)
  if (not_shown) message("the features are not shown to tell the classes apart: no ", what, " is given")
  not_shown
}

# Of two classes one is asked for, the second; of more each.
asked_classes <- function(object) vapply(object$questions, function(question) question$class, "")

asked_question <- function(object, class) {
  asked <- asked_classes(object)
  match(one_of("class", as.character(class), asked), asked)
}

of_question <- function(object, k) feature_table(object, rep(k, length(object$feature_names)))

# The class that a feature speaks for most: the least that the probability of mattering for any class can be.
over_questions <- function(object) feature_table(object, max.col(object$inclusion, ties.method = "first"))

# Each feature as its own question k sees it.
feature_table <- function(object, k) {
  at <- cbind(seq_along(k), k)
  data.frame(feature = object$feature_names, inclusion = object$inclusion[at], class = asked_classes(object)[k],
             weight = object$weight[at], sd = object$sd[at], lapply(object$alone, function(values) values[at]))
}

credible_sets <- function(object, ...) UseMethod("credible_sets")

credible_sets.cavity <- function(object, ...) {
  one_set <- function(number, set) {
    data.frame(set = number, class = set$class, feature = unlist(set$features), share = unlist(set$share),
               probability = set$probability, filled = set$filled, weight = set$weight)
  }
  sets <- object$summary$credible_sets
  if (length(sets) && !withheld(object, "credible set")) return(do.call(rbind, Map(one_set, seq_along(sets), sets)))
  data.frame(set = integer(), class = character(), feature = character(), share = numeric(),
             probability = numeric(), filled = numeric(), weight = numeric())
}

linear_score <- function(object) {
  if (!inherits(object, "cavity")) refuse("linear_score() takes a fit of cavity()")
  score <- run("linear_score", list(model = model_of(object)))
  terms <- data.frame(name = score$name, weight = score$weight, if_missing = score$if_missing)
  if (score$transform == "feature_asinh") terms <- cbind(terms, median = score$median, spread = score$spread)
  list(intercept = score$intercept, transform = score$transform, terms = terms)
}
