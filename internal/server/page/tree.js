// The place of a concept in the hierarchy of the dictionary.

import * as api from "./api.js";
import { element, quiet } from "./dom.js";

const highest = 12; // steps up from a concept
const children = 10; // that are shown at once

// hierarchy returns the concepts above a concept, by the first parent of each, and those below it, as nested lists.
// OnLook(id) is called for one that is clicked.
export async function hierarchy(concept, onLook) {
  const name = ({ id, name }) => {
    const button = element("button", { type: "button", className: "link" }, name === id ? id : `${name} (${id})`);
    button.addEventListener("click", () => onLook(id));
    return button;
  };
  const list = (...items) => element("ul", { className: "tree" }, ...items);
  const below = concept.children.slice(0, children).map((c) => element("li", {}, name(c)));
  if (concept.children.length > children) {
    const rest = concept.children.slice(children);
    below.push(element("li", {}, element("details", {}, element("summary", {}, `${rest.length} more`),
      list(...rest.map((c) => element("li", {}, name(c)))))));
  }
  let tree = list(element("li", {}, element("strong", {}, concept.name), below.length ? list(...below) : null));
  const seen = new Set([concept.id]); // a hierarchy of a file may have a cycle
  for (let at = concept; at.parents.length > 0 && seen.size <= highest;) {
    const [parent, ...others] = at.parents;
    if (seen.has(parent.id)) break;
    seen.add(parent.id);
    const also = others.flatMap((o, i) => [i ? ", " : " and ", name(o)]);
    tree = list(element("li", {}, name(parent), quiet("span", ...also), tree));
    at = await api.concept(parent.id, 0);
  }
  return tree;
}
