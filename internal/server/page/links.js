// The web pages that identifiers lead to, by the templates of the server.

import { element } from "./dom.js";

let templates = {};

// useTemplates takes the templates of the server, by what they are of: "concept" and "document".
export function useTemplates(links) { templates = links; }

// address returns where an identifier leads, by the rule of ctxnorm's LinkTemplates: empty without a template, or for an
// identifier that lacks the prefix that the template has.
function address(template, id) {
  const at = id.indexOf(":");
  const values = { id, prefix: id.slice(0, Math.max(at, 0)), local: id.slice(at + 1) };
  if (!template || !values.local || (!values.prefix && template.includes("{prefix}"))) return "";
  return template.replace(/\{(id|prefix|local)\}/g, (_, name) => encodeURIComponent(values[name]));
}

// identifier returns an identifier of a "concept" or a "document" as a link, or as it is where it leads nowhere.
export function identifier(of, id) {
  const href = address(templates[of], id);
  return href ? element("a", { href, rel: "noreferrer noopener", target: "_blank" }, id) : id;
}
