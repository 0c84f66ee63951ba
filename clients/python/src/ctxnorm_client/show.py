"""Linked documents as HTML, for notebooks."""

from __future__ import annotations

from html import escape

from ctxnorm_client.results import ASSERTIONS, LinkedDocument, LinkedMention

# The probabilities from which a link is certain and likely, the colors and the signs of the server's page.
_CERTAIN, _LIKELY = 0.8, 0.5
_STYLES = {
    "high": ("#cfe8d5", "#0f4d27", "solid", "●"),
    "middle": ("#d4e4f7", "#0b3f75", "double", "◐"),
    "low": ("#fbe3b5", "#6b3d00", "dashed", "?"),
    "linked": ("#d4e4f7", "#0b3f75", "solid", "→"),
    "nil": ("#e3e5e8", "#3d444d", "dotted", "∅"),
    "decided": ("#e6dbf7", "#4a1d8c", "solid", "✎"),
}


def html_of(document: LinkedDocument) -> str:
    """Returns the text with its mentions marked; of mentions that overlap, the first."""
    parts: list[str] = []
    end = 0
    for mention in sorted(document.mentions, key=lambda m: (m.start, -m.end)):
        if mention.start < end:
            continue
        parts += [
            escape(document.text[end : mention.start]),
            _mark(document.text[mention.start : mention.end], mention),
        ]
        end = mention.end
    parts.append(escape(document.text[end:]))
    return f'<div style="white-space: pre-wrap; line-height: 1.8">{"".join(parts)}</div>'


def _mark(wording: str, mention: LinkedMention) -> str:
    background, ink, border, sign = _STYLES[_certainty(mention)]
    style = f"background: {background}; color: {ink}; border-bottom: 3px {border}; border-radius: .25rem; padding: .1em .2em"
    says = [mention.concept_name or "NIL"]
    if mention.probability is not None:
        says.append(f"{mention.probability:.2f}")
    says += [word.replace("_", " ") for word in ASSERTIONS if getattr(mention, word)]
    if mention.corrected:
        says.append(mention.corrected)
    title = escape(", ".join(says))
    concept = escape(mention.concept_id or "NIL")
    return f'<mark style="{style}" title="{title}">{escape(wording)} <small>{sign} {concept}</small></mark>'


def _certainty(mention: LinkedMention) -> str:
    if mention.corrected:
        return "decided"
    if mention.concept_id is None:
        return "nil"
    if mention.probability is None:
        return "linked"
    return "high" if mention.probability >= _CERTAIN else "middle" if mention.probability >= _LIKELY else "low"
