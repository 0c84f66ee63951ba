// The panel of a mention: candidates with what speaks for them, and the search in the dictionary.

import * as api from "./api.js";
import { byID, counted, element, percent } from "./dom.js";
import { hierarchy } from "./tree.js";

// sentence returns a sentence with its mention marked, and its PMID.
function sentence({ pmid, text, start, end, source, similarity }) {
  const characters = [...text];
  const cut = (a, b) => characters.slice(a, b).join("");
  const item = element("li", {}, cut(0, start), element("mark", {}, cut(start, end)), cut(end));
  if (pmid && /^[0-9]{1,9}$/.test(pmid)) {
    item.append(" ", element("a", { href: `https://pubmed.ncbi.nlm.nih.gov/${pmid}/`, rel: "noreferrer noopener", target: "_blank" }, `PMID ${pmid}`));
  } else if (pmid) {
    item.append(" ", element("span", { className: "quiet" }, pmid));
  } else {
    item.append(" ", element("span", { className: "quiet" }, source ? `a name of the corpus (${source})` : "a name of the dictionary"));
  }
  if (similarity !== undefined) item.append(" ", element("span", { className: "quiet" }, `similarity ${similarity.toFixed(2)}`));
  return item;
}

// details returns names, hierarchy and sentences of a concept, which are asked for when they are opened. OnLook(id) is called
// for a concept of the hierarchy that is clicked.
function details(id, evidence, open, onLook) {
  const about = element("div");
  const e = element("details", {}, element("summary", {}, "Names, hierarchy, sentences"));
  if (evidence?.length) e.append(element("h3", {}, "Voted for it"), element("ul", { className: "votes" }, ...evidence.map(sentence)));
  e.append(about);
  const load = async () => {
    try {
      const concept = await api.concept(id, 3);
      about.replaceChildren(
        element("h3", {}, "Names"), element("p", {}, concept.names.join(" · ") || "none"),
        element("h3", {}, "Place in the hierarchy"), await hierarchy(concept, onLook),
      );
      if (!evidence?.length && concept.exemplars.length) {
        about.append(element("h3", {}, `Sentences of the corpus, ${concept.exemplars.length} of ${concept.exemplar_count}`), element("ul", {}, ...concept.exemplars.map(sentence)));
      }
    } catch (error) {
      about.replaceChildren(element("p", {}, error.message));
    }
  };
  e.addEventListener("toggle", () => { if (e.open && !about.hasChildNodes()) load(); });
  e.open = open;
  return e;
}

// Panel shows a mention of a document. Its actions are accept(), acceptAndGoOn(), choose(concept), markNIL(), remove(), addName()
// and applyToAll(); remembers() says whether the server keeps names.
export class Panel {
  constructor(actions) {
    this.actions = actions;
    this.root = byID("panel");
    this.body = byID("panel-body");
  }

  clear() {
    delete this.root.dataset.open;
    this.body.replaceChildren(element("p", { className: "quiet" }, "Choose a mention of the text to see its candidates."));
    this.mention = null;
  }

  show(doc, mention) {
    this.mention = mention;
    this.root.dataset.open = "";
    const decision = doc.decision(mention);
    const nodes = [element("p", { className: "surface" }, doc.surface(mention))];
    if (mention.source === "recognized") nodes.push(element("p", { className: "quiet" }, `no name of the dictionary; recognized with ${percent(mention.recognition_score)}`));
    if (doc.says(mention).length) nodes.push(element("p", { id: "says" }, "The text says: ", ...doc.says(mention).map((s) => element("span", { className: "says" }, s))));
    if (mention.resolved_text) nodes.push(element("p", { className: "quiet" }, `read as ${mention.resolved_text}`));
    if (mention.readings?.length) nodes.push(element("p", { className: "quiet" }, "may stand for " + mention.readings.map((r) => `${r.text} (${percent(r.probability)})`).join(", ")));
    if (decision) {
      const to = decision.kind === "nil" ? "NIL" : `${decision.name} (${decision.concept})`;
      nodes.push(element("p", { id: "decision" }, `You decided: ${to}`));
    }
    else if (mention.corrected) nodes.push(element("p", { id: "corrected" }, `This was ${mention.corrected}`));
    const button = (id, text, keys, action, properties) => {
      const b = element("button", { type: "button", id, ...properties, "aria-keyshortcuts": keys }, `${text} `, element("kbd", {}, keys));
      b.addEventListener("click", action);
      return b;
    };
    nodes.push(element("div", { className: "row" },
      button("accept-next", "Accept, next", "f", this.actions.acceptAndGoOn, { className: "main" }),
      button("accept", "Accept", "a", this.actions.accept, { disabled: mention.candidates.length === 0 }),
      button("nil", "NIL", "x", this.actions.markNIL),
      button("remove", "No mention", "r", this.actions.remove),
      button("search-button", "Search", "s", () => this.openSearch())));
    const others = decision ? doc.others(mention).length : 0;
    if (others > 0) {
      nodes.push(element("div", { className: "row" },
        button("apply-all", `Apply to all ${others + 1} “${doc.surface(mention)}” of this document`, "d", this.actions.applyToAll)));
    }
    if (decision?.kind === "context" && this.actions.remembers()) {
      nodes.push(element("div", { className: "row" }, decision.named
        ? element("p", { className: "quiet" }, `“${doc.surface(mention)}” is a name of it now.`)
        : button("add-name", `Add “${doc.surface(mention)}” to its names, for all documents`, "n", this.actions.addName)));
    }
    this.searchForm = this.newSearch(doc.surface(mention));
    nodes.push(this.searchForm, element("h3", {}, mention.candidates.length ? "Candidates" : "No candidates"));
    const parts = mention.sub_mentions?.length ? mention.sub_mentions : null;
    let number = 0;
    const list = (candidates) => element("ol", { className: "candidates" }, ...candidates.map((c) => this.candidate(c, ++number, decision)));
    this.byNumber = [];
    if (parts) for (const part of parts) nodes.push(element("h3", {}, part.text), list(part.candidates));
    else nodes.push(list(mention.candidates));
    this.body.replaceChildren(...nodes);
  }

  candidate(c, number, decision) {
    this.byNumber.push(c);
    const chosen = decision?.concept === c.id;
    const choose = element("button", { type: "button", className: "choose" },
      chosen ? "Chosen ✎" : "Choose", element("span", { className: "unseen" }, ` ${c.name} `),
      chosen || number > 9 ? null : element("kbd", { "aria-hidden": "true" }, `${number}`));
    choose.addEventListener("click", () => this.actions.choose(c));
    const matched = c.matched_name && c.matched_name !== c.name ? ` · by “${c.matched_name}”` : "";
    return element("li", { className: chosen ? "chosen" : "" },
      element("div", { className: "row" },
        element("div", {}, element("strong", {}, c.name), element("div", { className: "quiet" }, `${c.id}${matched}`)), choose),
      c.probability === undefined ? null : element("div", { className: "quiet" }, `${percent(c.probability)}${c.votes ? `, ${counted(c.votes, "vote")}` : ""}`,
        element("meter", { min: 0, max: 1, value: c.probability, "aria-label": `probability of ${c.name}` })),
      details(c.id, c.evidence, number === 1 && c.probability !== undefined, (other) => this.look(other)));
  }

  // choose chooses a candidate by its number, from 1.
  choose(number) {
    const c = this.mention && this.byNumber[number - 1];
    if (c) this.actions.choose(c);
  }

  newSearch(surface) {
    const input = element("input", { id: "search-input", type: "search", value: surface, maxLength: 500, autocomplete: "off", "aria-label": "Name or identifier of a concept" });
    const results = element("ol", { className: "candidates", id: "found", "aria-label": "Concepts found" });
    const said = element("p", { className: "quiet", role: "status" });
    const form = element("form", { id: "search", hidden: true, role: "search" },
      element("div", { className: "row" }, input, element("button", {}, "Search the dictionary")), said, results);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const query = input.value.trim();
      if (!query) return;
      try {
        const { concepts } = await api.search(query);
        const before = this.byNumber;
        results.replaceChildren(...concepts.map((c) => this.candidate(c, 10)));
        this.byNumber = before;
        said.textContent = concepts.length === 1 ? "1 concept" : `${concepts.length} concepts${concepts.length === 10 ? " or more" : ""}`;
        results.querySelector("button")?.focus();
      } catch (error) {
        said.textContent = error.message;
      }
    });
    return form;
  }

  // look shows a concept below the search, where it can be chosen.
  look(id) {
    this.openSearch();
    byID("search-input").value = id;
    this.searchForm.requestSubmit();
  }

  openSearch() {
    if (!this.mention) return;
    this.searchForm.hidden = false;
    const input = byID("search-input");
    input.focus();
    input.select();
  }

  focus() {
    this.root.focus(); // and not its first button: Enter, held or pressed twice, would accept what nobody read
  }
}
