#!/usr/bin/env python3
"""Write faiss.json: the inner products of the ten nearest rows that FAISS finds for each query.

Needs faiss-cpu 1.15.1. The numbers are small integers, so that no program rounds their products.
"""

import json
import os

import faiss
import numpy as np

DIM, ROWS, QUERIES, K = 33, 700, 25, 10


def vectors(first, n):
    """The rows first to first+n-1 of a table that faiss_test.go computes too."""
    i, j = np.mgrid[first : first + n, 0:DIM]
    return ((i * i * 7 + 13 * i * j + j * j * 5 + 3 * j) % 1009 % 19 - 9).astype("float32")


index = faiss.IndexFlatIP(DIM)
index.add(vectors(0, ROWS))
products, rows = index.search(vectors(ROWS, QUERIES), K)
here = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(here, "faiss.json"), "w", encoding="utf-8") as f:
    lines = (json.dumps({"rows": r, "products": p}) for r, p in zip(rows.tolist(), products.astype(int).tolist()))
    f.write("[\n" + ",\n".join(lines) + "\n]\n")
