"""Writes toy.json: a small name encoder of Phan et al. (ACL 2019) computed by PyTorch's LSTM.

    python3 make_toy.py > toy.json

Sequences are packed, so that PyTorch reads no padding.
"""

import json

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

torch.manual_seed(1)
CHARACTERS, WIDTH, HIDDEN, WORD, OUT = 7, 3, 2, 4, 5
table = torch.randn(CHARACTERS, WIDTH)
chars = nn.LSTM(WIDTH, HIDDEN, bidirectional=True, batch_first=True)
words = nn.LSTM(WORD + 2 * HIDDEN, HIDDEN, bidirectional=True, batch_first=True)
linear = nn.Linear(2 * HIDDEN, OUT)

# Names of one to four words, of one to five characters.
names = [
    [([1, 2, 3], torch.randn(WORD)), ([4], torch.randn(WORD))],
    [([6, 5, 4, 3, 2], torch.zeros(WORD))],
    [([1], torch.randn(WORD)), ([1, 1], torch.randn(WORD)), ([2, 0], torch.randn(WORD)), ([3, 5, 6, 1], torch.randn(WORD))],
]


def run(lstm, sequences):
    lengths = torch.tensor([len(s) for s in sequences])
    packed = pack_padded_sequence(pad_sequence(sequences, batch_first=True), lengths, batch_first=True, enforce_sorted=False)
    output, (hidden, _) = lstm(packed)
    output, _ = pad_packed_sequence(output, batch_first=True, padding_value=float("-inf"))
    return output.amax(dim=1), torch.cat([hidden[0], hidden[1]], dim=1)


with torch.no_grad():
    _, last = run(chars, [table[ids] for name in names for ids, _ in name])
    rows = torch.cat([torch.stack([vector for name in names for _, vector in name]), last], dim=1)
    sequences, start = [], 0
    for name in names:
        sequences.append(rows[start : start + len(name)])
        start += len(name)
    greatest, _ = run(words, sequences)
    encoded = linear(greatest)


def direction(lstm, suffix):
    return {k: getattr(lstm, f"{k}_l0{suffix}").tolist() for k in ["weight_ih", "weight_hh", "bias_ih", "bias_hh"]}


def both(lstm):
    return {"forward": direction(lstm, ""), "backward": direction(lstm, "_reverse")}


print(
    json.dumps(
        {
            "torch": torch.__version__.split("+")[0],
            "hidden": HIDDEN,
            "characters": table.tolist(),
            "character_lstm": both(chars),
            "word_lstm": both(words),
            "weight": linear.weight.tolist(),
            "bias": linear.bias.tolist(),
            "names": [[{"characters": ids, "vector": vector.tolist()} for ids, vector in name] for name in names],
            "encoded": encoded.tolist(),
        }
    )
)
