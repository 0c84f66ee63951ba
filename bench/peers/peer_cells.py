#!/usr/bin/env python3
"""Code a made sheet of diagnoses, by ctxnorm and by rapidfuzz, and count what is right by kind.

    CTXNORM_DATA=… peer_cells.py --out DIR --ctxnorm bin/ctxnorm [--model DIR]…

It writes gold.tsv before anything is linked: 2,987 cells with their concepts and statuses, drawn from the names of MEDIC
with a seed. Each linker codes them: ctxnorm with --dict and each --model, and rapidfuzz if it is installed. A row is "wrong"
if it has a code that is not gold's, "wrong in review" if the column review says yes (rapidfuzz: a score under 90).
"""

import collections
import csv
import gzip
import json
import os
import random
import re
import subprocess
import sys

import common

STATUSES = "negated", "uncertain", "historical", "other_person"
# kind: rows, status, patterns of which X is a diagnosis
MADE = {
    "name": (500, "", ["X"]),
    "case and plural": (200, "", ["Xupper", "Xtitle", "X ", "X.", "- X", "1. X"]),
    "typing error": (400, "", ["Xtyped"]),
    "negated": (250, "negated", ["no X", "No X", "denies X", "no evidence of X", "negative for X", "without X", "X: no",
                                 "X - negative", "X ruled out", "no signs of X", "no known X", "not X"]),
    "uncertain": (200, "uncertain", ["?X", "? X", "X?", "possible X", "probable X", "suspected X", "likely X", "r/o X",
                                     "query X", "suspicion of X", "X (suspected)", "DD X"]),
    "historical": (200, "historical", ["h/o X", "H/O X", "history of X", "hx of X", "Hx X", "PMH: X", "previous X",
                                       "past history of X", "s/p X", "status post X"]),
    "family": (187, "other_person", ["family history of X", "FH: X", "FHx X", "Family hx of X", "mother with X",
                                     "father had X", "FH of X", "sister has X", "family history: X"]),
    "X, no Y": (100, "", ["X, no Y", "X without Y", "X; no Y", "X, denies Y"]),
    "no X, Y": (100, "", ["no X, Y", "no X; Y", "denies X; Y"]),
    "qualifier": (250, "", ["mild X", "severe X", "X, unspecified", "X NOS", "known X", "X, stable", "X - stable", "X, moderate",
                            "X since 2015", "X, on treatment", "X, left", "X - controlled", "longstanding X",
                            "X, diagnosed 2012", "X not otherwise specified", "Dx: X", "new X", "symptomatic X"]),
    "two diseases": (150, "", ["X and Y", "X / Y", "X + Y", "X; Y", "X, Y", "X & Y", "1) X 2) Y"]),
    "abbreviation": (150, "", ["XABBR"]),
}
# Singles and junk: what may answer it besides nothing. MeSH's identifiers.
WORDS = {
    "diabetic": "D003920", "reflux": "D005764", "well": "", "asthmatic": "D001249", "hypertensive": "D006973", "epileptic": "D004827",
    "anaemic": "D000740", "obese": "D009765", "arthritic": "D001168", "depressed": "D003863", "anxious": "D001008",
    "septic": "D018805", "migrainous": "D008881", "psychotic": "D011618", "schizophrenic": "D012559", "alcoholic": "D000437",
    "febrile": "D005334", "jaundiced": "D007565", "demented": "D003704", "hypothyroid": "D007037", "smoker": "", "cardiac": "D006331",
    "renal": "D007674", "hepatic": "D008107", "gastric": "D013272", "liver": "D008107", "kidney": "D007674", "heart": "D006331",
    "lung": "D008171", "thyroid": "D013959", "prostate": "D011469", "breast": "D001941", "chest": "", "back": "", "knee": "",
    "hip": "", "head": "", "eye": "D005128", "skin": "D012871", "blood": "D006402", "bone": "D001847", "brain": "D001927",
    "cancer": "D009369", "tumour": "D009369", "pain": "D010146", "fall": "", "fit": "D012640", "fits": "D012640", "turn": "",
    "collapse": "", "weak": "", "dizzy": "D004244", "tired": "D005221", "sick": "", "swollen": "", "chronic": "", "acute": "",
    "positive": "", "negative": "", "abnormal": "", "mild": "", "severe": "", "left": "", "right": "", "bilateral": "",
    "primary": "", "secondary": "", "type 2": "", "stage 3": "", "grade 1": "", "valve": "", "block": "", "stone": "",
    "stones": "", "bypass": "", "stent": "", "graft": "", "transplant": "", "dialysis": "", "insulin": "", "aspirin": "",
}
JUNK = """pending|PENDING|see notes|See notes|as above|n/a|N/A|NA|unknown|UNKNOWN|Unknown|-|--|.|?|??|x|xxx|nil|NIL|none|None|nothing
|normal|Normal|NAD|ok|OK|fine|yes|no|Y|N|to be confirmed|TBC|tbc|TBD|not recorded|not known|not stated|awaiting results|await report
|follow up|follow-up|f/u 6 weeks|review|for review|routine review|annual review|check up|medical|sick note|letter sent|see letter
|refer to GP|referred|discharged|DNA|did not attend|cancelled|no show|patient declined|refused|repeat prescription|medication review
|blood test|bloods|bloods taken|flu jab|vaccination|travel advice|passport form|admin|test|test test|asdf|qwerty|12345|0|1|2019-04-03
|John Smith|Dr Jones|Ward 7|Bed 12|same|same as before|ditto|idem|other|others|misc|various|multiple|see below|see above|not applicable
|no diagnosis|no diagnosis yet|under investigation|ongoing|stable|unchanged|improved|better|resolved|lost to follow up|moved away
|deceased|died|alive|error|wrong patient|duplicate|delete|entered in error|void|blank|#N/A|#REF!|NULL|null|nan|undefined|false|true
|information not available|data missing|missing|illegible|cannot read|ask patient|ask consultant|phone call|telephone consultation
|email|home visit|clinic|outpatient|inpatient|emergency|transfer|admission|post op|pre op|consent|consent signed|interpreter needed
|lives alone|retired|married|teacher|non smoker|drinks socially|walks unaided|carer present|private patient|NHS|insurance|invoice paid
|first visit|second opinion|no complaints|asymptomatic|no change|none known|nothing abnormal detected|to be coded|code later""".replace("\n", "").split("|")
# Not in MEDIC as short forms, or not in it alone.
SHORT = {
    "HTN": "D006973", "T2DM": "D003924", "T1DM": "D003922", "DM2": "D003924", "CKD": "D051436", "COPD": "D029424", "CHF": "D006333",
    "CAD": "D003324", "AF": "D001281", "afib": "D001281", "MI": "D009203", "CVA": "D020521", "TIA": "D002546", "DVT": "D020246",
    "PE": "D011655", "UTI": "D014552", "URTI": "D012141", "GERD": "D005764", "GORD": "D005764", "IBS": "D043183", "IBD": "D015212",
    "OA": "D010003", "RA": "D001172", "SLE": "D008180", "MS": "D009103", "PD": "D010300", "AD": "D000544", "TB": "D014376",
    "OSA": "D020181", "BPH": "D011470", "PCOS": "D011085", "ADHD": "D001289", "PTSD": "D013313", "OCD": "D009771", "GAD": "D001008",
    "HIV": "D015658", "ARF": "D058186", "AKI": "D058186", "ESRD": "D007676", "PVD": "D016491", "AMD": "D008268", "ITP": "D016553",
    "HCC": "D006528", "NSCLC": "D002289", "AML": "D015470", "CLL": "D015451", "NHL": "D008228", "MM": "D009101", "ALS": "D000690",
    "GBS": "D020275",
}


def typed(rng, name, names):
    """A name with one letter of its longest word missing, doubled, exchanged or another one."""
    word = max(re.findall(r"[a-z]+", name), key=len)
    for _ in range(50):
        at = rng.randrange(1, len(word) - 1)
        wrong = rng.choice([word[:at] + word[at + 1:], word[:at] + word[at] + word[at:], word[:at] + word[at + 1] + word[at] + word[at + 2:],
                            word[:at] + rng.choice("aeiourstnlc") + word[at + 1:]])
        made = name.replace(word, wrong, 1)
        if made != name and made not in names:
            return made
    return None


def sheet(data, seed):
    """Rows of text, kind, sets of right concepts (one for each disease; none for NIL), status; and the concepts' ids."""
    rng = random.Random(seed)
    concepts = [json.loads(line) for line in gzip.open(os.path.join(data, "dict", "medic_2026.jsonl.gz"), "rt")]
    ids, owners, initials = {}, collections.defaultdict(set), collections.defaultdict(set)
    for c in concepts:
        for i in [c["id"], *c["alt_ids"]]:
            ids.setdefault(i.split(":")[-1], c["id"])
        for n in [c["name"], *c["synonyms"]]:
            owners[n.lower()].add(c["id"])
            initials[c["id"]].add("".join(w[0] for w in re.split(r"[ -]", n.lower()) if w))
    plain, short = [], []
    for n, owner in sorted(owners.items()):
        if len(owner) > 1:
            continue
        words = n.split()
        if re.fullmatch(r"[a-z][a-z' -]*[a-z]", n) and len(words) <= 4 and max(map(len, words)) >= 7 and " and " not in n and " with " not in n:
            plain.append(n)
        if re.fullmatch(r"[a-z0-9]{3,5}", n) and (n in initials[min(owner)] or not re.search("[aeiouy]", n)):
            short.append(n)  # its letters begin the words of another name, or it is no word
    rows, texts = [], set()
    for kind, (count, status, patterns) in MADE.items():
        pool = short if kind == "abbreviation" else plain
        end = len(rows) + min(count, len(pool) // 2)
        while len(rows) < end:
            x, y = rng.sample(pool, 2)
            p = rng.choice(patterns)
            gold, of_row = [owners[x]], status
            if "Y" in p and "Xt" not in p:
                if owners[x] & owners[y]:
                    continue
                gold = {"no X, Y": [owners[y]], "X, no Y": gold}.get(kind, gold + [owners[y]])
            text = typed(rng, x, owners) if p == "Xtyped" else x.upper() if p in ("Xupper", "XABBR") else x.title() if p == "Xtitle" else \
                re.sub("[XY]", lambda m: x if m[0] == "X" else y, p)
            if text and text not in texts:
                texts.add(text)
                rows.append((text, kind, gold, of_row))
    for text, i in SHORT.items():
        rows.append((text, "known short form", [{ids[i]}] if i in ids else [], ""))
    for text, i in WORDS.items():
        rows.append((text, "word", [{ids[i]}] if i in ids else [], ""))
    for i in range(2987 - len(rows)):
        rows.append((JUNK[i % len(JUNK)], "junk", [], None))  # of no status that matters
    rng.shuffle(rows)
    return rows, ids, owners


def count(rows, ids, answers):
    """Counts by kind: answers holds, a row, the codes, whether it is to be reviewed, and the status, or None."""
    kinds = collections.defaultdict(collections.Counter)
    examples = collections.defaultdict(list)
    for (text, kind, gold, status), (codes, review, said) in zip(rows, answers):
        found = {ids.get(c.split(":")[-1], c) for c in codes}
        k = kinds[kind]
        k["rows"] += 1
        if not codes:
            verdict = "NIL" if gold else "right"
        elif len(found) == len(gold) and all(found & g for g in gold):
            verdict = "right"
        else:
            verdict = "wrong in review" if review else "wrong"
        k[verdict] += 1
        k["right outside"] += verdict == "right" and not review
        if verdict != "right":
            examples[verdict].append((kind, text, sorted(found)))
        if said is not None and status is not None:
            k["of status"] += 1
            k["status"] += said == status
            if said != status:
                examples["status"].append((kind, text, said))
    return kinds, examples


def by_ctxnorm(program, flags, path, out):
    subprocess.run([program, "link", *flags, "--columns", "mention=diagnosis", "--assertion", "--output", out, path, "--quiet"], check=True)
    for r in csv.DictReader(open(out, newline="")):
        said = " ".join(s for s in STATUSES if r[s] == "true")
        yield [c for c in r["id"].split("|") if c and c != "NIL"], r["review"] == "yes", said


def by_rapidfuzz(rows, owners):
    from rapidfuzz import fuzz, process, utils

    names = sorted(owners)
    for text, *_ in rows:
        hit = process.extractOne(utils.default_process(text), names, scorer=fuzz.token_sort_ratio, score_cutoff=60)
        yield (sorted(owners[hit[0]])[:1], hit[1] < 90, None) if hit else ([], False, None)


def main():
    p = common.parser(__doc__)
    p.add_argument("--out", required=True)
    p.add_argument("--ctxnorm", help="the program")
    p.add_argument("--model", action="append", default=[], help="a model folder; may be given several times")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--examples", type=int, default=0, help="print so many of each fault")
    a = p.parse_args()
    os.makedirs(a.out, exist_ok=True)
    data = os.environ["CTXNORM_DATA"]
    rows, ids, owners = sheet(data, a.seed)
    with open(os.path.join(a.out, "gold.tsv"), "w", newline="") as f:
        csv.writer(f, "excel-tab").writerows([t, k, "|".join(sorted(map(min, g))), s] for t, k, g, s in rows)
    path = os.path.join(a.out, "sheet.csv")
    with open(path, "w", newline="") as f:
        csv.writer(f).writerows([["row", "diagnosis"], *([i, r[0]] for i, r in enumerate(rows))])
    linkers = {}
    if a.ctxnorm:
        linkers["dict"] = lambda out: by_ctxnorm(a.ctxnorm, ["--dict", os.path.join(data, "dict", "medic_2026.jsonl.gz")], path, out)
        for m in a.model:
            linkers[os.path.basename(m)] = lambda out, m=m: by_ctxnorm(a.ctxnorm, ["--model", m], path, out)
    try:
        import rapidfuzz  # noqa: F401
        linkers["rapidfuzz"] = lambda out: by_rapidfuzz(rows, owners)
    except ImportError:
        pass
    for name, linker in linkers.items():
        kinds, examples = count(rows, ids, list(linker(os.path.join(a.out, name + ".csv"))))
        total = sum(kinds.values(), collections.Counter())
        print(f"{name:17} {'rows':>5} right outside  wrong review   NIL status")
        for kind, k in [*kinds.items(), ("all", total)]:
            print(f"{kind:17} {k['rows']:5} {k['right']:5} {k['right outside']:7} {k['wrong']:6} {k['wrong in review']:6} {k['NIL']:5} {k['status']:6}")
        for verdict, some in examples.items():
            for e in some[:a.examples]:
                print(f"  {verdict}: {e[0]}: {e[1]!r} {e[2]}", file=sys.stderr)
        print(json.dumps({"linker": name, **total}))


if __name__ == "__main__":
    main()
