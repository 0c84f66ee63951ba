// Links from identifiers to web pages, by the templates of the server.

import { element } from "./dom.js";

let templates = {};

// useTemplates sets the templates of the server, with the keys "concept" and "document".
export function useTemplates(links) { templates = links; }

// address returns the URL for an identifier, by the rule of ctxnorm's LinkTemplates. It is empty if there is no
// template, or if the identifier lacks the prefix that the template needs.
function address(template, id) {
  const at = id.indexOf(":");
  const values = { id, prefix: id.slice(0, Math.max(at, 0)), local: id.slice(at + 1) };
  if (!template || !values.local || (!values.prefix && template.includes("{prefix}"))) return "";
  return template.replace(/\{(id|prefix|local)\}/g, (_, name) => encodeURIComponent(values[name]));
}

// identifier returns an identifier of a "concept" or a "document" as a link, or as plain text if it has no URL.
export function identifier(of, id) {
  const href = address(templates[of], id);
  return href ? element("a", { href, rel: "noreferrer noopener", target: "_blank" }, id) : id;
}
