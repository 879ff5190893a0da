"""How many more patients?

Before a study there is theory: what error will so many samples give, if 40 of 2000 independent features decide and one label in twenty is flipped? After a first fit there is a forecast from the table itself, to
twice its samples and with its interval. Both against simulated studies of every size.

![Error against the number of samples: theory, simulated studies, and the forecast of the first of them](plan.svg)

The line is `theory.learning_curve`, what `cavity theory plan` prints; the points are fits with nothing tuned, judged on 2000 new samples. The theory's classifier knows density and noise, which the fits have to find; so most points lie a little above.
The dashed line, with its interval of 80 %, is what a fit of 200 samples forecasts from parts of them, `summary_["forecast"]`.

Real features are correlated, and real curves differ in level: trust the slope. [The question](../faq.md#how-many-more-patients-do-i-need).
"""
import matplotlib.pyplot as plt
import numpy as np

import cavity
from cavity import theory

FEATURES, DENSITY, NOISE = 2000, 0.02, 0.05
sizes = np.geomspace(50, 1600, 30)
curve = theory.learning_curve(FEATURES, DENSITY, NOISE, sizes)

studies, errors = [100, 200, 400, 800], []
for samples in studies:
    found = []
    for seed in (1, 2) if samples < 800 else (1,):
        X, y, _ = cavity.simulate(samples + 2000, FEATURES, teacher=DENSITY, noise=NOISE, seed=seed)
        clf = cavity.SparseBayesClassifier(n_jobs=-1).fit(X[:samples], y[:samples])
        found.append(1 - clf.score(X[samples:], y[samples:]))
        if samples == 200 and seed == 1:
            forecast = clf.summary_["forecast"]["points"]
    errors.append(np.mean(found))
    at_hand = theory.learning_curve(FEATURES, DENSITY, NOISE, [samples])["error_sbc"][0]
    print(f"{samples:4} samples: theory {at_hand:.3f}, fits {errors[-1]:.3f}")
plan = theory.plan(features=FEATURES, density=DENSITY, noise=NOISE, target_error=0.15)
print(f"for an error of 0.15 theory asks for {plan.samples:.0f} samples")

figure, ax = plt.subplots(figsize=(6.5, 3.8))
ax.plot(curve["samples"], curve["error_sbc"], label="theory, density and noise known")
ax.plot(studies, errors, "o", color="C1", label="fits, on 2000 new samples")
if forecast:
    at = [point["samples"] for point in forecast]
    ax.plot(at, [point["error"] for point in forecast], "--", color="C4", label="forecast of a fit of 200 samples")
    ax.fill_between(at, *zip(*(point["interval"] for point in forecast)), color="C4", alpha=0.15, linewidth=0)
ax.axhline(NOISE, color="0.7", linewidth=0.8)
ax.set(xscale="log", xlabel="samples", ylabel="error on new samples", ylim=(0, 0.5), xlim=(45, 1800))
ax.set_xticks([50, 100, 200, 400, 800, 1600], [50, 100, 200, 400, 800, 1600])
ax.minorticks_off()
ax.legend()
figure.savefig("plan.svg")
