#!/usr/bin/env python3
"""Tag text with a dictionary, longest match at word boundaries: pyahocorasick, flashtext or spaCy.

    peer_tag.py --engine ahocorasick --dict medic_union.json.gz --text truth.jsonl.gz --docs 1000

--text takes .jsonl(.gz) rows with "text", or with "title" and "abstract" (joined by a newline).
--dict takes {concept: [names]} as .json(.gz), [name, [ids]] rows as .jsonl(.gz), or
name<TAB>id lines as .tsv(.gz). Matching ignores case. The measured time
includes lower-casing, matching and building the list of (start, end, name) of every text; loading
and building are measured separately.

The engines find different mentions, and the counts show it:
  ahocorasick  iter_long, then matches not at a word boundary are dropped; a shorter name inside
               a dropped longer one is lost with it
  flashtext    its word characters are ASCII letters, digits and _ only
  spacy        whole tokens of the blank English tokenizer (attr LOWER), overlaps resolved by
               filter_spans: longest first over the text, not leftmost first
"""

import common


def load_names(path, min_chars):
    """The distinct lower-cased names, sorted."""
    import json

    names = set()
    base = path[:-3] if path.endswith(".gz") else path
    with common.open_text(path) as f:
        if base.endswith(".json"):
            for group in json.load(f).values():
                names.update(group)
        elif base.endswith(".jsonl"):
            names.update(json.loads(line)[0] for line in f)
        else:
            names.update(line.split("\t")[0].rstrip("\n") for line in f)
    names = {lower(" ".join(name.split())) for name in names}
    return sorted(name for name in names if len(name) >= min_chars)


def lower(text):
    """Lower-case text character by character, so that offsets stay valid."""
    low = text.lower()
    if len(low) != len(text):
        low = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    return low


def build_ahocorasick(names):
    import ahocorasick

    automaton = ahocorasick.Automaton()
    for name in names:
        automaton.add_word(name, name)
    automaton.make_automaton()

    def tag(text):
        low, n, found = lower(text), len(text), []
        for last, name in automaton.iter_long(low):
            start, end = last + 1 - len(name), last + 1
            if (start == 0 or not low[start - 1].isalnum()) and (end == n or not low[end].isalnum()):
                found.append((start, end, name))
        return found

    return tag


def build_flashtext(names):
    from flashtext import KeywordProcessor

    processor = KeywordProcessor(case_sensitive=False)
    for name in names:
        processor.add_keyword(name)

    def tag(text):
        return [(start, end, name) for name, start, end in processor.extract_keywords(text, span_info=True)]

    return tag


def build_spacy(names):
    import spacy
    from spacy.matcher import PhraseMatcher
    from spacy.util import filter_spans

    nlp = spacy.blank("en")
    matcher = PhraseMatcher(nlp.vocab, attr="LOWER")
    for i in range(0, len(names), 1000):  # in chunks, so that not all Docs are in memory at once
        matcher.add("NAME", list(nlp.tokenizer.pipe(names[i: i + 1000])))

    def tag(text):
        spans = filter_spans(matcher(nlp.make_doc(text), as_spans=True))
        return [(span.start_char, span.end_char, lower(span.text)) for span in spans]

    return tag


ENGINES = {
    "ahocorasick": (build_ahocorasick, "pyahocorasick"),
    "flashtext": (build_flashtext, "flashtext"),
    "spacy": (build_spacy, "spacy"),
}
TAG = None  # the tagger; global, so that forked processes find it


def tag_all(texts):
    return [TAG(text) for text in texts]


def main():
    global TAG
    import json
    import os

    p = common.parser(__doc__)
    p.add_argument("--engine", choices=sorted(ENGINES), default="ahocorasick")
    p.add_argument("--dict", required=True, help="names: .json, .jsonl or .tsv, may be .gz")
    p.add_argument("--text", required=True, help="texts: .jsonl, may be .gz")
    p.add_argument("--docs", type=int, default=0, help="read this many texts only (default all)")
    p.add_argument("--min-chars", type=int, default=3, help="leave shorter names out (default 3)")
    p.add_argument("--out", help="write every mention to this .jsonl: [text number, start, end, name], offsets in characters")
    args = p.parse_args()
    common.threads(args.threads)

    texts = [row["text"] if "text" in row else row["title"] + "\n" + row["abstract"]
             for row in common.read_jsonl(args.text, args.docs)]
    build, package = ENGINES[args.engine]
    before = common.rss_mb()
    with common.Clock() as building:
        names = load_names(args.dict, args.min_chars)
        TAG = build(names)
    built = common.rss_mb()

    size = -(-len(texts) // (args.threads * 8 if args.threads > 1 else 1)) or 1
    chunks = [texts[i: i + size] for i in range(0, len(texts), size)]
    with common.Clock() as clock:
        found = [mentions for part in common.in_processes(args.threads, tag_all, chunks) for mentions in part]

    if args.out:
        with open(args.out, "w", encoding="utf-8") as f:
            for number, mentions in enumerate(found):
                for mention in mentions:
                    f.write(json.dumps([number, *mention], ensure_ascii=False) + "\n")
    size = sum(len(text.encode()) for text in texts)
    mb = size / 1e6
    common.report(
        "tag", engine=args.engine, versions=common.version(package), threads=args.threads, dict=os.path.basename(args.dict),
        names=len(names), build_seconds=round(building.s, 2), dictionary_mb=round(built - before, 1), docs=len(texts),
        text_bytes=size, text_mb=round(mb, 3), mentions=sum(map(len, found)), distinct_names=len({m[2] for ms in found for m in ms}),
        seconds=round(clock.s, 3), cpu_seconds=round(clock.cpu_s, 3), mb_per_s=round(mb / clock.s, 2),
        docs_per_s=round(len(texts) / clock.s, 1))


if __name__ == "__main__":
    main()
