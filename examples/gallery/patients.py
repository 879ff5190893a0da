"""Two samples of one patient

Simulated: 60 patients, each measured twice, 300 features, three of which decide. The two measurements of a patient are alike, as they are in life. What error is stated
if nobody says which samples belong together, and what error is found on new patients?

![Errors stated one by one and by patient, and the error on new patients, with a signal and without](patients.svg)

Left out one by one, a sample is recognised by its twin: the stated error is far too small, and **it is near zero even where the labels are drawn at random**. With `groups` each patient is left out as a whole, from the same solution and
without refits, and what is stated is what is found.

The fit notices by itself that samples are alike, and warns (`near-duplicates`); it cannot know whether they are one patient. [What to do](../faq.md#i-have-two-samples-of-one-patient).
"""
import matplotlib.pyplot as plt
import numpy as np

import cavity

PATIENTS, FEATURES, REPEATS = 60, 300, 4


def visits(people, labels, chance):
    """Two measurements of every patient."""
    twice = np.repeat(people, 2, axis=0)
    return twice + 0.3 * chance.normal(size=twice.shape), np.repeat(labels, 2), np.repeat(np.arange(len(people)), 2)


rows = {"three features decide": [], "random labels": []}
for seed in range(REPEATS):
    chance = np.random.default_rng(seed)
    people = chance.normal(size=(PATIENTS + 200, FEATURES))
    weights = np.where(np.arange(FEATURES) < 3, 1.0, 0.0)
    for name, labels in [
        ("three features decide", people @ weights > 0),
        ("random labels", chance.random(len(people)) > 0.5),
    ]:
        X, y, patient = visits(people[:PATIENTS], labels[:PATIENTS], chance)
        X_new, y_new, _ = visits(people[PATIENTS:], labels[PATIENTS:], chance)
        alone = cavity.SparseBayesClassifier().fit(X, y)
        grouped = cavity.SparseBayesClassifier().fit(X, y, groups=patient)
        rows[name].append((alone.loo_error_, grouped.loo_error_, 1 - grouped.score(X_new, y_new)))
        if seed == 0:
            print(f"{name}: warnings without groups: {', '.join(w['name'] for w in alone.warnings_) or 'none'}")

labels = ["one by one", "by patient", "new patients"]
figure, axes = plt.subplots(1, 2, figsize=(7.5, 3.2), sharey=True)
for ax, (name, errors) in zip(axes, rows.items()):
    mean, spread = np.mean(errors, axis=0), np.std(errors, axis=0)
    print(f"{name}: " + ", ".join(f"{label} {value:.2f}" for label, value in zip(labels, mean)))
    ax.bar(labels, mean, yerr=spread, color=["C1", "C0", "C4"], capsize=3)
    ax.axhline(0.5, color="0.7", linewidth=0.8, zorder=0)
    ax.set_title(name)
axes[0].set_ylabel("error")
figure.savefig("patients.svg")
