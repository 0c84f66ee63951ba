#!/usr/bin/env python3
"""Write numpy.npy: three rows of two numbers, as numpy itself saves them."""

import os

import numpy as np

here = os.path.dirname(os.path.abspath(__file__))
np.save(os.path.join(here, "numpy.npy"), np.array([[1, 0], [0.6, 0.8], [0, -1]], dtype="<f4"))
