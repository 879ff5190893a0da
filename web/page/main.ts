// The library as a page: a table in, the report out, nothing sent anywhere.
import { el } from "../src/parts/dom";
import { show_app } from "./app";

document.body.append(
  el(
    "header",
    {},
    el("p", { class: "kicker" }, "cavity"),
    el("h1", {}, "Which features matter, and how well do they predict?"),
    el(
      "p",
      {},
      "A sparse Bayesian classifier for tables with far more features than samples: 60 patients and 20,000 genes. " +
        "One fit, with nothing to tune, gives probabilities for new samples, an inclusion probability for every " +
        "feature, and an honest error.",
    ),
    el(
      "p",
      { class: "verdict better" },
      "Nothing is uploaded. This page computes on your machine and works without a network; its security policy " +
        "forbids it every connection.",
    ),
  ),
);
show_app();
