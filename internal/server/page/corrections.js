// The list of corrections by curators, each with a button that undoes it.

import * as api from "./api.js";
import { byID, counted, element, quiet } from "./dom.js";

const page = 20; // number of corrections to show at once

// Corrections shows the dialog #corrections. OnUndo(number) undoes a correction, and resolves once that is done.
export class Corrections {
  constructor(onUndo) {
    this.onUndo = onUndo;
    this.names = new Map(); // of concepts, by identifier
    byID("corrections-more").addEventListener("click", () => this.more());
  }

  async open() {
    this.next = 0;
    byID("corrections-list").replaceChildren();
    if (!byID("corrections").open) byID("corrections").showModal();
    await this.more();
  }

  async more() {
    const count = byID("corrections-count");
    try {
      const { entries, count: all, next_offset: next } = await api.memory(this.next, page);
      const items = [];
      for (const entry of entries) items.push(await this.item(entry));
      byID("corrections-list").append(...items);
      count.textContent = all ? `${counted(all, "correction")}, the latest first` : "There are no corrections.";
      this.next = next;
      byID("corrections-more").hidden = next === undefined;
    } catch (error) {
      count.textContent = error.message;
    }
  }

  async item(entry) {
    const undo = element("button", { type: "button", "aria-label": `Undo correction ${entry.number}` }, "Undo");
    undo.addEventListener("click", async () => {
      await this.onUndo(entry.number);
      await this.open();
    });
    const { by, at, document: of } = entry;
    const from = [by && `by ${by}`, new Date(at).toLocaleString(), of && `in ${of}`].filter(Boolean).join(" · ");
    return element("li", { className: "row" }, element("div", {}, ...await this.says(entry), quiet("div", from)), undo);
  }

  // says describes an entry in words.
  async says(entry) {
    const quoted = (wording) => element("strong", {}, `“${wording}”`);
    const wording = entry.text && [...entry.text].slice(entry.start, entry.end).join("");
    switch (entry.kind) {
      case "name": return [quoted(entry.name), ` is a name of ${await this.name(entry.concept)}`];
      case "concept": return [quoted(entry.name), ` is a new concept, ${entry.id}`];
      case "no_mention": return [quoted(entry.name), " is no mention in any text"];
      case "nil": return [quoted(wording), " is NIL"];
      default: return [quoted(wording), ` is ${await this.name(entry.concept)}`];
    }
  }

  async name(id) {
    if (!this.names.has(id)) {
      this.names.set(id, await api.concept(id, 0).then((c) => `${c.name} (${c.id})`, () => id)); // it may be gone
    }
    return this.names.get(id);
  }
}
