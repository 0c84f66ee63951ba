"""Prints what `ctxnorm link --explain` wrote, for a person to read.

Each mention stands in its text between brackets, below it the best two concepts
and the two exemplars nearest to it among those that voted for each.
"""
import json
import sys


def marked(text, start, end):
    return f"{text[:start]}[{text[start:end]}]{text[end:]}"


for line in open(sys.argv[1], encoding="utf-8"):
    document = json.loads(line)
    for mention in document.get("mentions", []):
        print("\n" + marked(document["text"], mention["start"], mention["end"]))
        candidates = mention.get("candidates") or []
        if not candidates:
            print("  no concept of the dictionary")
        for c in candidates[:2]:
            print(f"  {c['id']}  {c['name']}  probability {c['probability']:.2f}, {c['votes']} votes")
            for e in c.get("evidence", [])[:2]:
                source = f"PMID {e['pmid']}" if "pmid" in e else "a name"
                print(f"      {e['similarity']:.2f}  {source}: {marked(e['text'], e['start'], e['end'])}")
