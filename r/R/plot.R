plot.cavity <- function(x, which = c("grid", "loo", "inclusion"), top = 30, ...) {
  which <- match.arg(which, several.ok = TRUE)
  if (length(which) > 1L) {
    old <- par(mfrow = c(1, length(which)))
    on.exit(par(old))
  }
  for (one in which) {
    switch(one, grid = plot_grid(x, ...), loo = plot_loo(x, ...), inclusion = plot_inclusion(x, top, ...))
  }
  invisible(x)
}

# Leave-one-out log loss of the cells; the size of a point is its weight in the mixture.
plot_grid <- function(x, ...) {
  grid <- x$grid[x$grid$usable, , drop = FALSE]
  if (nrow(grid) == 0L) grid <- x$grid
  ends <- range(grid$loo_log_loss, finite = TRUE)
  colours <- hcl.colors(64, "viridis", rev = TRUE)
  shade <- 1 + round(63 * (grid$loo_log_loss - ends[1L]) / max(diff(ends), 1e-12))
  named <- sprintf("%.3g/%.2g", grid$noise, grid$width)
  column <- factor(named, unique(named))
  plot(as.integer(column), grid$density, log = "y", pch = 19, cex = 1 + 3 * sqrt(grid$weight), col = colours[shade],
       xaxt = "n", xlim = c(0.5, nlevels(column) + 0.5), xlab = "", ylab = "density",
       main = sprintf("log loss of noise/width, %.3f to %.3f", ends[1L], ends[2L]), ...)
  axis(1, seq_len(nlevels(column)), levels(column), las = 2, cex.axis = 0.7)
}

# Probability of the true class of every sample when it is left out.
plot_loo <- function(x, ...) {
  own <- left_out(x)[cbind(seq_along(x$loo_truth), as.integer(x$loo_truth))]
  at <- order(x$loo_truth, own)
  # Told apart by everyone; after the eighth class they come again.
  colours <- rep_len(palette.colors(9, "Okabe-Ito")[-1L], length(x$classes))
  plot(own[at], ylim = c(0, 1), pch = 19, col = colours[as.integer(x$loo_truth)[at]], xlab = "samples by class",
       ylab = "probability of the true class, left out", main = paste("leave-one-out error", percent(x$loo_error)), ...)
  abline(h = 1 / length(x$classes), lty = 3)
  legend("bottomright", x$classes, col = colours, pch = 19, bty = "n")
}

plot_inclusion <- function(x, top, ...) {
  shown <- head(inclusion.cavity(x), top)
  shown <- shown[rev(seq_len(nrow(shown))), ]
  plot(shown$inclusion, seq_len(nrow(shown)), xlim = c(0, 1), yaxt = "n", pch = 19, ylab = "",
       xlab = "inclusion probability",
       main = sprintf("%d most included of %d features", nrow(shown), length(x$feature_names)), ...)
  segments(0, seq_len(nrow(shown)), shown$inclusion, seq_len(nrow(shown)))
  axis(2, seq_len(nrow(shown)), shown$feature, las = 1, cex.axis = 0.6)
}
