// The panel of a mention: its details, its candidates, and the search in the dictionary.

import * as api from "./api.js";
import { details } from "./concept.js";
import { byID, counted, element, percent, quiet } from "./dom.js";
import { identifier } from "./links.js";

const found = 10; // number of concepts that a search shows

// button returns a button whose label ends with its key.
function button(id, text, key, action, properties = {}) {
  const all = { type: "button", id, ...properties, "aria-keyshortcuts": key };
  const b = element("button", all, `${text} `, element("kbd", {}, key));
  b.addEventListener("click", () => action());
  return b;
}

const row = (...children) => element("div", { className: "row" }, ...children);

// about returns the details of a mention other than its candidates.
function about(doc, mention) {
  const nodes = [element("p", { className: "surface" }, doc.surface(mention))];
  const { source, recognition_score: score, resolved_text: resolved, readings, corrected } = mention;
  const says = doc.says(mention);
  if (source === "recognized") {
    const probability = score ? `: exactly these words are a mention with a probability of ${percent(score)}` : "";
    nodes.push(quiet("p", `recognized, no name of the dictionary${probability}`));
  }
  if (says.length) {
    const words = says.map((s) => element("span", { className: "says" }, s));
    nodes.push(element("p", { id: "says" }, "The text says: ", ...words));
  }
  if (resolved) nodes.push(quiet("p", `read as ${resolved}`));
  if (readings?.length) {
    nodes.push(quiet("p", `may stand for ${readings.map((r) => `${r.text} (${percent(r.probability)})`).join(", ")}`));
  }
  const decision = doc.decision(mention);
  if (decision) {
    const to = decision.kind === "nil" ? "NIL" : `${decision.name} (${decision.concept})`;
    const by = doc.decidedBy(mention);
    nodes.push(element("p", { id: "decision" }, `${by === "you" ? "You decided" : `Decided ${by}`}: ${to}`));
  } else if (corrected) {
    nodes.push(element("p", { id: "corrected" }, `This was ${corrected}`));
  }
  return nodes;
}

// broader returns a line about the concept above a NIL mention or sub-mention, or an empty string if there is none.
function broader({ broader: above }) {
  if (!above) return "";
  const probability = percent(above.probability);
  return quiet("p", `perhaps a kind of ${above.name} (`, identifier("concept", above.id), `), ${probability}`);
}

// Panel shows a mention of a document. Its actions are accept(), acceptAndGoOn(), acceptAllAndGoOn(), choose(concept,
// part), markNIL(), remove(), removeAll(), ignore(), addName(), addConcept({ id, name, parent }), applyToAll() and browse(id),
// which shows the dictionary; remembers() reports whether the server stores names.
export class Panel {
  constructor(actions) {
    this.actions = actions;
    this.root = byID("panel");
    this.body = byID("panel-body");
  }

  clear() {
    delete this.root.dataset.open;
    this.body.replaceChildren(quiet("p", "Choose a mention of the text to see its candidates, or press ", element("kbd", {}, "f"), "."));
    this.mention = null;
  }

  show(doc, mention) {
    this.mention = mention;
    this.root.dataset.open = "";
    const surface = doc.surface(mention);
    this.searchForm = this.newSearch(surface);
    this.body.replaceChildren(
      ...about(doc, mention), ...this.buttons(doc, mention), this.searchForm, ...this.candidates(doc, mention),
      this.actions.remembers() ? this.newConcept(mention, surface) : "",
    );
  }

  // buttons returns the rows of buttons for a mention: those for any mention, and those for a decided one.
  buttons(doc, mention) {
    const { actions } = this;
    const going = doc.isDecided(mention) ? "Next" : mention.candidates.length ? "Accept, next" : "NIL, next";
    const rows = [row(
      button("accept-next", going, "f", actions.acceptAndGoOn,
        { className: "main" }),
      button("accept", "Accept", "a", actions.accept, { disabled: mention.candidates.length === 0 }),
      button("nil", "NIL", "x", actions.markNIL),
      button("remove", "No mention", "r", actions.remove),
      button("search-button", "Search", "s", () => this.openSearch()),
    )];
    const decision = doc.decision(mention);
    const same = doc.undecidedOf(mention).length;
    if (!decision && same > 1) {
      const label = `All ${same} of this wording`;
      const all = row(
        quiet("span", label),
        button("accept-all", mention.candidates.length ? "Accept" : "NIL", "F", actions.acceptAllAndGoOn),
        button("remove-all", "No mention", "R", actions.removeAll),
      );
      all.id = "alike";
      all.setAttribute("role", "group");
      all.setAttribute("aria-label", label);
      rows.push(all);
    }
    if (!decision && doc.tagged && actions.remembers()) {
      rows.push(row(button("ignore", "No mention in any text", "N", actions.ignore)));
    }
    const others = decision ? doc.others(mention).length : 0;
    if (others > 0) {
      rows.push(row(button("apply-all", `Apply to all ${others + 1} of this wording`, "d", actions.applyToAll)));
    }
    if (decision?.kind === "context" && actions.remembers()) {
      rows.push(row(decision.named
        ? quiet("p", "The wording is a name of it now.")
        : button("add-name", "Add the wording to its names", "n", actions.addName)));
    }
    return rows;
  }

  // candidates returns the numbered candidates of a mention, grouped by sub-mention if it is composite.
  candidates(doc, mention) {
    this.byNumber = [];
    const decision = doc.decision(mention);
    const list = ({ candidates, suggested = [] }, part) => {
      const items = [...candidates, ...suggested].map((c) => this.candidate(c, decision, this.byNumber.push([c, part]), part));
      return element("ol", { className: "candidates" }, ...items);
    };
    const words = mention.candidates.length ? "Candidates" : mention.suggested ? "Not sure enough" : "No candidates";
    const title = element("h3", {}, words);
    if (!mention.sub_mentions?.length) return [title, list(mention), broader(mention)];
    return [title, ...mention.sub_mentions.flatMap((part, i) => [
      element("h3", {}, part.text), list(part, i), broader(part),
    ])];
  }

  // candidate returns a concept with a button that chooses it. Number counts from 1, and is undefined for a search
  // result. Part is the number of the sub-mention of a composite mention.
  candidate(c, decision, number, part) {
    const chosen = (decision?.parts ? decision.parts[part]?.id : decision?.concept) === c.id;
    const choose = element("button", { type: "button", className: "choose" },
      chosen ? "Chosen ✎" : "Choose", element("span", { className: "unseen" }, ` ${c.name} `),
      chosen || !(number <= 9) ? null : element("kbd", { "aria-hidden": "true" }, `${number}`));
    choose.addEventListener("click", () => this.actions.choose(c, part));
    const matched = c.matched_name && c.matched_name !== c.name ? ` · by “${c.matched_name}”` : "";
    const item = element("li", { className: chosen ? "chosen" : "" },
      row(element("div", {}, element("strong", {}, c.name), quiet("div", identifier("concept", c.id), matched)), choose));
    if (c.probability !== undefined) {
      const votes = c.votes ? `, ${counted(c.votes, "vote")}` : "";
      const label = `probability of ${c.name}`;
      const meter = element("meter", { min: 0, max: 1, value: c.probability, "aria-label": label });
      item.append(quiet("div", `${percent(c.probability)}${votes}`, meter));
    }
    item.append(details(c.id, c.evidence, number === 1 && c.probability !== undefined, (id) => this.look(id),
      this.actions.browse));
    return item;
  }

  // choose chooses a candidate by its number, from 1.
  choose(number) {
    const chosen = this.mention && this.byNumber[number - 1];
    if (chosen) this.actions.choose(...chosen);
  }

  // newSearch returns the form that searches the dictionary. The arrow keys move through the results.
  newSearch(surface) {
    const input = element("input", {
      id: "search-input", type: "search", value: surface, maxLength: 500, autocomplete: "off",
      "aria-label": "Name or identifier of a concept",
    });
    const results = element("ol", { className: "candidates", id: "found", "aria-label": "Concepts found" });
    const said = quiet("p");
    said.setAttribute("role", "status");
    const form = element("form", { id: "search", hidden: true, role: "search" },
      row(input, element("button", {}, "Search the dictionary")), said, results);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const query = input.value.trim();
      if (!query) return;
      try {
        const { concepts } = await api.search(query, found);
        results.replaceChildren(...concepts.map((c) => this.candidate(c)));
        said.textContent = `${counted(concepts.length, "concept")}${concepts.length === found ? " or more" : ""}`;
        results.querySelector("button")?.focus();
      } catch (error) {
        said.textContent = error.message;
      }
    });
    form.addEventListener("keydown", (event) => {
      const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const buttons = [input, ...results.querySelectorAll(".choose")];
      const at = buttons.indexOf(document.activeElement);
      if (!by || at < 0) return;
      event.preventDefault();
      const to = buttons[Math.min(Math.max(at + by, 0), buttons.length - 1)];
      to.focus();
      if (to === input) input.select();
    });
    return form;
  }

  // newConcept returns the form for a concept that the dictionary lacks. As the broader concept it proposes the one
  // suggested for a NIL mention, and the candidates.
  newConcept(mention, surface) {
    const parts = [mention, ...mention.sub_mentions ?? []];
    const near = new Map(parts.flatMap((m) => [m.broader, ...m.candidates]).filter(Boolean).map((c) => [c.id, c.name]));
    const proposed = [...near].map(([id, name]) => element("option", { value: id }, name));
    const id = element("input", { required: true, maxLength: 200, autocomplete: "off" });
    const name = element("input", { required: true, maxLength: 500, autocomplete: "off", value: surface });
    const parent = element("input", { maxLength: 200, autocomplete: "off" });
    parent.setAttribute("list", "broader-concepts");
    const form = element("form", {},
      element("label", {}, "Identifier ", id), element("label", {}, "Name ", name),
      element("label", {}, "Identifier of the broader concept, if any ", parent),
      element("button", {}, "Add the concept"), element("datalist", { id: "broader-concepts" }, ...proposed));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.actions.addConcept({ id: id.value.trim(), name: name.value.trim(), parent: parent.value.trim() });
    });
    return element("details", { id: "new-concept" }, element("summary", {}, "Add a new concept"), form);
  }

  // look shows a concept below the search, where it can be chosen.
  look(id) {
    this.openSearch();
    byID("search-input").value = id;
    this.searchForm.requestSubmit();
  }

  openSearch() {
    if (!this.mention) {
      this.actions.browse(); // so that the keys typed next are not commands
      return;
    }
    this.searchForm.hidden = false;
    const input = byID("search-input");
    input.focus();
    input.select();
  }

  focus() {
    this.root.focus(); // not its first button: Enter, held or pressed twice, would accept a candidate that nobody read
  }
}
