// The state of the page: the open documents, the current one, its mention, and the views of them.

import { announce, byID, title } from "./dom.js";
import { certaintyOf } from "./document.js";
import { showDocuments } from "./documents.js";
import * as session from "./session.js";

// The capabilities of the server, from /healthz.
export const server = {
  explain: false, // whether it returns evidence
  recognize: false, // whether to find mentions that are not names: the model can, and the user wants it
  remembers: false, // whether it stores corrections
  curates: false, // whether it stores documents
};

// by returns the user's name, as the server expects it.
export function by() {
  const name = byID("by").value.trim();
  return name ? { by: name } : {};
}

export const nothingLeft = "Nothing is left to decide.";

class Workspace {
  docs = [];
  doc = null; // the document shown
  unsaved = false; // whether there are corrections that are stored nowhere else

  // use sets the views of a document and of its mentions, and the callbacks for documents that the server stores:
  // onNext when nothing is left to decide, onClose when the document is closed.
  use({ text, table, panel, onNext, onClose }) {
    Object.assign(this, { text, table, panel, onNext, onClose });
    this.view = text; // where the focus returns to
  }

  // start shows documents, and returns whether they survive a reload of the page.
  start(docs) {
    this.docs = docs;
    byID("work").hidden = false;
    byID("open").open = false;
    this.view = this.text;
    this.show(0);
    this.text.focus();
    session.clear();
    history.replaceState(null, "", location.pathname); // without the number of a stored document
    return docs[0].kept !== null || session.store(docs.map((d) => d.state())); // the server has stored documents
  }

  // close closes all documents and deletes their stored state.
  close() {
    session.clear();
    this.docs = [];
    this.doc = null;
    this.unsaved = false;
    byID("work").hidden = true;
    byID("open").open = true;
    title("");
    byID("source").focus();
    this.onClose();
  }

  show(index) {
    if (!this.docs[index]) return;
    this.doc = this.docs[index];
    this.text.current = null;
    this.refresh();
  }

  // refresh shows the current state of the document, and stores it.
  refresh() {
    session.update(this.docs.indexOf(this.doc), this.doc.state());
    byID("linked-sign").hidden = !this.doc.mentions.some((m) => certaintyOf(m) === "linked");
    byID("recognized-sign").hidden = !this.doc.mentions.some((m) => m.source === "recognized");
    const mention = this.opened();
    if (!mention) this.text.current = null; // it was undone
    this.text.show(this.doc);
    this.table.show(this.docs, this.doc, this.text.current);
    if (mention) this.panel.show(this.doc, mention);
    else this.panel.clear();
    byID("undo").disabled = !this.lastActed()?.undos.length;
    showDocuments(this.docs, this.doc, (index) => this.show(index));
  }

  // lastActed returns the document whose last action undo reverts: the open one, or for rows of a sheet the one changed
  // last.
  lastActed() {
    if (!this.doc?.cells) return this.doc;
    const last = ({ undos }) => undos.at(-1)?.at ?? 0;
    return this.docs.reduce((a, b) => (last(b) > last(a) ? b : a));
  }

  // changed updates the view after an action changed a document. If another document is shown by now, it only stores
  // the change.
  changed(doc) {
    if (doc === this.doc) {
      this.refresh();
      this.view.focus();
    } else if (this.docs.includes(doc)) {
      session.update(this.docs.indexOf(doc), doc.state());
      if (doc.cells) this.refresh();
      else showDocuments(this.docs, this.doc, (index) => this.show(index));
    }
  }

  // opened returns the open mention, or a falsy value.
  opened() {
    return this.text.current && this.doc?.find(this.text.current);
  }

  // open opens a mention of the open or another document, from the text or the table.
  open(mention, view, doc = this.doc) {
    if (doc !== this.doc) this.show(this.docs.indexOf(doc));
    this.view = view;
    this.text.mark(mention, view === this.text);
    this.table.mark(mention);
    if (view === this.table) this.table.focus();
    this.panel.show(this.doc, mention);
  }

  // closeMention returns to the text.
  closeMention() {
    this.view = this.text;
    this.text.focus();
    if (!matchMedia("(max-width: 48rem)").matches) return; // there the panel covers the text
    this.text.mark(null);
    this.table.mark(null);
    this.panel.clear();
  }

  // step opens the next or previous mention.
  step(by) {
    const found = this.doc && this.view.step(by);
    if (!found) return;
    if (this.view === this.table) this.open(found[1], this.view, found[0]);
    else this.open(found, this.view);
  }

  // goTo opens the next mention for which is(doc, mention) holds, in this document or the next one that has any.
  goTo(is, none) {
    if (!this.doc) return;
    const at = this.docs.indexOf(this.doc);
    if (this.doc.cells) { // the rows after the open one, wrapping around
      const rows = this.table.all();
      const open = rows.indexOf(rows.find(([doc, m]) => doc === this.doc && m === this.opened()));
      const found = [...rows.slice(open + 1), ...rows.slice(0, open + 1)].find((row) => is(...row));
      if (found) this.open(found[1], this.table, found[0]);
      else announce(none);
      return;
    }
    for (const doc of [...this.docs.slice(at), ...this.docs.slice(0, at)]) {
      const place = doc === this.doc ? this.text.current : null;
      const mention = doc.next(place, (m) => is(doc, m));
      if (!mention) continue;
      if (doc !== this.doc) this.show(this.docs.indexOf(doc));
      this.open(mention, this.view);
      return;
    }
    announce(none);
  }

  nextUndecided() {
    if (this.doc ? this.doc.kept && this.docs.every((d) => d.left() === 0) : server.curates) this.onNext();
    else this.goTo((doc, m) => !doc.isDecided(m), nothingLeft);
  }

  nextUnsure() {
    this.goTo((doc, m) => doc.isUnsure(m), "No mention is left to review.");
  }
}

export const workspace = new Workspace();
