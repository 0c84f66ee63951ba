#!/usr/bin/env python3
"""Make PubMed-shaped XML (.xml.gz) from the raw text, with the answers beside it.

The files look like the yearly PubMed baseline: <PubmedArticleSet> with its DOCTYPE,
<MedlineCitation> with dates, journal, title, abstract (structured in a share of the records),
authors, chemicals, MeSH headings, <OtherAbstract> in some, history and references in
<PubmedData>, <DeleteCitation> at the end of every file. Only the titles and abstracts are real;
names, journals, identifiers and references are invented.

    make_pubmed_xml.py --docs 30000 --files 4 --out DIR

writes DIR/pubmed00n0001.xml.gz ... and DIR/truth.jsonl.gz. The same arguments give the same
bytes. One JSON line about what was written goes to standard output.

truth.jsonl.gz, one row per record in file order:

    {"pmid": "50000003", "file": "pubmed00n0001.xml.gz", "title": "...", "abstract": "...",
     "sections": [[null, "..."]], "src": "ade", "id": "7848955"}

What a correct reader recovers, and so what title and abstract hold:
  * the text of ArticleTitle, and of every AbstractText of Article/Abstract, inline tags dropped
    (their text kept, at any depth), entities and character references decoded;
  * runs of space, tab, CR and LF become one space, ends trimmed. Other Unicode spaces (U+2009,
    U+00A0) are text and stay;
  * sections ([Label or null, text]) joined by one space, labels left out;
  * CopyrightInformation, OtherAbstract and VernacularTitle are not part of either; the record's
    PMID is MedlineCitation/PMID, not one of the PMIDs in CommentsCorrections, the references or
    DeleteCitation; a record with no Abstract has abstract "" and sections [].

Needs the standard library only.
"""

import argparse
import gzip
import io
import json
import os
import random
import re
import sys
import time

DATA = os.environ.get("CTXNORM_DATA", "")

FIRST_PMID = 50_000_001  # above every real PMID, so that no list of test PMIDs can match one
MAX_CHARS = 2400  # longer documents are cut into pieces of at most this, at sentence ends
MIN_CHARS = 80

DOCTYPE = (
    '<?xml version="1.0" encoding="utf-8"?>\n'
    '<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2025//EN" '
    '"https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">\n'
)
XML_SPACE = re.compile(r"[ \t\r\n]+")
NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
WORD = re.compile(r"[A-Za-z][A-Za-z-]{3,}")
NUMBERED = re.compile(r"[A-Za-z)](\d+|[+-])(?![\w.])")
SENTENCE_END = re.compile(r"(?<=[.?!]) (?=[A-Z(])")
GREEK = [("alpha", "α"), ("beta", "β"), ("gamma", "γ"), ("kappa", "κ"), ("micro", "µ"),
         ("+/-", "±"), (">or=", "≥"), ("<or=", "≤"), (" < ", "\u2009<\u2009"), (" = ", "\u2009=\u2009")]

MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
LABELS = [
    ("BACKGROUND", "BACKGROUND"), ("OBJECTIVE", "OBJECTIVE"), ("METHODS", "METHODS"),
    ("RESULTS", "RESULTS"), ("CONCLUSIONS", "CONCLUSIONS"),
]
OTHER_LABELS = [
    ("PURPOSE OF REVIEW", "OBJECTIVE"), ("DESIGN, SETTING &amp; PATIENTS", "METHODS"),
    ("FINDINGS", "RESULTS"), ("INTERPRETATION", "CONCLUSIONS"), ("FUNDING", "BACKGROUND"),
]
STEMS = "Clinical Molecular Experimental Applied Internal General European American Surgical Translational".split()
FIELDS = ("oncology", "pathology", "medicine", "genetics", "immunology", "cardiology", "neurology",
          "pharmacology", "microbiology", "pediatrics", "surgery", "psychiatry")
COUNTRIES = "England;United States;Netherlands;Germany;Switzerland;Japan;France;Italy;Denmark;Spain".split(";")
TOWNS = "Harwick;Nordstad;Velmar;São Bento;Kirchfeld;Østby;Toriyama;Lindholm;Montclair;Zielona".split(";")
UNITS = ("Department of {f}", "Division of {f} and Research Methods", "Institute of {s} {f}",
         "Centre for {s} {f} and Population Health")
PLACES = ("University Hospital {t}", "{t} Medical School, University of {t}", "{t} General Hospital",
          "Faculty of Medicine, {t} University")
SYLLABLES = "an ber ca del er fi gu han iv jo ka lin mo nar or pe ra son ta ul ver wei xi yo zu ström ñez ić".split()
QUALIFIERS = [("Q000188", "drug therapy"), ("Q000235", "genetics"), ("Q000378", "metabolism"),
              ("Q000473", "pathology"), ("Q000175", "diagnosis"), ("Q000150", "complications")]
OTHER_TEXT = {
    "spa": "Antecedentes: se estudió la evolución de los pacientes &lt;65 años. Métodos: revisión "
           "retrospectiva. Conclusión: el tratamiento precoz mejora la supervivencia.",
    "fre": "Objectif : évaluer l'efficacité du traitement. Méthodes : étude rétrospective. "
           "Conclusion : une prise en charge précoce améliore la survie.",
    "chi": "<b>目的：</b>探讨该病的临床特征。<b>方法：</b>回顾性分析。<b>结论：</b>早期治疗可改善预后。",
    "ger": "Hintergrund: Untersucht wurde der Verlauf bei Patienten über 65 Jahre. "
           "Schlussfolgerung: Die frühe Behandlung verbessert das Überleben.",
}


def read_lines(path):
    with gzip.open(path, "rt", encoding="utf-8") as f:
        yield from f


def load_vocabularies():
    """MeSH headings and substances as (id, escaped name); short lists if the data is not there."""
    mesh, chemicals = {}, {}
    try:
        rows = read_lines(os.path.join(DATA, "dict", "mesh_descriptors_c_f_tree.tsv.gz"))
        next(rows)
        for row in rows:
            ui, name = row.split("\t")[:2]
            mesh[ui] = escape(name)
        for row in read_lines(os.path.join(DATA, "dict", "chemicals_mesh.tsv.gz")):
            name, ui = row.rstrip("\n").split("\t")
            if len(name) < 60:
                chemicals.setdefault(ui, escape(name))
    except FileNotFoundError:
        mesh = {"D009369": "Neoplasms", "D003920": "Diabetes Mellitus", "D006333": "Heart Failure"}
        chemicals = {"D001241": "Aspirin", "D007328": "Insulin"}
    return list(mesh.items()), list(chemicals.items())


def clean(text):
    return XML_SPACE.sub(" ", NOT_XML.sub("", text)).strip(" ")


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def pieces(text):
    """Cut text into (start, end) of at most MAX_CHARS, at sentence ends where there are any."""
    start, n = 0, len(text)
    while n - start > MAX_CHARS:
        end = text.rfind(". ", start + MAX_CHARS // 3, start + MAX_CHARS) + 1
        if end <= 0:
            end = text.rfind(" ", start + 1, start + MAX_CHARS)
        if end <= start:
            end = start + MAX_CHARS
        yield start, end
        start = end
    if n - start >= MIN_CHARS or start == 0:
        yield start, n


def load_records(path, wanted, sources, seed):
    """[(src, id, text)]: the first pieces of all documents in random order, then their rests."""
    first, rest = [], []
    for line in read_lines(path):
        row = json.loads(line)
        if sources and row["src"] not in sources:
            continue
        text = row["text"]
        if len(text) < MIN_CHARS:
            continue
        for number, (start, end) in enumerate(pieces(text)):
            bucket = rest if number else first
            bucket.append((row["src"], row["id"], text, start, end))
    rng = random.Random(f"{seed}:order")
    rng.shuffle(first)
    if not wanted or wanted > len(first):
        rng.shuffle(rest)
        first += rest
    return first[:wanted] if wanted else first


class Record:
    """One citation: what it says (title, sections) and how it is written (xml())."""

    def __init__(self, maker, pmid, src, ident, text, key):
        self.maker, self.pmid, self.src, self.ident = maker, pmid, src, ident
        self.rng = rng = random.Random(key)
        text = self.dress(text)
        self.title, body = self.split_title(text)
        self.foreign = rng.random() < 0.03
        if self.foreign:
            self.title = "[" + self.title.rstrip(".") + "]."
        self.sections = []
        if rng.random() >= maker.no_abstract and len(body) >= MIN_CHARS:
            self.sections = self.split_sections(body)

    @property
    def abstract(self):
        return " ".join(text for _, text in self.sections)

    def dress(self, text):
        """Put the non-ASCII characters that PubMed is full of back into a share of the records."""
        if self.rng.random() < 0.4:
            for plain, fancy in GREEK:
                text = text.replace(plain, fancy)
        if self.rng.random() < 0.02:
            text += " \U0001d6fd-cells and \U0001f9ec\u00a0material were kept."
        return text

    def split_title(self, text):
        match = SENTENCE_END.search(text)
        if match and match.start() <= 300:
            return text[: match.start()], text[match.end():].strip(" ")
        if len(text) < 300:
            return text, ""
        cut = text.rfind(" ", 0, 150)
        cut = cut if cut > 0 else 150
        return text[:cut], text[cut:].strip(" ")

    def split_sections(self, body):
        rng = self.rng
        sentences = SENTENCE_END.split(body)
        if len(sentences) < 5 or rng.random() >= self.maker.structured:
            return [(None, body)]
        labels = LABELS if rng.random() < 0.8 else OTHER_LABELS
        labels = labels[rng.randint(0, 2):] if rng.random() < 0.7 else labels
        cuts = sorted(rng.sample(range(1, len(sentences)), len(labels) - 1))
        bounds = list(zip([0] + cuts, cuts + [len(sentences)]))
        return [(label, " ".join(sentences[a:b])) for label, (a, b) in zip(labels, bounds)]

    def truth(self, name):
        plain = [[label[0].replace("&amp;", "&") if label else None, text] for label, text in self.sections]
        return {"pmid": str(self.pmid), "file": name, "title": self.title, "abstract": self.abstract,
                "sections": plain, "src": self.src, "id": self.ident}

    # --- writing ---------------------------------------------------------------------------

    def markup(self, text):
        """text as XML content: escaped, with inline tags and character references here and there."""
        rng = self.rng
        spans = []  # (start, end, open, close), not overlapping
        if rng.random() < self.maker.inline:
            for match in NUMBERED.finditer(text):
                if rng.random() < 0.5:
                    tag = rng.choice(("sub", "sup"))
                    spans.append((match.start(1), match.end(1), f"<{tag}>", f"</{tag}>"))
            words = [m.span() for m in WORD.finditer(text)]
            for start, end in rng.sample(words, min(len(words), rng.randint(1, 4))):
                if rng.random() < 0.03:
                    spans.append((start, end, "<b><i>", "</i></b>"))
                else:
                    tag = rng.choice(("i", "i", "i", "b", "u"))
                    spans.append((start, end, f"<{tag}>", f"</{tag}>"))
            spans.sort()
        refs = rng.random() < 0.3
        quotes = rng.random() < 0.3
        out, at = [], 0
        for start, end, opening, closing in spans:
            if start < at:
                continue
            out += (self.content(text[at:start], refs, quotes), opening,
                    self.content(text[start:end], refs, quotes), closing)
            at = end
        out.append(self.content(text[at:], refs, quotes))
        if rng.random() < 0.03:  # a few texts are broken over lines
            out.insert(0, "\n        ")
            out.append("\n      ")
        return "".join(out)

    def content(self, text, refs, quotes):
        text = escape(text)
        if quotes:
            text = text.replace('"', "&quot;").replace("'", "&#39;")
        if refs and not text.isascii():
            rng = self.rng
            text = "".join(c if c < "\x80" else f"&#x{ord(c):x};" if rng.random() < 0.5 else f"&#{ord(c)};"
                           for c in text)
        return text

    def date(self, tag, indent, year, attrs="", clock=False):
        rng = self.rng
        text = (f"{indent}<{tag}{attrs}>\n{indent}  <Year>{year}</Year>\n{indent}  <Month>{rng.randint(1, 12):02d}</Month>\n"
                f"{indent}  <Day>{rng.randint(1, 28):02d}</Day>\n")
        if clock:
            text += f"{indent}  <Hour>{rng.choice((0, 6))}</Hour>\n{indent}  <Minute>0</Minute>\n"
        return text + f"{indent}</{tag}>\n"

    def name(self):
        rng = self.rng
        last = "".join(rng.choices(SYLLABLES, k=rng.randint(2, 3))).capitalize()
        fore = "".join(rng.choices(SYLLABLES, k=2)).capitalize()
        return last, fore

    def count(self, mean):
        """A skewed count around mean: many small, some large."""
        return min(int(self.rng.expovariate(1 / mean)) if mean > 0 else 0, int(8 * mean))

    def xml(self, refs_to):
        rng, pmid, maker = self.rng, self.pmid, self.maker
        year = rng.randint(1976, 2024)
        w = []
        add = w.append
        add('  <PubmedArticle>\n    <MedlineCitation Status="MEDLINE" IndexingMethod="Automated" Owner="NLM">\n')
        add(f'      <PMID Version="{2 if rng.random() < 0.01 else 1}">{pmid}</PMID>\n')
        add(self.date("DateCompleted", "      ", year + 1))
        add(self.date("DateRevised", "      ", year + 1))
        add('      <Article PubModel="Print-Electronic">\n')
        add(self.journal(year))
        title = self.markup(self.title)
        add(f"        <ArticleTitle>{title}</ArticleTitle>\n")
        page = rng.randint(1, 2000)
        add(f"        <Pagination>\n          <StartPage>{page}</StartPage>\n          <EndPage>{page + 9}</EndPage>\n"
            f"          <MedlinePgn>{page}-{page + 9}</MedlinePgn>\n        </Pagination>\n")
        doi = f"10.{rng.randint(1000, 9999)}/j.{pmid}.{rng.randint(100, 999)}"
        add(f'        <ELocationID EIdType="doi" ValidYN="Y">{doi}</ELocationID>\n')
        add(self.abstract_xml(year))
        add(self.authors())
        add(f"        <Language>{'fre' if self.foreign else 'eng'}</Language>\n")
        add('        <PublicationTypeList>\n          <PublicationType UI="D016428">Journal Article</PublicationType>\n'
            "        </PublicationTypeList>\n")
        if self.foreign:
            add("        <VernacularTitle>Étude d'un cas et revue de la littérature.</VernacularTitle>\n")
        add("      </Article>\n      <MedlineJournalInfo>\n")
        add(f"        <Country>{rng.choice(COUNTRIES)}</Country>\n        <MedlineTA>{self.abbreviation}</MedlineTA>\n"
            f"        <NlmUniqueID>{rng.randint(1000000, 9999999)}</NlmUniqueID>\n"
            f"        <ISSNLinking>{self.issn}</ISSNLinking>\n      </MedlineJournalInfo>\n")
        add(self.chemicals())
        add("      <CitationSubset>IM</CitationSubset>\n")
        if rng.random() < 0.08:
            add('      <CommentsCorrectionsList>\n        <CommentsCorrections RefType="CommentIn">\n'
                f"          <RefSource>{self.abbreviation} {year};{rng.randint(1, 90)}:12</RefSource>\n"
                f'          <PMID Version="1">{refs_to()}</PMID>\n'
                "        </CommentsCorrections>\n      </CommentsCorrectionsList>\n")
        add(self.mesh())
        if rng.random() < maker.other_abstract:
            language = rng.choice(sorted(OTHER_TEXT))
            add(f'      <OtherAbstract Type="Publisher" Language="{language}">\n'
                f"        <AbstractText>{OTHER_TEXT[language]}</AbstractText>\n      </OtherAbstract>\n")
        if rng.random() < 0.3:
            words = rng.sample(maker.mesh, 3)
            add('      <KeywordList Owner="NOTNLM">\n'
                + "".join(f'        <Keyword MajorTopicYN="N">{word.lower()}</Keyword>\n' for _, word in words)
                + "      </KeywordList>\n")
        add("    </MedlineCitation>\n    <PubmedData>\n      <History>\n")
        for status in ("pubmed", "medline", "entrez"):
            add(self.date("PubMedPubDate", "        ", year, f' PubStatus="{status}"', clock=True))
        add("      </History>\n      <PublicationStatus>ppublish</PublicationStatus>\n      <ArticleIdList>\n"
            f'        <ArticleId IdType="pubmed">{pmid}</ArticleId>\n        <ArticleId IdType="doi">{doi}</ArticleId>\n'
            "      </ArticleIdList>\n")
        add(self.references(refs_to))
        add("    </PubmedData>\n  </PubmedArticle>\n")
        return "".join(w)

    def journal(self, year):
        rng = self.rng
        stem, field = rng.choice(STEMS), rng.choice(FIELDS)
        self.abbreviation = f"{stem[:4]} {field[:5].capitalize()}"
        self.issn = f"{rng.randint(0, 9999):04d}-{rng.randint(0, 9999):04d}"
        if rng.random() < 0.05:
            when = f"<MedlineDate>{year} Nov-Dec</MedlineDate>"
        else:
            when = f"<Year>{year}</Year>\n              <Month>{rng.choice(MONTHS)}</Month>"
        return (f'        <Journal>\n          <ISSN IssnType="Electronic">{self.issn}</ISSN>\n'
                f'          <JournalIssue CitedMedium="Internet">\n            <Volume>{rng.randint(1, 120)}</Volume>\n'
                f"            <Issue>{rng.randint(1, 12)}</Issue>\n            <PubDate>\n              {when}\n"
                f"            </PubDate>\n          </JournalIssue>\n          <Title>{stem} {field} &amp; research</Title>\n"
                f"          <ISOAbbreviation>{self.abbreviation}</ISOAbbreviation>\n        </Journal>\n")

    def abstract_xml(self, year):
        if not self.sections:
            return ""
        w = ["        <Abstract>\n"]
        for label, text in self.sections:
            attrs = f' Label="{label[0]}" NlmCategory="{label[1]}"' if label else ""
            w.append(f"          <AbstractText{attrs}>{self.markup(text)}</AbstractText>\n")
        if self.rng.random() < 0.2:
            w.append(f"          <CopyrightInformation>© {year} The Author(s). Published by Harwick &amp; Sons.</CopyrightInformation>\n")
        w.append("        </Abstract>\n")
        return "".join(w)

    def authors(self):
        rng = self.rng
        w = ['        <AuthorList CompleteYN="Y">\n']
        for _ in range(1 + self.count(2.8 * self.maker.overhead)):
            last, fore = self.name()
            w.append(f'          <Author ValidYN="Y">\n            <LastName>{last}</LastName>\n'
                     f"            <ForeName>{fore}</ForeName>\n            <Initials>{fore[0]}</Initials>\n")
            if rng.random() < 0.35:
                unit = rng.choice(UNITS).format(f=rng.choice(FIELDS).capitalize(), s=rng.choice(STEMS))
                place = rng.choice(PLACES).format(t=rng.choice(TOWNS))
                w.append(f"            <AffiliationInfo>\n              <Affiliation>{unit}, {place}, "
                         f"{rng.randint(1000, 99999)}, {rng.choice(COUNTRIES)}.</Affiliation>\n            </AffiliationInfo>\n")
            w.append("          </Author>\n")
        w.append("        </AuthorList>\n")
        return "".join(w)

    def chemicals(self):
        rng = self.rng
        if rng.random() < 0.5:
            return ""
        w = ["      <ChemicalList>\n"]
        for ui, name in rng.sample(self.maker.chemicals, min(len(self.maker.chemicals), 1 + self.count(1.5))):
            w.append(f"        <Chemical>\n          <RegistryNumber>{rng.randint(0, 99999)}-{rng.randint(10, 99)}-{rng.randint(0, 9)}"
                     f'</RegistryNumber>\n          <NameOfSubstance UI="{ui}">{name}</NameOfSubstance>\n        </Chemical>\n')
        w.append("      </ChemicalList>\n")
        return "".join(w)

    def mesh(self):
        rng = self.rng
        w = ["      <MeshHeadingList>\n"]
        for ui, name in rng.sample(self.maker.mesh, min(len(self.maker.mesh), 2 + self.count(3.5 * self.maker.overhead))):
            w.append(f'        <MeshHeading>\n          <DescriptorName UI="{ui}" MajorTopicYN="N">{name}</DescriptorName>\n')
            if rng.random() < 0.4:
                qui, qualifier = rng.choice(QUALIFIERS)
                w.append(f'          <QualifierName UI="{qui}" MajorTopicYN="Y">{qualifier}</QualifierName>\n')
            w.append("        </MeshHeading>\n")
        w.append("      </MeshHeadingList>\n")
        return "".join(w)

    def references(self, refs_to):
        rng = self.rng
        if rng.random() >= 0.25:
            return ""
        w = ["      <ReferenceList>\n"]
        for _ in range(1 + self.count(5 * self.maker.overhead)):
            last, fore = self.name()
            w.append(f"        <Reference>\n          <Citation>{last} {fore[0]}, et al. {rng.choice(STEMS)} {rng.choice(FIELDS)} of "
                     f"{rng.choice(self.maker.mesh)[1]}. {rng.choice(STEMS)[:4]} {rng.choice(FIELDS)[:5].capitalize()} "
                     f"{rng.randint(1970, 2024)};{rng.randint(1, 99)}:{rng.randint(1, 999)}.</Citation>\n          <ArticleIdList>\n"
                     f'            <ArticleId IdType="pubmed">{refs_to()}</ArticleId>\n          </ArticleIdList>\n        </Reference>\n')
        w.append("      </ReferenceList>\n")
        return "".join(w)


class Maker:
    """The shares and vocabularies that all records of a run have in common."""

    def __init__(self, args):
        self.structured, self.inline = args.structured, args.inline
        self.no_abstract, self.other_abstract = args.no_abstract, args.other_abstract
        self.overhead = args.overhead
        self.mesh, self.chemicals = load_vocabularies()


def open_gzip(path, level):
    """A gzip text writer whose bytes depend on the content only (no name, no time stamp)."""
    raw = open(path, "wb")
    packed = gzip.GzipFile(filename="", mode="wb", compresslevel=level, fileobj=raw, mtime=0)
    return raw, io.TextIOWrapper(packed, encoding="utf-8", newline="\n", write_through=False)


def make(args):
    started = time.time()
    maker = Maker(args)
    raw = args.raw or os.path.join(DATA, "raw", "raw_text.jsonl.gz")
    chosen = load_records(raw, args.docs, set(args.src.split(",")) if args.src else None, args.seed)
    if args.docs and len(chosen) < args.docs:
        print(f"only {len(chosen)} records of {args.docs} in the raw data; use --repeat for more", file=sys.stderr)
    total = len(chosen) * args.repeat
    os.makedirs(args.out, exist_ok=True)
    pmid_rng = random.Random(f"{args.seed}:pmids")
    ref_rng = random.Random(f"{args.seed}:references")
    refs_to = lambda: ref_rng.randint(1_000_000, 39_999_999)
    stats = {"records": 0, "xml_bytes": 0, "gz_bytes": 0, "abstract_chars": 0, "text_bytes": 0,
             "with_abstract": 0, "structured": 0, "files": 0}
    truth_raw, truth = open_gzip(os.path.join(args.out, "truth.jsonl.gz"), args.level)
    pmid, number = FIRST_PMID, 0
    for part in range(args.files):
        name = f"pubmed00n{part + 1:04d}.xml.gz"
        path = os.path.join(args.out, name)
        raw_file, out = open_gzip(path, args.level)
        head = DOCTYPE + "<PubmedArticleSet>\n"
        out.write(head)
        stats["xml_bytes"] += len(head.encode())
        for number in range(total * part // args.files, total * (part + 1) // args.files):
            round_, index = divmod(number, len(chosen))
            src, ident, text, start, end = chosen[index]
            pmid += pmid_rng.randint(1, 3)
            record = Record(maker, pmid, src, ident, clean(text[start:end]), f"{args.seed}:{round_}:{index}")
            row = record.truth(name)
            xml = record.xml(refs_to)
            out.write(xml)
            truth.write(json.dumps(row, ensure_ascii=False) + "\n")
            stats["records"] += 1
            stats["xml_bytes"] += len(xml.encode())
            stats["abstract_chars"] += len(row["abstract"])
            stats["text_bytes"] += len(row["abstract"].encode()) + len(row["title"].encode())
            stats["with_abstract"] += bool(row["sections"])
            stats["structured"] += len(row["sections"]) > 1
        tail = ("  <DeleteCitation>\n" + "".join(f'    <PMID Version="1">{refs_to()}</PMID>\n' for _ in range(5))
                + "  </DeleteCitation>\n</PubmedArticleSet>\n")
        out.write(tail)
        stats["xml_bytes"] += len(tail.encode())
        out.close()
        raw_file.close()
        stats["gz_bytes"] += os.path.getsize(path)
        stats["files"] += 1
    truth.close()
    truth_raw.close()
    stats["text_share"] = round(stats["text_bytes"] / max(1, stats["xml_bytes"]), 3)
    stats["seed"] = args.seed
    stats["seconds"] = round(time.time() - started, 2)
    return stats


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n\n")[0], epilog="See the head of this file for truth.jsonl.gz.")
    p.add_argument("--docs", type=int, default=1000, help="records to take from the raw data, 0 = all (default 1000)")
    p.add_argument("--repeat", type=int, default=1, help="write the records this many times, each time with other PMIDs, "
                   "metadata and markup (default 1)")
    p.add_argument("--files", type=int, default=1, help="spread the records over this many files (default 1)")
    p.add_argument("--out", required=True, help="directory to write to")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--raw", help="rows of {src, id, text}, .jsonl.gz (default: raw/raw_text.jsonl.gz under $CTXNORM_DATA)")
    p.add_argument("--src", help="take these sources of the raw data only, comma-separated")
    p.add_argument("--structured", type=float, default=0.35, help="share of abstracts with labelled sections (0.35)")
    p.add_argument("--inline", type=float, default=0.2, help="share of texts with inline tags (0.2)")
    p.add_argument("--no-abstract", type=float, default=0.08, help="share of records without an abstract (0.08)")
    p.add_argument("--other-abstract", type=float, default=0.04, help="share of records with OtherAbstract (0.04)")
    p.add_argument("--overhead", type=float, default=1.0, help="scales authors, headings and references: 1 gives a little "
                   "over a fifth of title and abstract text in the bytes, 4 about a tenth")
    p.add_argument("--level", type=int, default=6, help="gzip level (6)")
    args = p.parse_args()
    if args.files < 1 or args.repeat < 1 or args.docs < 0:
        p.error("--files and --repeat must be at least 1, --docs at least 0")
    if not args.raw and not DATA:
        p.error("give --raw, or set CTXNORM_DATA to a folder with raw/raw_text.jsonl.gz")
    print(json.dumps({"tool": "make_pubmed_xml", **make(args)}))


if __name__ == "__main__":
    main()
