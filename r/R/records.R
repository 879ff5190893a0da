# Records as the library's JSON has them, as data frames.

or_missing <- function(value) if (is.null(value)) NA_real_ else value

interval_of <- function(ends) if (is.null(ends)) c(NA_real_, NA_real_) else ends

# A line a record; what a record lacks is missing, and what has several numbers is a matrix in the frame.
rows_of <- function(records) {
  if (length(records) == 0L) return(NULL)
  out <- data.frame(row.names = seq_along(records))
  for (field in unique(unlist(lapply(records, names)))) out[[field]] <- column_of(lapply(records, `[[`, field), field)
  out
}

column_of <- function(values, field) {
  widest <- max(lengths(values), 1L)
  values[lengths(values) == 0L] <- list(rep(NA, widest))
  if (widest == 1L) return(unlist(values))
  ends <- if (grepl("interval$", field)) c("low", "high")
  matrix(unlist(values), length(values), byrow = TRUE, dimnames = list(NULL, ends))
}
