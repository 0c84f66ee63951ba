// The position of a concept in the hierarchy of the dictionary.

import * as api from "./api.js";
import { element, quiet } from "./dom.js";

const highest = 12; // largest number of steps up from a concept
const children = 10; // number to show at once

// hierarchy returns the ancestors of a concept, by the first parent of each, and its children, as nested lists. It
// calls onLook(id) when the user clicks one.
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
  const seen = new Set([concept.id]); // the hierarchy in a file may have a cycle
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
