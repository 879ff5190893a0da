# Outcomes of src/interface.h.
OUTCOMES <- c("internal", "usage", "input", "not_converged", "io")
INTERRUPTED <- 6L

# Runs one work of the library. `verbose` > 0 shows how far it is.
run <- function(work, arguments = list(), verbose = 0, bar = if (verbose > 0) progress_bar(work)) {
  if (!is.null(bar)) on.exit(bar$close())
  answer <- .Call(C_cavity_call, work, arguments, bar$show)
  outcome <- answer[[1L]]
  if (outcome == 0L) return(answer[[3L]])
  if (outcome == INTERRUPTED) interrupt()
  refuse(answer[[2L]], kind = OUTCOMES[[outcome]])
}

progress_bar <- function(work) {
  if (requireNamespace("cli", quietly = TRUE)) return(cli_bar(work))
  bar <- NULL
  list(
    show = function(done, all) {
      if (is.null(bar)) bar <<- utils::txtProgressBar(max = all, style = 3, file = stderr())
      utils::setTxtProgressBar(bar, done)
    },
    close = function() if (!is.null(bar)) close(bar)
  )
}

cli_bar <- function(work) {
  owner <- new.env()
  id <- NULL
  list(
    show = function(done, all) {
      if (is.null(id)) id <<- cli::cli_progress_bar(work, total = all, .envir = owner, .auto_close = FALSE)
      cli::cli_progress_update(set = done, total = all, id = id, .envir = owner)
    },
    close = function() if (!is.null(id)) cli::cli_progress_done(id, .envir = owner)
  )
}
