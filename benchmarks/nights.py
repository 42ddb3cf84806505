"""Simulated nights of a lab: how far a measurement is off the level of its configuration."""

import numpy as np
from numpy.typing import NDArray

NOISES = {
    "normal 1 %": "independent from night to night, standard deviation 1 %",
    "normal 2 %": "the same with 2 %",
    "normal 5 %": "the same with 5 %",
    "skewed 2 %": "dips only (exponential), standard deviation 2 %",
    "outliers": "normal 1 %, and one night of twenty is 10 to 40 % down",
    "bins": "normal 1 %, rounded to bins of 1.6 % as fio's percentiles are",
    "drifting 2 %": "standard deviation 2 %, half of a deviation stays for the next night (AR 0.5)",
}


def noise(rng: np.random.Generator, kind: str, nights: int) -> NDArray[np.float64]:
    """Relative deviation from the level, of each night; kind is one of NOISES."""
    normal = rng.standard_normal(nights)
    if kind == "skewed 2 %":
        return 0.02 * (1 - rng.exponential(1, nights))
    if kind == "outliers":
        return 0.01 * normal - (rng.random(nights) < 0.05) * rng.uniform(0.1, 0.4, nights)
    if kind == "bins":
        return np.round(0.01 * normal / 0.016) * 0.016
    if kind == "drifting 2 %":
        for night in range(1, nights):
            normal[night] = 0.5 * normal[night - 1] + 0.75**0.5 * normal[night]
    return float(kind.split()[1]) / 100 * normal
