"""Shows what `ctxnorm link --explain` wrote, for a person to read.

    python3 show_links.py LINKED.jsonl [GOLD.jsonl]

Each mention takes two lines. The first is its text, with the mention in brackets
and, after "=", the words it was resolved to where it is an abbreviation. The second
is the best concept with its probability, and one piece of evidence: the sentence of
the corpus that is most similar to the mention, or the one that gives the mention's words
to the concept as a name. A composite mention has a line for each of its parts. With a gold file
in the same order, a wrong answer is marked "x" and the last lines count the right ones.
"""
import json
import shutil
import sys

WIDTH = max(80, shutil.get_terminal_size((118, 50)).columns)
NIL = "NIL: no concept of the dictionary fits"


def first_of(record, *keys):
    """The value of the first key that the record has: keys were renamed once."""
    return next((record[key] for key in keys if record.get(key)), None)


def marked(text, start, end, width, resolved=None):
    """Returns the text with its mention in brackets, cut to the width around it."""
    mention = f"[{text[start:end]} = {resolved}]" if resolved else f"[{text[start:end]}]"
    before, after = text[:start], text[end:]
    room = max(0, width - len(mention))
    if len(before) + len(after) > room:
        left = min(len(before), max(room // 2, room - len(after)))
        right = room - left
        if len(before) > left:
            before = "…" + before[len(before) - max(0, left - 1):]
        if len(after) > right:
            after = after[:max(0, right - 1)] + "…"
    return before + mention + after


def evidence(candidate, width):
    """Returns one piece of evidence for a candidate, or an empty string."""
    found = candidate.get("evidence") or []
    if not found:
        return ""
    nearest = found[0]
    sentences = [e for e in found if "pmid" in e]
    if "source" in nearest:  # a name that the corpus gave: show where it did
        sentences = [e for e in sentences if nearest["text"].lower() in e["text"].lower()]
        sentences.sort(key=lambda e: nearest["source"] not in e["text"])
    if sentences:
        chosen = sentences[0]
        prefix = f"PMID {chosen['pmid']}: "
        return prefix + marked(chosen["text"], chosen["start"], chosen["end"], width - len(prefix))
    if "source" in nearest:
        return f"name found in the corpus: {nearest['text']} ({nearest['source']})"
    return f"name: {nearest['text']}"


def best(mention):
    """Returns the first candidate, or None where the mention is NIL."""
    candidates = mention.get("candidates") or []
    return candidates[0] if candidates else None


def answers(mention):
    """Returns the first candidates of the mention, or of each part of a composite one."""
    parts = first_of(mention, "sub_mentions", "parts") or [mention]
    return [best(part) for part in parts]


def answer_line(candidate, sign):
    if candidate is None:
        return f" {sign} {NIL}"
    head = f" {sign} {candidate['id']} {candidate['name']}, {candidate['probability']:.2f}"
    head = f"{head:<40}"
    return f"{head} · {evidence(candidate, WIDTH - len(head) - 3)}".rstrip(" ·")


def names_of(candidates):
    return " + ".join(c["name"] if c else "NIL" for c in candidates)


class Score:
    """Counts the answers that the gold file calls right."""

    def __init__(self, path):
        self.gold = [json.loads(line) for line in open(path, encoding="utf-8")] if path else None
        self.total = self.right = self.right_nil = self.nil = 0
        self.wrong = []

    def judge(self, number, position, mention, dictionary):
        """Returns whether the answers are right, and None where no gold is given."""
        if self.gold is None:
            return None
        gold = self.gold[number]["mentions"][position]
        if (gold["start"], gold["end"]) != (mention["start"], mention["end"]):
            sys.exit(f"{sys.argv[2]}: mention {position + 1} of line {number + 1} is not the one that was linked")
        wanted = {i for i in gold["ids"] if i in dictionary}
        given = answers(mention)
        right = {c["id"] for c in given if c} == wanted
        self.total += 1
        self.nil += not wanted
        self.right += right
        self.right_nil += right and not wanted
        if not right:
            want = " + ".join(dictionary[i] for i in sorted(wanted)) or "NIL (the dictionary does not have it)"
            self.wrong.append(f"  {mention['text']}: answered {names_of(given)}, want {want}")
        return right

    def report(self):
        if self.gold is None:
            return
        print(f"\n{self.right} of {self.total} mentions of {sys.argv[2]} are right; {self.right_nil} of the {self.nil} that are NIL are among them.")
        if self.wrong:
            print("Wrong, and marked x above:", *self.wrong, sep="\n")


def read_dictionary(path="dictionary.tsv"):
    """Returns the names of the dictionary's concepts by their identifiers."""
    rows = [line.rstrip("\n").split("\t") for line in open(path, encoding="utf-8")]
    return {row[0]: row[1] for row in rows[1:]}


def main():
    score = Score(sys.argv[2] if len(sys.argv) > 2 else None)
    dictionary = read_dictionary() if score.gold else {}
    for number, line in enumerate(open(sys.argv[1], encoding="utf-8")):
        document = json.loads(line)
        for position, mention in enumerate(document.get("mentions", [])):
            resolved = first_of(mention, "resolved_text", "read_as")
            right = score.judge(number, position, mention, dictionary)
            sign = "x" if right is False else "→"
            print(marked(document["text"], mention["start"], mention["end"], WIDTH, resolved))
            for candidate in answers(mention):
                print(answer_line(candidate, sign))
    score.report()


main()
