#!/usr/bin/env python3
"""Makes the test models and what Python computes with them.

    python3 make_tiny.py                     # tiny/, tiny_pickle/ and tiny.json
    python3 make_tiny.py --minilm FOLDER     # minilm.json: figures of all-MiniLM-L6-v2

Needs torch 2.1.2 and transformers 4.44.2 (pip install torch==2.1.2 transformers==4.44.2 "numpy<2").
The output is the same in every run.
"""
import argparse
import json
import os
import shutil

import torch
from transformers import AutoModel, AutoTokenizer, BertConfig, BertModel, BertTokenizerFast

HERE = os.path.dirname(os.path.abspath(__file__))

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
WORDS = """the of in with and a is was to for after by patients patient had who treated
breast cancer tumor tumour lung renal kidney heart failure acute chronic disease diseases
syndrome diabetes mellitus type fever pain severe head ache carcinoma cells therapy drug
induced liver injury blood pressure high stroke asthma cough""".split()
LETTERS = list("abcdefghijklmnopqrstuvwxyz0123456789.,-")
PIECES = ["##" + c for c in "abcdefghijklmnopqrstuvwxyz"] + ["##s", "##ing", "##ed", "##oma", "##itis"]


def unique(items):
    return list(dict.fromkeys(items))


def rounded(tensor):
    return [[round(float(v), 6) for v in row] for row in tensor]


def tiny():
    vocabulary = unique(SPECIAL + WORDS + LETTERS + PIECES)
    config = BertConfig(
        vocab_size=len(vocabulary), hidden_size=32, num_hidden_layers=2, num_attention_heads=4,
        intermediate_size=64, max_position_embeddings=64, hidden_act="gelu", layer_norm_eps=1e-12,
    )
    torch.manual_seed(7)
    model = BertModel(config).eval()
    for name, p in model.named_parameters():  # the default, 0.02, makes all hidden states alike
        if p.dim() == 2:
            p.data.normal_(0, 0.3)
        else:
            p.data.add_(torch.randn_like(p) * 0.1)
    folder = os.path.join(HERE, "tiny")
    shutil.rmtree(folder, ignore_errors=True)
    model.save_pretrained(folder, safe_serialization=True)
    with open(os.path.join(folder, "vocab.txt"), "w") as f:
        f.write("\n".join(vocabulary) + "\n")
    with open(os.path.join(folder, "tokenizer_config.json"), "w") as f:
        json.dump({"do_lower_case": True, "tokenizer_class": "BertTokenizer", "model_max_length": 64}, f)

    # The same weights as an older BertForMaskedLM would have saved them.
    pickle = os.path.join(HERE, "tiny_pickle")
    shutil.rmtree(pickle, ignore_errors=True)
    os.mkdir(pickle)
    shutil.copy(os.path.join(folder, "config.json"), pickle)
    old = {"bert." + k.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"): v
           for k, v in model.state_dict().items() if not k.startswith("pooler")}
    torch.save(old, os.path.join(pickle, "pytorch_model.bin"))

    rows = [[2, 5, 24, 25, 3], [2, 31, 17, 8, 40, 9, 22, 60, 3], [2, 3]]
    cases = [expected(model, rows)]
    for act in ["gelu_new", "relu"]:
        config.hidden_act = act
        other = BertModel(config).eval()
        other.load_state_dict(model.state_dict())
        cases.append(expected(other, rows[:2]))
    write("tiny.json", cases)


def expected(model, rows):
    """The last hidden states of a padded batch, at its tokens only."""
    width = max(map(len, rows))
    ids = torch.tensor([r + [0] * (width - len(r)) for r in rows])
    mask = torch.tensor([[1] * len(r) + [0] * (width - len(r)) for r in rows])
    with torch.no_grad():
        hidden = model(input_ids=ids, attention_mask=mask).last_hidden_state
    return {
        "hidden_act": model.config.hidden_act,
        "ids": rows,
        "hidden": [rounded(hidden[i, : len(r)]) for i, r in enumerate(rows)],
    }


def minilm(folder):
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModel.from_pretrained(folder).eval()
    texts = [
        "The patient was treated for chronic renal failure and breast carcinoma.",
        "Myalgia.",
        "A 54-year-old woman with type 2 diabetes mellitus presented with severe headache, fever and neck stiffness.",
    ]
    case = expected(model, [tokenizer(t)["input_ids"] for t in texts])
    for states in case["hidden"]:  # [CLS], the middle and [SEP] say enough
        states[:] = [states[0], states[len(states) // 2], states[-1]]
    write("minilm.json", [case])


def write(name, value):
    with open(os.path.join(HERE, name), "w") as f:
        json.dump(value, f, separators=(",", ":"))
        f.write("\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--minilm", metavar="FOLDER")
    args = parser.parse_args()
    minilm(args.minilm) if args.minilm else tiny()
