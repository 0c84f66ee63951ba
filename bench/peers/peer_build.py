#!/usr/bin/env python3
"""The whole of build-corpus as a Python user would write it: PubMed XML in, tagged sentences out.

    peer_build.py --dict names.json --out corpus.jsonl.gz DIR/*.xml.gz

It decompresses, parses with lxml iterparse, splits sentences, tags with pyahocorasick (longest match
at word boundaries) and keeps the --per-name sentences with the smallest hash for every name, written
as .jsonl.gz. Reading and tagging are those of peer_xml.py and peer_tag.py.

--definitions adds what build-corpus does beside that: the short forms that a record defines, which the
package abbreviations finds (Schwartz & Hearst), are mentions wherever the record has them, if the long
form or the short form is a name, or the short form the initials of one; pairs of short and long forms
are collected; the texts of --texts records are kept; and every file is hashed.

--splitter regex (default) splits after a full stop before a capital or a bracket, which is fast
and wrong after "e.g." and "vs."; --splitter spacy is spaCy's rule-based sentencizer, ten times
slower. --threads N reads N files at a time, one process each, and merges their samples.

The caller measures it, since reading the dictionary and starting Python are part of the job.
"seconds" does not include the start of Python.
"""

import hashlib
import heapq
import re
import zlib

import common
import peer_tag
import peer_xml

BREAK = re.compile(r"(?<=[.?!])\s+(?=[A-Z(\[])")
TAG = SPLIT = DEFINED = None  # global, so that forked processes find them


def split_regex(text):
    return [part for part in BREAK.split(text) if part]


def new_split_spacy():
    import spacy

    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    return lambda text: [sentence.text for sentence in nlp(text).sents]


def new_definitions(names):
    """Return a function of a record's sentences: the mentions of defined short forms, by sentence, and the definitions."""
    from abbreviations import schwartz_hearst

    names = set(names)
    may_stand = names | {"".join(word[0] for word in name.split()) for name in names}

    def defined(sentences):
        pairs = schwartz_hearst.extract_abbreviation_definition_pairs(doc_text="\n".join(sentences))
        pairs = {str(short): peer_tag.lower(str(long)) for short, long in pairs.items()}
        shorts = [s for s, long in pairs.items() if long in names or peer_tag.lower(s) in may_stand]
        if not shorts:
            return [[]] * len(sentences), pairs
        pattern = re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, sorted(shorts, key=len, reverse=True))) + r")(?!\w)")
        return [[(m.start(), m.end(), pairs[m.group()]) for m in pattern.finditer(text)] for text in sentences], pairs

    return defined


def overlay(found, defined):
    """The mentions of both, without the names that overlap a short form."""
    free = [m for m in found if all(m[1] <= start or end <= m[0] for start, end, _ in defined)]
    return sorted(free + defined)


def sha256(path):
    with open(path, "rb") as f:
        return hashlib.file_digest(f, "sha256").hexdigest()


class Sample:
    """The n sentences with the smallest keys for every name."""

    def __init__(self, n):
        self.n, self.heaps = n, {}
        self.added = 0  # so that equal keys never compare rows

    def add(self, name, key, row):
        heap = self.heaps.setdefault(name, [])
        self.added += 1
        if len(heap) < self.n:
            heapq.heappush(heap, (-key, self.added, row))
        elif -key > heap[0][0]:
            heapq.heapreplace(heap, (-key, self.added, row))

    def join(self, other):
        for name, heap in other.heaps.items():
            for key, _, row in heap:
                self.add(name, -key, row)

    def rows(self):
        """The distinct sentences, ordered by PMID and index."""
        kept = {(row["pmid"], row["index"]): row for heap in self.heaps.values() for _, _, row in heap}
        return [kept[place] for place in sorted(kept)]


def read_file(job):
    path, per_name, texts = job
    count = {"records": 0, "sentences": 0, "tagged": 0, "names_found": 0, "defined": 0}
    sample, kept_texts, pairs = Sample(per_name), Sample(texts), {}
    if DEFINED:
        sha256(path)
    for pmid, title, abstract in peer_xml.read_lxml(path):
        count["records"] += 1
        sentences = [title] * bool(title) + SPLIT(abstract)
        count["sentences"] += len(sentences)
        defined = None
        if DEFINED:
            defined, definitions = DEFINED(sentences)
            for pair in definitions.items():
                pairs.setdefault(pair, []).append(pmid)
            kept_texts.add("", zlib.crc32(pmid.encode()), {"pmid": pmid, "index": 0, "text": title + "\n" + abstract})
        for index, text in enumerate(sentences):
            found = TAG(text)
            if defined and defined[index]:
                found = overlay(found, defined[index])
                count["defined"] += len(defined[index])
                count["names_found"] -= len(defined[index])
            if not found:
                continue
            count["tagged"] += 1
            count["names_found"] += len(found)
            row = {"pmid": pmid, "index": index, "text": text, "mentions": found}
            for name in {name for _, _, name in found}:
                sample.add(name, zlib.crc32(f"{pmid} {index} {name}".encode()), row)
    return count, sample, kept_texts, pairs


def main():
    global TAG, SPLIT, DEFINED
    import gzip
    import json
    import os

    p = common.parser(__doc__)
    p.add_argument("--dict", required=True, help="names: .json, .jsonl or .tsv, may be .gz")
    p.add_argument("--out", required=True, help=".jsonl.gz to write")
    p.add_argument("--per-name", type=int, default=50, help="sentences kept for a name, at most (50)")
    p.add_argument("--min-chars", type=int, default=3, help="leave shorter names out (3)")
    p.add_argument("--splitter", choices=("regex", "spacy"), default="regex")
    p.add_argument("--definitions", action="store_true", help="also what build-corpus does beside tagging, see above")
    p.add_argument("--texts", type=int, default=50000, help="records whose text --definitions keeps, at most (50000)")
    p.add_argument("files", nargs="+", help="PubMed XML, .xml.gz")
    args = p.parse_args()
    common.threads(args.threads)

    with common.Clock() as clock:
        names = peer_tag.load_names(args.dict, args.min_chars)
        TAG = peer_tag.build_ahocorasick(names)
        SPLIT = split_regex if args.splitter == "regex" else new_split_spacy()
        DEFINED = new_definitions(names) if args.definitions else None
        total, sample, texts, pairs = {}, Sample(args.per_name), Sample(args.texts), {}
        jobs = [(path, args.per_name, args.texts) for path in args.files]
        for count, part, part_texts, part_pairs in common.in_processes(args.threads, read_file, jobs):
            total = {key: total.get(key, 0) + n for key, n in count.items()}
            sample.join(part)
            texts.join(part_texts)
            for pair, pmids in part_pairs.items():
                pairs.setdefault(pair, []).extend(pmids)
        rows = sample.rows()
        with gzip.open(args.out, "wt", encoding="utf-8", compresslevel=6) as f:
            for row in rows + texts.rows() + [{"short": s, "long": l, "pmids": p} for (s, l), p in sorted(pairs.items())]:
                f.write(json.dumps(row, ensure_ascii=False) + "\n")
    packages = ["lxml", "pyahocorasick"] + ["spacy"] * (args.splitter == "spacy") + ["abbreviations"] * args.definitions
    common.report(
        "build", versions=common.version(*packages), threads=args.threads, splitter=args.splitter,
        dict=os.path.basename(args.dict), names=len(names), files=len(args.files), **total, sampled=len(rows), pairs=len(pairs),
        seconds=round(clock.s, 3), cpu_seconds=round(clock.cpu_s, 3),
        written_mb=round(os.path.getsize(args.out) / 1e6, 3))


if __name__ == "__main__":
    main()
