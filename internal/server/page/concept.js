// Details of a concept: names, position in the hierarchy, and the sentences that voted for it.

import * as api from "./api.js";
import { element, quiet } from "./dom.js";
import { identifier } from "./links.js";
import { hierarchy } from "./tree.js";

const sentences = 3; // number of corpus sentences to show

// origin returns where a sentence or a name comes from: its document, or the list of names.
function origin(document, source) {
  if (document) return ["document ", identifier("document", document)];
  return [source ? `a name of the corpus (${source})` : "a name of the dictionary"];
}

const around = 150; // characters to show before and after a mention in a long sentence

// sentence returns a sentence with its mention marked, and its origin.
function sentence({ pmid, text, start, end, source, similarity }) {
  const characters = [...text];
  const cut = (a, b) => characters.slice(a, b).join("");
  const before = start > around ? `…${cut(start - around, start)}` : cut(0, start);
  const after = characters.length - end > around ? `${cut(end, end + around)}…` : cut(end);
  const similar = similarity === undefined ? "" : `\u00a0· similarity ${similarity.toFixed(2)}`;
  return element("li", {}, before, element("mark", {}, cut(start, end)), after,
    quiet("span", "\u00a0· ", ...origin(pmid, source), similar));
}

// about returns the names, hierarchy and, with examples, sentences of a concept. It calls onLook(id) when the user
// clicks another concept in the hierarchy.
export async function about(concept, examples, onLook) {
  const nodes = [
    element("h3", {}, "Names"), element("p", { className: "names" }, concept.names.join(" · ") || "none"),
  ];
  if (concept.parents.length + concept.children.length > 0) {
    nodes.push(element("h3", {}, "Place in the hierarchy"), await hierarchy(concept, onLook));
  }
  if (examples && concept.exemplars.length) {
    nodes.push(element("h3", {}, `Sentences of the corpus, ${concept.exemplars.length} of ${concept.exemplar_count}`));
    nodes.push(element("ul", {}, ...concept.exemplars.map(sentence)));
  }
  return nodes;
}

// details returns an element with the details of a concept, which it requests when the user opens it. Evidence lists
// the sentences that voted for the concept. OnLook is that of about, and onBrowse(id) shows the concept in the
// dictionary.
export function details(id, evidence, open, onLook, onBrowse) {
  const answer = element("div");
  const e = element("details", {}, element("summary", {}, "Names, hierarchy, sentences"));
  if (evidence?.length) {
    e.append(element("h3", {}, "Voted for it"), element("ul", { className: "votes" }, ...evidence.map(sentence)));
  }
  e.append(answer);
  let asked = false;
  e.addEventListener("toggle", async () => {
    if (!e.open || asked) return;
    asked = true;
    const failed = (error) => [element("p", {}, error.message)];
    const show = async () => about(await api.concept(id, sentences), !evidence?.length, onLook);
    const browse = element("button", { type: "button", className: "link" }, "Show it in the dictionary");
    browse.addEventListener("click", () => onBrowse(id));
    answer.replaceChildren(...await show().catch(failed), element("p", {}, browse));
  });
  e.open = open;
  return e;
}
