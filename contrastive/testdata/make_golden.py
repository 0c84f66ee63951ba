#!/usr/bin/env python3
"""Writes golden.json: losses, mined pairs and gradients of Multi-Similarity.

    python make_golden.py

with pytorch-metric-learning==2.9.0 and torch==2.1.2, in float64. "grad" is with
respect to the vectors, which the library's cosine distance normalizes itself.
Mined pairs are written as [row, other].
"""

import json
import pathlib

import torch
from pytorch_metric_learning.losses import MultiSimilarityLoss
from pytorch_metric_learning.miners import MultiSimilarityMiner

torch.manual_seed(1)
torch.set_default_dtype(torch.float64)

CONTEXT = {"alpha": 2.0, "beta": 50.0, "lambda": 1.0, "epsilon": 0.1}
NAMES = {"alpha": 1.0, "beta": 60.0, "lambda": 0.5, "epsilon": 0.1}

# (settings, labels, length of a vector, how near rows of one label are)
CASES = [
    (CONTEXT, [0, 0, 1, 1], 3, 0.0),
    (CONTEXT, [0, 0, 1, 1, 2, 2], 4, 1.0),
    (NAMES, [0, 0, 1, 1, 2, 2, 3, 3], 5, 0.5),
    (CONTEXT, [0, 1, 0, 2, 1, 0, 3], 4, 0.5),  # three of one label, one alone
    (NAMES, [0, 0, 0, 0], 3, 0.0),  # no negatives: nothing is mined
    (NAMES, [0, 1, 2], 3, 0.0),  # no positives
    (CONTEXT, [0, 0, 1, 1], 3, 50.0),  # far apart already: nothing left to mine
    ({"alpha": 3.0, "beta": 20.0, "lambda": 0.25, "epsilon": 0.0}, [0, 0, 1, 1, 2, 2], 4, 0.3),
]


def main():
    rows = []
    for settings, labels, d, near in CASES:
        labels_tensor = torch.tensor(labels)
        centers = torch.randn(max(labels) + 1, d)
        # Four digits are enough for the case, and the file stays small.
        x = (torch.randn(len(labels), d) + near * centers[labels_tensor]).mul(1e4).round().div(1e4)
        x.requires_grad_()
        settings = dict(settings)
        epsilon = settings.pop("epsilon")
        base = settings.pop("lambda")
        mined = MultiSimilarityMiner(epsilon=epsilon)(x, labels_tensor)
        loss = MultiSimilarityLoss(**settings, base=base)(x, labels_tensor, mined)
        loss.backward()
        a1, p, a2, n = (t.tolist() for t in mined)
        rows.append(
            {
                "loss_of": settings | {"lambda": base, "epsilon": epsilon},
                "labels": labels,
                "d": d,
                "x": x.detach().flatten().tolist(),
                "positive": sorted(map(list, zip(a1, p))),
                "negative": sorted(map(list, zip(a2, n))),
                "loss": loss.item(),
                "grad": [0.0] * x.numel() if x.grad is None else x.grad.flatten().tolist(),
            }
        )
    path = pathlib.Path(__file__).parent / "golden.json"
    path.write_text("[\n" + ",\n".join(" " + json.dumps(row) for row in rows) + "\n]\n")


main()
