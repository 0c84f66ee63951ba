// The table of a document's mentions: sorted by a column, filtered by kind and by words.

import { byID, element, percent, quiet } from "./dom.js";
import { certaintyOf } from "./document.js";

// probability sorts mentions by certainty: NIL first, then those without a probability.
const probability = (m) => (certaintyOf(m) === "nil" ? -1 : (m.candidates[0]?.probability ?? 0));

// The columns: what a cell shows, and what rows are sorted by.
const columns = [
  {
    title: "Mention",
    cell: (doc, m) => [
      element("button", { type: "button", className: "link", tabIndex: -1 }, doc.surface(m)),
      ...doc.says(m).map((s) => element("span", { className: "says" }, s)),
    ],
    by: (doc, m) => doc.surface(m).toLowerCase(),
  },
  {
    title: "Concept",
    cell: (doc, m) => {
      const concept = doc.concept(m);
      return concept ? [concept.name, " ", quiet("span", concept.id)] : ["NIL"];
    },
    by: (doc, m) => doc.concept(m)?.name.toLowerCase() ?? "",
  },
  {
    title: "Certainty",
    cell: (doc, m) => {
      const p = m.candidates[0]?.probability;
      const known = !doc.isDecided(m) && p !== undefined;
      return [element("span", { className: `sign ${doc.classOf(m)}` }), known ? percent(p) : doc.certainty(m)];
    },
    by: (doc, m) => probability(m),
  },
  { title: "Decided by", cell: (doc, m) => [doc.decidedBy(m)], by: (doc, m) => doc.decidedBy(m) },
  { title: "Found as", cell: (doc, m) => [doc.foundAs(m)], by: (doc, m) => doc.foundAs(m) },
];

// The kinds of mentions that the table can be limited to.
const facets = [
  { title: "All", has: () => true },
  { title: "Undecided", has: (doc, m) => !doc.isDecided(m) },
  { title: "Certain", has: (doc, m) => doc.classOf(m) === "high" },
  { title: "Unsure", has: (doc, m) => doc.isUnsure(m) },
  { title: "NIL", has: (doc, m) => doc.concept(m) === null },
  { title: "Recognized", has: (doc, m) => m.source === "recognized" },
  { title: "Negated, historical, other", has: (doc, m) => doc.says(m).length > 0 },
  { title: "Decided", has: (doc, m) => doc.isDecided(m) },
];

// MentionTable shows the mentions of a document in the section #list. OnOpen(mention) opens one, and onAccept(mentions)
// accepts the first candidates of several.
export class MentionTable {
  constructor(onOpen, onAccept) {
    this.doc = null;
    this.current = null; // the place of the mention that is open
    this.facet = facets[0];
    this.column = null; // null: in the order of the text
    this.descending = false;
    this.body = byID("mentions");
    byID("columns").replaceChildren(...columns.map((column) => this.header(column)));
    byID("filter").addEventListener("input", () => this.show(this.doc, this.current));
    byID("accept-listed").addEventListener("click", () => onAccept(this.acceptable()));
    this.body.addEventListener("click", (event) => {
      const row = event.target.closest("tr");
      if (row) onOpen(this.mentionOf.get(row));
    });
  }

  header(column) {
    const button = element("button", { type: "button" }, column.title);
    button.addEventListener("click", () => {
      const again = this.column === column;
      if (again && this.descending) this.column = null;
      else this.column = column;
      this.descending = again && this.column !== null;
      this.show(this.doc, this.current);
    });
    return element("th", { scope: "col", "aria-sort": "none" }, button);
  }

  // show shows the mentions of a document. Current is the place of the one that is open, or null.
  show(doc, current) {
    this.doc = doc;
    this.mentionOf = new Map();
    this.showFacets();
    for (const [i, header] of [...byID("columns").children].entries()) {
      const direction = this.descending ? "descending" : "ascending";
      header.setAttribute("aria-sort", columns[i] === this.column ? direction : "none");
    }
    const listed = this.listed();
    byID("none").hidden = listed.length > 0;
    const acceptable = this.isLimited() ? this.acceptable().length : 0; // not of all, which nobody chose
    byID("accept-listed").hidden = acceptable === 0;
    byID("accept-listed").textContent = `Accept the ${acceptable} listed`;
    this.body.replaceChildren(...listed.map((m) => {
      const row = element("tr", {}, ...columns.map((c) => element("td", {}, ...c.cell(doc, m))));
      this.mentionOf.set(row, m);
      return row;
    }));
    this.mark(current);
  }

  showFacets() {
    byID("facets").replaceChildren(...facets.map((facet) => {
      const count = this.doc.mentions.filter((m) => facet.has(this.doc, m)).length;
      const pressed = facet === this.facet;
      const button = element("button", { type: "button", "aria-pressed": String(pressed) }, `${facet.title} ${count}`);
      button.hidden = count === 0 && !pressed;
      button.addEventListener("click", () => {
        this.facet = facet;
        this.show(this.doc, this.current);
        byID("facets").children[facets.indexOf(facet)].focus();
      });
      return button;
    }));
  }

  // listed returns the mentions to show, in their order.
  listed() {
    const words = byID("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
    const textOf = (m) => {
      const concept = this.doc.concept(m);
      return `${this.doc.surface(m)} ${concept?.name ?? "NIL"} ${concept?.id ?? ""}`.toLowerCase();
    };
    const isFound = (m) => this.facet.has(this.doc, m) && words.every((w) => textOf(m).includes(w));
    const found = this.doc.mentions.filter(isFound);
    if (this.column === null) return found;
    const by = (m) => this.column.by(this.doc, m);
    const compare = (x, y) => (typeof x === "number" ? x - y : x.localeCompare(y));
    return found.sort((a, b) => (this.descending ? -1 : 1) * compare(by(a), by(b)));
  }

  // isLimited reports whether the list is limited to some mentions.
  isLimited() {
    return this.facet !== facets[0] || byID("filter").value.trim() !== "";
  }

  // acceptable returns the undecided mentions of the list that have candidates.
  acceptable() {
    return this.listed().filter((m) => !this.doc.isDecided(m) && m.candidates.length > 0);
  }

  // mark marks the row of the mention at a place as the open one.
  mark(place) {
    this.current = place;
    for (const [row, m] of this.mentionOf) {
      const open = place !== null && m.start === place.start && m.end === place.end;
      row.querySelector("button").tabIndex = open ? 0 : -1;
      if (!open) {
        row.removeAttribute("aria-current");
        continue;
      }
      row.setAttribute("aria-current", "true");
      const box = byID("rows");
      if (row.offsetTop + row.offsetHeight > box.scrollTop + box.clientHeight || row.offsetTop < box.scrollTop) {
        box.scrollTop = row.offsetTop - box.clientHeight / 2; // and not scrollIntoView, which scrolls the page too
      }
    }
  }

  contains(node) {
    return byID("rows").contains(node);
  }

  focus() {
    (this.body.querySelector("[aria-current] button") ?? this.body.querySelector("button") ?? byID("rows")).focus();
  }

  // step returns the mention of the next row, or of the one before; null after the last.
  step(by) {
    const rows = [...this.body.children];
    const at = rows.findIndex((row) => row.hasAttribute("aria-current"));
    return this.mentionOf.get(rows[at < 0 ? 0 : at + by]) ?? null;
  }
}
