// The text of a document with its mentions, and the selection of a mention that was missed.

import { byID, element, percent } from "./dom.js";
import { certaintyOf } from "./document.js";

// TextView shows a document in the element #text.
export class TextView {
  constructor(onOpen, onSelect) {
    this.root = byID("text");
    this.onOpen = onOpen;
    this.doc = null;
    this.current = null; // the place of the open mention
    this.pieces = []; // text nodes with their start in code points, in order
    this.root.addEventListener("click", (event) => {
      const at = event.target.closest(".mention");
      if (at && getSelection().isCollapsed) onOpen(this.mentionOf.get(at));
    });
    document.addEventListener("selectionchange", () => onSelect(this.selected()));
  }

  show(doc) {
    const selected = this.doc === doc ? this.selected() : null; // while a mention is being marked
    this.doc = doc;
    this.pieces = [];
    this.mentionOf = new Map();
    this.elements = [];
    const focused = this.root.contains(document.activeElement) && document.activeElement !== this.root;
    const nodes = [];
    const within = [];
    let at = 0;
    for (const mention of doc.mentions) {
      if (mention.start < at) {
        within.push(this.button(mention));
        continue;
      }
      nodes.push(this.piece(at, mention.start));
      nodes.push(this.mention(mention));
      at = mention.end;
    }
    nodes.push(this.piece(at, [...doc.text].length));
    this.root.replaceChildren(...nodes);
    byID("within").replaceChildren(...within.map((b) => element("li", {}, "Inside another: ", b)));
    this.mark(this.current, focused);
    if (selected) this.select(selected);
  }

  piece(start, end) {
    const node = document.createTextNode(this.doc.slice(start, end));
    this.pieces.push({ start, end, node });
    return node;
  }

  mention(mention) {
    const e = element("span", { className: `mention ${this.classOf(mention)}`, role: "button", tabIndex: -1 },
      this.piece(mention.start, mention.end));
    e.title = this.label(mention);
    e.setAttribute("aria-label", e.title);
    const says = this.doc.says(mention);
    if (says.length) e.dataset.says = says.join(", ");
    this.mentionOf.set(e, mention);
    this.elements.push(e);
    return e;
  }

  button(mention) {
    const className = `mention ${this.classOf(mention)}`;
    const e = element("button", { type: "button", className }, this.doc.surface(mention));
    e.addEventListener("click", () => this.onOpen(mention));
    return e;
  }

  classOf(mention) {
    const recognized = mention.source === "recognized" ? " recognized" : "";
    return this.doc.classOf(mention) + recognized;
  }

  // label returns the text that a screen reader reads for a mention.
  label(mention) {
    const { doc } = this;
    const says = [...doc.says(mention), ...(mention.source === "recognized" ? ["recognized"] : [])];
    const name = `${[doc.surface(mention), ...says].join(", ")}: ${doc.concept(mention)?.name ?? "NIL"}`;
    const by = doc.decidedBy(mention);
    if (by) return `${name}, decided by ${by.replace(/^by /, "")}`;
    const certainty = certaintyOf(mention);
    if (certainty === "nil") return `${name}, no concept`;
    const probability = mention.candidates[0]?.probability; // not all methods return one
    return `${name}, ${doc.certainty(mention)}${probability === undefined ? "" : `, ${percent(probability)}`}`;
  }

  // mark marks the mention at a place as the open one.
  mark(place, focus) {
    this.current = place;
    for (const [e, m] of this.mentionOf) {
      const open = place !== null && m.start === place.start && m.end === place.end;
      e.tabIndex = open ? 0 : -1;
      if (open) e.setAttribute("aria-current", "true");
      else e.removeAttribute("aria-current");
      if (open && focus) e.focus();
      else if (open) e.scrollIntoView({ block: "nearest" });
    }
  }

  focus() {
    (this.root.querySelector("[aria-current]") ?? this.root).focus();
  }

  // step returns the next or previous mention.
  step(by) {
    if (this.elements.length === 0) return null;
    const at = this.elements.findIndex((e) => e.hasAttribute("aria-current"));
    const from = at < 0 && by < 0 ? 0 : at; // if no mention is open, -1 is before the first
    return this.mentionOf.get(this.elements.at((from + by) % this.elements.length));
  }

  // selected returns the place of the selection, trimmed of spaces, or null.
  selected() {
    const selection = getSelection();
    if (!this.doc || selection.rangeCount === 0 || selection.isCollapsed) return null;
    const range = selection.getRangeAt(0);
    if (!this.root.contains(range.startContainer) || !this.root.contains(range.endContainer)) return null;
    let start = this.point(range.startContainer, range.startOffset);
    let end = this.point(range.endContainer, range.endOffset);
    const characters = [...this.doc.slice(start, end)];
    while (characters.length && /\s/.test(characters[0])) { characters.shift(); start++; }
    while (characters.length && /\s/.test(characters.at(-1))) { characters.pop(); end--; }
    return start < end ? { start, end } : null;
  }

  // point returns the code point offset of a position in the page.
  point(node, offset) {
    if (node.nodeType === Node.TEXT_NODE) {
      const piece = this.pieces.find((p) => p.node === node);
      return this.doc.offsets.toPoints(this.doc.offsets.toUnits(piece.start) + offset);
    }
    const range = document.createRange();
    range.setStart(this.root, 0);
    range.setEnd(node, offset);
    return this.doc.offsets.toPoints(range.toString().length);
  }

  position(point) {
    const piece = this.pieces.find((p) => point <= p.end) ?? this.pieces.at(-1);
    return [piece.node, this.doc.offsets.toUnits(point) - this.doc.offsets.toUnits(piece.start)];
  }

  select(place) {
    getSelection().setBaseAndExtent(...this.position(place.start), ...this.position(place.end));
  }

  // words returns the places of the words in the text.
  words() {
    const found = [];
    const point = (unit) => this.doc.offsets.toPoints(unit);
    for (const word of this.doc.text.matchAll(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu)) {
      found.push({ start: point(word.index), end: point(word.index + word[0].length) });
    }
    return found;
  }

  // wordsWith returns the places of the words that begin with the letters typed, in any case.
  wordsWith(typed) {
    const begins = ({ start }) => this.doc.slice(start, start + typed.length).toLowerCase() === typed.toLowerCase();
    return this.words().filter(begins);
  }

  // startSelecting selects the word after the open mention, or the first word.
  startSelecting() {
    const after = this.current?.end ?? 0;
    const all = this.words();
    const word = all.find((w) => w.start >= after) ?? all[0];
    if (word) this.select(word);
    return Boolean(word);
  }

  // seek selects the first word at or after a place that begins with the letters typed, wrapping around at the end of
  // the text, and reports whether there is one.
  seek(typed, from) {
    const all = this.wordsWith(typed);
    const word = all.find((w) => w.start >= from) ?? all[0];
    if (word) this.select(word);
    return Boolean(word);
  }

  // extendTo extends the selection to the first word at or after a place that begins with the letters typed, and
  // reports whether there is one.
  extendTo(typed, from) {
    const word = this.wordsWith(typed).find((w) => w.start >= from);
    const { start } = this.selected();
    if (word) this.select({ start, end: this.wordEnd({ start, end: word.start }) });
    return Boolean(word);
  }

  // wordEnd returns the end of the first word that ends after a place. A word contains no space ("cancer-related" is
  // one word), and ends in a letter, a digit, %, + or a bracket that was opened before.
  wordEnd({ start, end }) {
    for (const word of this.doc.text.matchAll(/[!-~\p{L}\p{N}]*[\p{L}\p{N}%+)\]]/gu)) {
      const at = this.doc.offsets.toPoints(word.index + word[0].length);
      const closes = /[)\]]$/.test(word[0]) && !/[([]/.test(this.doc.slice(start, at));
      if (at - closes > end) return at - closes;
    }
    return end;
  }

  // nextEnd returns the end of the word after a place, or of the mention that begins there and reaches further.
  nextEnd(place) {
    const end = this.wordEnd(place);
    return this.doc.mentions.find((m) => m.start >= place.end && m.start < end && m.end > end)?.end ?? end;
  }

  // moveSelection moves the selection by a word, or its end by a word or a character.
  moveSelection(by, extend, characters) {
    const selected = this.selected();
    if (!selected) return;
    const all = this.words();
    let { start, end } = selected;
    if (characters && extend) end = Math.max(start + 1, end + by);
    else if (characters) start = Math.min(end - 1, Math.max(0, start + by));
    else if (extend && by > 0) end = this.nextEnd(selected);
    else if (extend) end = all.findLast((w) => w.end < end && w.end > start)?.end ?? end;
    else {
      const next = by > 0 ? all.find((w) => w.start > start) : all.findLast((w) => w.start < start);
      if (next) ({ start, end } = next);
    }
    this.select({ start, end: Math.min(end, this.pieces.at(-1).end) });
  }
}
