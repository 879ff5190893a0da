# Errors are conditions of class cavity_error and of the kind that it is.
refuse <- function(..., kind = "usage") {
  classes <- c(paste0("cavity_", kind, "_error"), "cavity_error", "error", "condition")
  stop(structure(class = classes, list(message = paste0(...), call = NULL)))
}

warn_of <- function(name, ...) {
  classes <- c(paste0("cavity_", name), "cavity_warning", "warning", "condition")
  warning(structure(class = classes, list(message = paste0(...), call = NULL)))
}

# The library has ended the work already: what is left is to tell R, as if Ctrl-C had met R itself.
interrupt <- function() {
  classes <- c("cavity_interrupt", "interrupt", "condition")
  signalCondition(structure(class = classes, list(message = "interrupted", call = NULL)))
  invokeRestart("abort")
}

quoted <- function(value) if (is.character(value)) paste0("'", value, "'") else deparse1(value)
