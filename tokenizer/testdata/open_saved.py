#!/usr/bin/env python3
"""Opens a saved tokenizer as a user of transformers would, and tokenizes.

    python open_saved.py FOLDER < lines_of_json_strings > lines_of_json_ids

The first line written is [number of ids, special markers' ids].
"""

import json
import pathlib
import sys
import tempfile

from transformers import AutoTokenizer, BertTokenizer

fast = AutoTokenizer.from_pretrained(sys.argv[1])
assert fast.is_fast and set(fast.additional_special_tokens) >= {"[ENT]", "[/ENT]"}, fast
print(json.dumps([len(fast), *fast.convert_tokens_to_ids(["[ENT]", "[/ENT]"])]))

# The added tokens are listed as the library itself would list them.
with tempfile.TemporaryDirectory() as again:
    fast.save_pretrained(again)
    ours, theirs = (json.loads((pathlib.Path(d) / "tokenizer_config.json").read_text()) for d in (sys.argv[1], again))
    key = "added_tokens_decoder"
    assert ours[key] == theirs[key], (ours[key], theirs[key])

slow = BertTokenizer.from_pretrained(sys.argv[1])
assert slow.convert_tokens_to_ids(["[ENT]", "[/ENT]"]) == fast.convert_tokens_to_ids(["[ENT]", "[/ENT]"])

for line in sys.stdin:
    print(json.dumps(fast(json.loads(line))["input_ids"]))
