// The table of a document's mentions, or of the rows of a sheet: sorted by column, filtered by kind and by words.

import { byID, element, percent, quiet } from "./dom.js";
import { certaintyOf } from "./document.js";

// probability is the sort key for certainty: NIL first, then mentions without a probability.
const probability = (m) => (certaintyOf(m) === "nil" ? -1 : (m.candidates[0]?.probability ?? 0));

// The columns: what a cell shows, and the sort key of its row. Columns of the user have their number as i.
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
      if (concept) return [concept.name, " ", quiet("span", concept.id)];
      const [near] = doc.isDecided(m) ? [] : m.suggested ?? [];
      return near ? ["NIL ", quiet("span", `perhaps ${near.name} ${near.id}`)] : ["NIL"];
    },
    by: (doc, m) => doc.concept(m)?.name.toLowerCase() ?? "",
  },
  {
    title: "Certainty",
    cell: (doc, m) => {
      const p = m.candidates[0]?.probability;
      const known = !doc.isDecided(m) && p !== undefined;
      const review = doc.isUnsure(m) ? element("span", { className: "says" }, "review") : "";
      return [element("span", { className: `sign ${doc.classOf(m)}` }), known ? percent(p) : doc.certainty(m), review];
    },
    by: (doc, m) => probability(m),
  },
  { title: "Decided by", cell: (doc, m) => [doc.decidedBy(m)], by: (doc, m) => doc.decidedBy(m) },
  { title: "Found as", cell: (doc, m) => [doc.foundAs(m)], by: (doc, m) => doc.foundAs(m) },
];

// columnsOf returns the columns for a document. For rows of a sheet they include the user's columns, except the one
// that contains the mentions.
function columnsOf(docs) {
  const [{ cells, columns: names }] = docs;
  if (!cells) return columns;
  const [mention, concept, certainty, decidedBy] = columns;
  const equal = { title: "Rows", cell: (doc) => [String(doc.equal)], by: (doc) => doc.equal };
  const own = names.map((title, i) => ({ title, cell: (doc) => [doc.cells[i]], by: (doc) => doc.cells[i].toLowerCase(), i }));
  const isMention = ({ i }) => docs.every((doc) => doc.cells[i] === doc.text);
  return [mention, concept, certainty, ...(docs.some((d) => d.equal > 1) ? [equal] : []), ...own.filter((c) => !isMention(c)), decidedBy];
}

// Kinds of mentions that the table can be limited to.
const facets = [
  { title: "All", has: () => true },
  { title: "Undecided", has: (doc, m) => !doc.isDecided(m) },
  { title: "Certain", has: (doc, m) => doc.classOf(m) === "high" },
  { title: "To review", has: (doc, m) => doc.isUnsure(m) },
  { title: "NIL", has: (doc, m) => doc.concept(m) === null },
  { title: "Recognized", has: (doc, m) => m.source === "recognized" },
  { title: "Negated, historical, other", has: (doc, m) => doc.says(m).length > 0 },
  { title: "Decided", has: (doc, m) => doc.isDecided(m) },
];

// MentionTable shows the mentions of a document, or of all rows of a sheet, in the section #list. OnOpen(mention, doc)
// opens one. OnAccept(rows) accepts the first candidates of several, each given as [doc, mention].
export class MentionTable {
  constructor(onOpen, onAccept) {
    this.docs = []; // documents whose mentions are listed
    this.doc = null; // the open document
    this.current = null; // the place of the open mention
    this.facet = facets[0];
    this.columns = []; // the columns shown
    this.column = null; // the sort column; null: in the order of the text
    this.descending = false;
    this.body = byID("mentions");
    byID("filter").addEventListener("input", () => this.showAgain());
    byID("accept-listed").addEventListener("click", () => onAccept(this.acceptable()));
    this.body.addEventListener("click", (event) => {
      const row = event.target.closest("tr");
      if (row) onOpen(...this.rowOf.get(row).toReversed());
    });
  }

  // isSorted reports whether rows are sorted by a column. It compares titles and numbers, because columns are made anew
  // for each list and a title may occur twice.
  isSorted({ title, i }) {
    return this.column !== null && this.column.title === title && this.column.i === i;
  }

  header(column, i) {
    const button = element("button", { type: "button" }, column.title);
    const direction = this.descending ? "descending" : "ascending";
    button.addEventListener("click", () => {
      const again = this.isSorted(column);
      this.column = again && this.descending ? null : column;
      this.descending = again && this.column !== null;
      this.showAgain();
      byID("columns").children[i].firstChild.focus();
    });
    return element("th", { scope: "col", "aria-sort": this.isSorted(column) ? direction : "none" }, button);
  }

  showAgain() {
    this.show(this.docs, this.doc, this.current);
  }

  // show shows the mentions of a document, or those of all documents if they are rows of a sheet. Current is the place
  // of the open mention, or null.
  show(docs, doc, current) {
    this.docs = doc.cells ? docs : [doc];
    this.doc = doc;
    this.rowOf = new Map();
    this.columns = columnsOf(this.docs);
    this.showFacets();
    byID("columns").replaceChildren(...this.columns.map((column, i) => this.header(column, i)));
    const listed = this.listed();
    byID("none").hidden = listed.length > 0;
    const acceptable = this.isLimited() ? this.acceptable().length : 0; // the complete list was not chosen
    byID("accept-listed").hidden = acceptable === 0;
    byID("accept-listed").textContent = `Accept the ${acceptable} listed`;
    this.body.replaceChildren(...listed.map(([d, m]) => {
      const row = element("tr", {}, ...this.columns.map((c) => element("td", {}, ...c.cell(d, m))));
      this.rowOf.set(row, [d, m]);
      return row;
    }));
    this.mark(current);
  }

  // all returns the mentions of all listed documents, each with its document.
  all() {
    return this.docs.flatMap((doc) => doc.mentions.map((m) => [doc, m]));
  }

  showFacets() {
    byID("facets").replaceChildren(...facets.map((facet) => {
      const count = this.all().filter((row) => facet.has(...row)).length;
      const pressed = facet === this.facet;
      const button = element("button", { type: "button", "aria-pressed": String(pressed) }, `${facet.title} ${count}`);
      button.hidden = count === 0 && !pressed;
      button.addEventListener("click", () => {
        this.facet = facet;
        this.showAgain();
        byID("facets").children[facets.indexOf(facet)].focus();
      });
      return button;
    }));
  }

  // listed returns the mentions to show, in order, each with its document.
  listed() {
    const words = byID("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
    const textOf = (doc, m) => {
      const concept = doc.concept(m);
      const all = [doc.surface(m), concept?.name ?? "NIL", concept?.id, ...doc.cells ?? []];
      return all.join(" ").toLowerCase();
    };
    const isFound = (row) => this.facet.has(...row) && words.every((w) => textOf(...row).includes(w));
    const found = this.all().filter(isFound);
    const column = this.columns.find((c) => this.isSorted(c));
    if (!column) return found;
    const by = (row) => column.by(...row);
    const compare = (x, y) => (typeof x === "number" ? x - y : x.localeCompare(y));
    return found.sort((a, b) => (this.descending ? -1 : 1) * compare(by(a), by(b)));
  }

  // isLimited reports whether a filter is active.
  isLimited() {
    return this.facet !== facets[0] || byID("filter").value.trim() !== "";
  }

  // acceptable returns the undecided mentions in the list that have candidates.
  acceptable() {
    return this.listed().filter(([doc, m]) => !doc.isDecided(m) && m.candidates.length > 0);
  }

  // mark marks the row of a mention, given by its place in the open document, as the open one.
  mark(place) {
    this.current = place;
    for (const [row, [doc, m]] of this.rowOf) {
      const open = doc === this.doc && place !== null && m.start === place.start && m.end === place.end;
      row.querySelector("button").tabIndex = open ? 0 : -1;
      if (!open) {
        row.removeAttribute("aria-current");
        continue;
      }
      row.setAttribute("aria-current", "true");
      const box = byID("rows");
      if (row.offsetTop + row.offsetHeight > box.scrollTop + box.clientHeight || row.offsetTop < box.scrollTop) {
        box.scrollTop = row.offsetTop - box.clientHeight / 2; // not scrollIntoView, which also scrolls the page
      }
    }
  }

  contains(node) {
    return byID("rows").contains(node);
  }

  focus() {
    (this.body.querySelector("[aria-current] button") ?? this.body.querySelector("button") ?? byID("rows")).focus();
  }

  // step returns the document and mention of the next or previous row, or undefined after the last.
  step(by) {
    const rows = [...this.body.children];
    const at = rows.findIndex((row) => row.hasAttribute("aria-current"));
    return this.rowOf.get(rows[at < 0 ? 0 : at + by]);
  }
}
