// The list of the open documents, with the number of undecided mentions in each.

import { byID, counted, element, quiet, title } from "./dom.js";
import { identifier } from "./links.js";

// from returns the file of a document, or an empty string if the document's identifier contains it.
const from = (doc) => (doc.source.file && !doc.id.startsWith(doc.source.file) ? `${doc.source.file}, ` : "");

// showDocuments shows which document is open. OnShow(index) opens another one.
export function showDocuments(docs, open, onShow) {
  if (open.kept) return; // curation.js lists the documents that the server stores
  title(open.source.unnamed ? open.source.file : open.id);
  byID("documents").hidden = docs.length < 2;
  byID("documents").classList.remove("unopened");
  byID("curated").hidden = true;
  byID("documents-more").hidden = true;
  byID("progress").setAttribute("aria-label", "Mentions decided, of all documents");
  if (docs.length < 2) return;
  const at = docs.indexOf(open);
  const id = open.source.unnamed ? open.id : identifier("document", open.id);
  byID("document-name").replaceChildren(`${at + 1} of ${docs.length}: ${from(open)}`, id);
  byID("previous-document").disabled = at === 0;
  byID("next-document").disabled = at === docs.length - 1;
  const all = docs.reduce((sum, d) => sum + d.mentions.length, 0);
  const left = docs.reduce((sum, d) => sum + d.left(), 0);
  byID("progress").max = Math.max(all, 1);
  byID("progress").value = all - left;
  byID("left").textContent = `${left} of ${counted(all, "mention")} left to decide`;
  byID("document-list").replaceChildren(...docs.map((d, i) => {
    const button = element("button", { type: "button", className: "link" }, d.id);
    if (d === open) button.setAttribute("aria-current", "true");
    button.addEventListener("click", () => onShow(i));
    return element("li", {}, button, " ", quiet("span", `${from(d)}${d.left()} of ${d.mentions.length} left`));
  }));
}
