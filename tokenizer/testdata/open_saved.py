#!/usr/bin/env python3
"""Opens a saved tokenizer as a user of transformers would, and tokenizes.

    python open_saved.py FOLDER < lines_of_json_strings > lines_of_json_ids

The first line written is [number of ids, special markers' ids].
"""

import json
import sys

from transformers import AutoTokenizer, BertTokenizer

fast = AutoTokenizer.from_pretrained(sys.argv[1])
assert fast.is_fast and set(fast.additional_special_tokens) >= {"[ENT]", "[/ENT]"}, fast
print(json.dumps([len(fast), *fast.convert_tokens_to_ids(["[ENT]", "[/ENT]"])]))
slow = BertTokenizer.from_pretrained(sys.argv[1])
assert slow.convert_tokens_to_ids(["[ENT]", "[/ENT]"]) == fast.convert_tokens_to_ids(["[ENT]", "[/ENT]"])
for line in sys.stdin:
    print(json.dumps(fast(json.loads(line))["input_ids"]))
