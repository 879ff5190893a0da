"""Theory functions return plain records and columns, and refuse what makes no sense."""

import numpy as np
import pytest

from cavity import theory


def test_sweep_agrees_with_points():
    table = theory.sweep("density", [0.05, 0.1], ratio=1, noise=0.05, teacher=0.1)
    assert table["density"].tolist() == [0.05, 0.1]
    for k, density in enumerate([0.05, 0.1]):
        assert table["error_sbc"][k] == pytest.approx(theory.point(1, 0.05, 0.1, density).error_sbc, abs=1e-9)


def test_plan_inverts_the_learning_curve():
    plan = theory.plan(2000, 0.05, 0.05, target_error=0.2)
    curve = theory.learning_curve(2000, 0.05, 0.05, [plan.samples - 1, plan.samples])
    assert curve["error_sbc"][0] > 0.2 >= curve["error_sbc"][1] == plan.error_sbc
    assert theory.plan(2000, 0.05, 0.05, samples=plan.samples).error_sbc == pytest.approx(plan.error_sbc)
    assert np.isnan(theory.plan(2000, 0.05, 0.05, target_error=0.02).samples)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: theory.point(1, 0.7, 0.1), "0.7"),
        (lambda: theory.point(1, 0.05, 0.1, activation="relu"), "relu"),
        (lambda: theory.point(1, 0.05, 0.1, teacher_activation="probit"), "teacher_noise"),
        (lambda: theory.sweep("seed", [1]), "'seed'"),
        (lambda: theory.sweep("ratio", [1], ratio=2, noise=0.1, teacher=0.1), "varied at once"),
        (lambda: theory.sweep("ratio", [1], noise=0.1), "teacher"),
        (lambda: theory.plan(100, 0.1, 0.1), "one of target_error"),
    ],
)
def test_refusals(call, message):
    with pytest.raises(ValueError, match=message):
        call()
