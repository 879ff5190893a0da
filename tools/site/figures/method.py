"""Pictures of docs/method.md: what pruning does to a message, and whether leave-one-out and inclusion mean what they say."""
import matplotlib.pyplot as plt
import numpy as np

import cavity


def pruning() -> None:
    """P = sigma(lambda - ln(B)/2 + h^2/(2B)), m = P h/B, at G = 1, where the prior odds of a place are exp(lambda)."""
    message = np.linspace(-6, 6, 400)
    precision = 2.0
    figure, (left, right) = plt.subplots(1, 2, figsize=(8, 3))
    for density in (0.5, 0.1, 0.01):
        log_odds = np.log(density / (1 - density))
        inclusion = 1 / (1 + np.exp(-(log_odds - np.log(precision) / 2 + message**2 / (2 * precision))))
        left.plot(message, inclusion, label=f"density {density:g}")
        right.plot(message, inclusion * message / precision)
    right.plot(message, message / precision, color="0.7", linewidth=0.8, zorder=0)
    left.set(xlabel="message h", ylabel="inclusion P")
    right.set(xlabel="message h", ylabel="mean weight m")
    left.legend()
    figure.savefig("method_pruning.svg")


def correlated(samples: int, features: int, chance: np.random.Generator) -> np.ndarray:
    """Neighbours correlated by 0.7."""
    noise = chance.normal(size=(samples, features))
    out = np.empty_like(noise)
    out[:, 0] = noise[:, 0]
    for j in range(1, features):
        out[:, j] = 0.7 * out[:, j - 1] + (1 - 0.7**2) ** 0.5 * noise[:, j]
    return out


def one_cell() -> cavity.SparseBayesClassifier:
    return cavity.SparseBayesClassifier(density=0.1, noise=0.05, solver="ep")


def left_out_and_refitted() -> None:
    chance = np.random.default_rng(4)
    X = correlated(50, 200, chance)
    y = X[:, ::40] @ chance.normal(size=5) > 0
    at_once = one_cell().fit(X, y).loo_proba_
    refitted = []
    for i in range(len(y)):
        rest = np.arange(len(y)) != i
        refitted.append(one_cell().fit(X[rest], y[rest]).predict_proba(X[i : i + 1])[0, 1])
    figure, ax = plt.subplots(figsize=(3.6, 3.4))
    ax.plot([0, 1], [0, 1], color="0.7", linewidth=0.8)
    ax.plot(refitted, at_once, "o", markersize=4, alpha=0.7)
    ax.set(xlabel="probability by a refit without the sample", ylabel="from the cavity, one fit", aspect="equal")
    figure.savefig("method_leave_one_out.svg")
    print(f"50 refits: mean difference {np.mean(np.abs(at_once - refitted)):.3f}, largest {np.max(np.abs(at_once - refitted)):.3f}")


def inclusion_said_and_true() -> None:
    said, true = [], []
    for seed in range(150):
        X, y, teacher = cavity.simulate(80, 60, teacher=0.2, noise=0.05, seed=seed + 1)
        clf = cavity.SparseBayesClassifier(density=0.2, noise=0.05, solver="ep").fit(X, y)
        said += clf.inclusion_probability_.tolist()
        true += (teacher != 0).tolist()
    said, true = np.array(said), np.array(true)
    edges = np.linspace(0, 1, 11)
    bins = np.clip(np.digitize(said, edges) - 1, 0, 9)
    figure, ax = plt.subplots(figsize=(3.6, 3.4))
    ax.plot([0, 1], [0, 1], color="0.7", linewidth=0.8)
    for k in range(10):
        if (inside := bins == k).sum() > 10:
            share = true[inside].mean()
            ax.errorbar(said[inside].mean(), share, (share * (1 - share) / inside.sum()) ** 0.5, fmt="o", color="C0", markersize=4)
    ax.set(xlabel="inclusion that was stated", ylabel="share that truly matters", aspect="equal")
    figure.savefig("method_inclusion.svg")
    print(f"{len(said)} features of 150 simulated tables: stated {said.mean():.3f}, true {true.mean():.3f}")


pruning()
left_out_and_refitted()
inclusion_said_and_true()
