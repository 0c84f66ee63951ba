#!/usr/bin/env python3
"""Look names of a large dictionary up by strings: tantivy, quickumls-simstring, SQLite FTS5, rapidfuzz.

    peer_names.py --engine tantivy --dict names.jsonl --out DIR        build an index
    peer_names.py --engine tantivy --index DIR --queries queries.jsonl search it

The engines compare trigrams: tantivy and FTS5 rank by BM25, simstring by Jaccard's coefficient of .5 or
more (.7, the default of QuickUMLS, finds fewer). rapidfuzz has no index: its --index is the dictionary, and it compares all
names by token_sort_ratio.
"""

import collections
import json
import os
import time

import common

NEAREST = 30


def grams(text):
    return {text[i: i + 3] for i in range(len(text) - 2)}


class Tantivy:
    package = "tantivy"

    def __init__(self, folder, names=None):
        import tantivy as t

        self.t = t
        s = t.SchemaBuilder()
        s.add_text_field("grams", stored=False, tokenizer_name="grams", index_option="freq")
        s.add_text_field("concept", stored=True, tokenizer_name="raw")
        self.schema = s.build()
        if names is not None:
            os.makedirs(folder)
        self.index = t.Index(self.schema, path=folder)
        self.index.register_tokenizer("grams", t.TextAnalyzerBuilder(t.Tokenizer.ngram(3, 3, False)).filter(t.Filter.lowercase()).build())
        if names is not None:
            writer = self.index.writer(200_000_000, 1)
            for name, concepts in names:
                for c in concepts:
                    writer.add_document(t.Document(grams=f" {name} ", concept=c))
            writer.commit()
            writer.wait_merging_threads()
        self.index.reload()
        self.searcher = self.index.searcher()

    def search(self, query):
        one = [(self.t.Occur.Should, self.t.Query.term_query(self.schema, "grams", g, "freq")) for g in sorted(grams(f" {query} "))]
        hits = self.searcher.search(self.t.Query.boolean_query(one), NEAREST).hits
        return [self.searcher.doc(at)["concept"][0] for _, at in hits]


class FTS5:
    package = None

    def __init__(self, path, names=None):
        import sqlite3

        self.db = sqlite3.connect(path)
        if names is not None:
            self.db.execute("create virtual table names using fts5(name, concept unindexed, tokenize='trigram')")
            self.db.executemany("insert into names values (?, ?)", ((n, c) for n, concepts in names for c in concepts))
            self.db.commit()

    def search(self, query):
        match = " OR ".join('"' + g.replace('"', '""') + '"' for g in sorted(grams(query)))
        return [c for c, in self.db.execute("select concept from names where names match ? order by rank limit ?", (match, NEAREST))]


class SimString:
    package = "quickumls_simstring"

    def __init__(self, folder, names=None):
        import quickumls_simstring.simstring as ss

        concepts = os.path.join(folder, "concepts.json")
        if names is not None:
            os.makedirs(folder)
            writer, by_name = ss.writer(os.path.join(folder, "names"), 3, False, True), {}
            for name, ids in names:
                by_name.setdefault(name, []).extend(ids)
            for name in by_name:
                writer.insert(name)
            writer.close()
            with open(concepts, "w") as f:
                json.dump(by_name, f)
        self.reader = ss.reader(os.path.join(folder, "names"))
        self.reader.measure, self.reader.threshold = ss.jaccard, .5
        with open(concepts) as f:
            self.concepts = json.load(f)

    def search(self, query):
        wanted = grams(query)
        found = sorted(self.reader.retrieve(query), key=lambda n: -len(wanted & grams(n)) / max(1, len(wanted | grams(n))))
        return [c for n in found[:NEAREST] for c in self.concepts.get(n, ())]


class RapidFuzz:
    package = "rapidfuzz"

    def __init__(self, path, names=None):
        from rapidfuzz import fuzz, process

        rows = list(common.read_jsonl(path))
        self.names, self.concepts = [r[0] for r in rows], [r[1] for r in rows]
        self.extract = lambda q: process.extract(q, self.names, scorer=fuzz.token_sort_ratio, limit=NEAREST)

    def search(self, query):
        return [c for _, _, at in self.extract(query) for c in self.concepts[at]]


def size(path):
    if os.path.isfile(path):
        return os.path.getsize(path)
    return sum(os.path.getsize(os.path.join(d, f)) for d, _, files in os.walk(path) for f in files)


def main():
    engines = {"tantivy": Tantivy, "simstring": SimString, "fts5": FTS5, "rapidfuzz": RapidFuzz}
    p = common.parser(__doc__)
    p.add_argument("--engine", required=True, choices=engines)
    p.add_argument("--dict", help="names to build an index of: lines of [name, [concept, ...]]")
    p.add_argument("--out", help="the index to write")
    p.add_argument("--index", help="the index to search")
    p.add_argument("--queries", help='lines of {"text", "kind", "gold"}')
    args = p.parse_args()
    common.threads(args.threads)
    engine = engines[args.engine]
    packages = common.version(engine.package) if engine.package else {}
    if args.out:
        concepts = set()
        engine(args.out, ((name, concepts.update(ids) or ids) for name, ids in common.read_jsonl(args.dict)))
        common.report(args.engine, versions=packages, bytes=size(args.out), **{"dictionary.concepts": len(concepts)})
        return
    began = time.perf_counter()
    found = engine(args.index)
    found.search("fever")
    opened = 1000 * (time.perf_counter() - began)
    right, spent = collections.Counter(), []
    for q in common.read_jsonl(args.queries):
        start = time.process_time()
        first = found.search(q["text"].lower())[:1]
        spent.append(1000 * (time.process_time() - start))
        right[q["kind"]] += bool(set(first) & set(q["gold"]))
    spent.sort()
    common.report(args.engine, versions=packages, queries=len(spent), open_ms=opened, bytes=size(args.index), query_ms=sum(spent) / len(spent),
                  query_ms_p50=spent[len(spent) // 2], query_ms_p99=spent[int(.99 * len(spent))], **right)


if __name__ == "__main__":
    main()
