#!/usr/bin/env python3
"""Writes golden.json: what transformers' fast BertTokenizer makes of marked text.

    python make_golden.py [FOLDER_OF_TOKENIZERS]

with transformers==4.44.2 and tokenizers==0.19.1. tiny is the hand-written
vocabulary beside this script; FOLDER_OF_TOKENIZERS holds the folders named in
REAL, and without it their ids are kept as golden.json has them.

In CASES the queried mention stands in « » and other mentions in ‹ ›.
"""

import json
import pathlib
import re
import sys

from transformers import BertTokenizerFast

HERE = pathlib.Path(__file__).parent
REAL = ["pubmedbert-abstract-tokenizer", "pubmedbert-fulltext-tokenizer", "bge-small-en-v1.5-vocab"]

CASES = [
    "A patient with «renal cell carcinoma» was treated.",
    "«Hepatitis»",
    "«TdP» in ‹breast cancer›, ‹ovarian cancers› and ‹lung fibrosis›.",
    "non-«small-cell»-lung, (‹acute› pain)",
    "pre«cancer»ous: the markers split a word",
    "Naïve «Sjögren's syndrome», ‹Ménière's› and Behc\u0327et by composed and combining accents",
    "ÄÖÜ «ÅNGSTRÖM» ñ Œdème ß İstanbul ıı Ǆ ﬁbrosis",
    "糖尿病の«病名正規化»について、がん",
    "mixed 糖尿病type 2«diabetes病»x",
    "한국어 «당뇨병» ไทย हिन्दी العربية",
    "TNF-α, IL-1β and «β-thalassemia»; Δ9 µg 37°C ≥5 ± 2 ×10⁻³ ½",
    "smile 😀 «👩‍👩‍👧 family» 🇩🇪 ❤️ end",
    "control\u0001 chars\u007f \u0085 and\u200b zero\u200dwidth «soft\u00adhyphen» \ufeffbom \ufffd end",
    "nul \u0000 in«si\u0000de» the text\u0000",
    "white\tspace\nnew\r\nline «no\u00a0break  double   spaces» \u3000 wide \u2028 end ",
    "  «leading and trailing»  ",
    "x" * 99 + " " + "y" * 100 + " «" + "z" * 101 + "» " + "é" * 101,
    "A" * 250 + "«b»",
    "\"quotes\" 'single' «it's O'Brien's» `tick` “curly” ‘’ — – … • § ¶ † ™ © ®",
    "1,234.5 mg/kg (p<0.05; 95% CI: 1.2-3.4) «type-2 diabetes (T2DM)» [12]",
    "#hash @at ~tilde ^caret _under_ |pipe| {brace} $5 €7 «a+b=c*d/e\\f»",
    "https://example.org/a?b=c&d=e «e-mail@example.org» 10.1000/xyz123",
    "«COVID-19» SARS-CoV-2 H1N1 BRCA1 p53 t(4;11)(q21;q23) c.76A>T",
    "fullwidth ＡＢＣ１２３ «ﾊﾝｶｸ» 𝔞𝔟𝔠 𝟙𝟚 ℃ Ⅳ",
    "private \ue000 «\U000f0000unassigned\u0378» \U0010ffff end",
    "«unhappiness» pneumonoultramicroscopicsilicovolcanoconiosis",
    "«[» ] (a) [b] [ENT [/ENT ENT] [/]",
    "‹a›‹b›«c»‹d›‹e›",
    "‹糖›‹尿›«病»",
    "«\u0001»",
    "...«!!!»???",
    "Ⅷ «𝐁𝐨𝐥𝐝» ǅ ŉ ﬀ İ i̇ Σίσυφος ΑΣ",
    "don’t «can't» won't’ve",
    "end with marker ‹fever› «pain»",
]


def parse(case):
    """The text, the mention, the others (in bytes), and the text with markers."""
    text, spans, start = "", [], None
    for part in re.split("([«»‹›])", case):
        if part in "«‹" and part:
            start = len(text.encode())
        elif part in "»›" and part:
            spans.append((part == "»", [start, len(text.encode())]))
        else:
            text += part
    (mention,) = [span for query, span in spans if query]
    others = [span for query, span in spans if not query]
    marked = re.sub("[«‹]", "[ENT] ", re.sub("[»›]", " [/ENT]", case))
    return {"text": text, "mention": mention, "others": others}, marked


def main():
    tokenizers = {"tiny": HERE / "tiny"}
    if len(sys.argv) > 1:
        tokenizers |= {name: pathlib.Path(sys.argv[1]) / name for name in REAL}
    path = HERE / "golden.json"
    before = json.loads(path.read_text())["ids"] if path.exists() else {}
    parsed = [parse(case) for case in CASES]
    ids = {name: rows for name, rows in before.items() if len(rows) == len(parsed)}
    for name, folder in tokenizers.items():
        tokenizer = BertTokenizerFast.from_pretrained(folder)
        tokenizer.add_special_tokens({"additional_special_tokens": ["[ENT]", "[/ENT]"]})
        ids[name] = [tokenizer(marked)["input_ids"] for _, marked in parsed]
    rows = ",\n".join("  " + json.dumps(case) for case, _ in parsed)
    names = ",\n".join(
        "  " + json.dumps(name) + ": [\n" + ",\n".join("   " + json.dumps(row) for row in rows) + "\n  ]"
        for name, rows in sorted(ids.items())
    )
    path.write_text(f'{{\n "cases": [\n{rows}\n ],\n "ids": {{\n{names}\n }}\n}}\n')


main()
