#!/usr/bin/env python3
"""Read PubMed XML (.xml.gz) to (pmid, title, abstract) with lxml or with pubmed_parser.

    peer_xml.py --engine lxml DIR/*.xml.gz [--truth DIR/truth.jsonl.gz] [--out docs.jsonl.gz]

With --truth (written by make_pubmed_xml.py) every record is compared with what a
correct reader recovers. pubmed_parser puts the section labels into the abstract, so they are also
added to the truth for it. --threads N reads N files at a time, one process each. The measured time
includes decompression and, with --threads, returning the records to the first process; it does not
include writing --out and comparing.
"""

import common


def read_lxml(path):
    """Yield (pmid, title, abstract) and free each citation after it was read."""
    import gzip

    from lxml import etree

    def text(element):
        return common.squeeze("".join(element.itertext()))

    with gzip.open(path, "rb") as f:
        for _, element in etree.iterparse(f, events=("end",), tag=("MedlineCitation", "PubmedArticle")):
            if element.tag == "MedlineCitation":
                title = element.find("Article/ArticleTitle")
                sections = [text(e) for e in element.iterfind("Article/Abstract/AbstractText")]
                yield element.findtext("PMID"), "" if title is None else text(title), " ".join(s for s in sections if s)
            element.clear()
            while element.getprevious() is not None:
                del element.getparent()[0]


def read_pubmed_parser(path):
    import pubmed_parser

    for row in pubmed_parser.parse_medline_xml(path):
        if not row["delete"]:
            yield row["pmid"], row["title"], row["abstract"]


ENGINES = {"lxml": (read_lxml, "lxml"), "pubmed_parser": (read_pubmed_parser, "pubmed_parser")}


def read_file(job):
    engine, path = job
    return list(ENGINES[engine][0](path))


def expected(row, engine):
    """The title and abstract that the engine should return for a row of the truth."""
    if engine == "pubmed_parser" and len(row["sections"]) > 1:
        abstract = " ".join(part for label, text in row["sections"] for part in (label, text) if part)
    else:
        abstract = row["abstract"]
    return row["title"], abstract


def compare(records, truth, engine):
    want = {row["pmid"]: expected(row, engine) for row in common.read_jsonl(truth)}
    seen, titles, abstracts, extra, examples = set(), 0, 0, 0, []
    for pmid, title, abstract in records:
        if pmid not in want or pmid in seen:
            extra += 1
            continue
        seen.add(pmid)
        wrong_title, wrong_abstract = common.squeeze(title) != want[pmid][0], common.squeeze(abstract) != want[pmid][1]
        titles += wrong_title
        abstracts += wrong_abstract
        if (wrong_title or wrong_abstract) and len(examples) < 3:
            examples.append(pmid)
    return {"truth": len(want), "missing": len(want) - len(seen), "extra": extra, "titles_wrong": titles,
            "abstracts_wrong": abstracts, "wrong_examples": examples}


def unpacked_bytes(path):
    import gzip

    total = 0
    with gzip.open(path, "rb") as f:
        while block := f.read(1 << 20):
            total += len(block)
    return total


def main():
    import gzip
    import json
    import os

    p = common.parser(__doc__)
    p.add_argument("--engine", choices=sorted(ENGINES), default="lxml")
    p.add_argument("--truth", help="truth.jsonl.gz to compare every record with")
    p.add_argument("--out", help="write the records to this .jsonl.gz")
    p.add_argument("files", nargs="+", help="PubMed XML, .xml.gz")
    args = p.parse_args()
    common.threads(args.threads)

    __import__(ENGINES[args.engine][1])  # so that the import is not measured
    jobs = [(args.engine, path) for path in args.files]
    with common.Clock() as clock:
        parts = common.in_processes(args.threads, read_file, jobs)
    records = [record for part in parts for record in part]
    fields = {}
    if args.truth:
        fields = compare(records, args.truth, args.engine)
    if args.out:
        with gzip.open(args.out, "wt", encoding="utf-8", compresslevel=1) as f:
            for pmid, title, abstract in records:
                f.write(json.dumps({"pmid": pmid, "title": title, "abstract": abstract}, ensure_ascii=False) + "\n")
    xml = sum(map(unpacked_bytes, args.files))
    text = sum(len(t.encode()) + len(a.encode()) for _, t, a in records)
    common.report(
        "xml", engine=args.engine, versions=common.version(args.engine.replace("_", "-")), threads=args.threads,
        files=len(args.files), records=len(records), with_abstract=sum(bool(r[2]) for r in records),
        gz_mb=round(sum(map(os.path.getsize, args.files)) / 1e6, 3), xml_mb=round(xml / 1e6, 3),
        xml_bytes=xml, text_bytes=text, text_mb=round(text / 1e6, 3),
        seconds=round(clock.s, 3), cpu_seconds=round(clock.cpu_s, 3),
        xml_mb_per_s=round(xml / 1e6 / clock.s, 2), records_per_s=round(len(records) / clock.s, 1),
        **fields)


if __name__ == "__main__":
    main()
