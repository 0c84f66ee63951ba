#!/usr/bin/env python3
"""Opens an encoder's folder as Python does and prints what it found, as JSON.

    python3 open_folder.py FOLDER "text with [ENT] markers [/ENT]"
"""
import json
import sys

import torch
from transformers import AutoModel, AutoTokenizer

folder, text = sys.argv[1:]
tokenizer = AutoTokenizer.from_pretrained(folder)
model, info = AutoModel.from_pretrained(folder, output_loading_info=True)
model.eval()
inputs = tokenizer(text, return_tensors="pt")
with torch.no_grad():
    hidden = model(**inputs).last_hidden_state[0]
json.dump({
    "missing": info["missing_keys"],
    "unexpected": info["unexpected_keys"],
    "mismatched": [str(key) for key in info["mismatched_keys"]],
    "ids": inputs["input_ids"][0].tolist(),
    "rows": model.embeddings.word_embeddings.num_embeddings,
    "hidden": hidden.tolist(),
}, sys.stdout)
