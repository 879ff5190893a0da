"""Run in an environment that has the wheel alone: where it lies, and a fit that finds what was planted."""
import numpy as np

import cavity

assert "site-packages" in cavity.__file__, cavity.__file__
data = cavity.simulate(100, 1000, teacher=0.005, seed=2)
fitted = cavity.SparseBayesClassifier().fit(data.X[:75], data.y[:75])
right = np.mean(fitted.predict(data.X[75:]) == data.y[75:])
assert right > 0.8, f"{right:.2f} of the new samples"
print(f"cavity {cavity.__version__}: {right:.2f} of the new samples")
