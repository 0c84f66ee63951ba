// The documents that the server stores: listing them, opening one, and storing the decisions on it.

import * as api from "./api.js";
import { announce, byID, counted, element, quiet, title } from "./dom.js";
import { linkBatch, linkPlaces } from "./opening.js";
import { run } from "./queue.js";
import { by, nothingLeft, workspace } from "./workspace.js";

const page = 100; // number of documents to list at once

const opened = new Map(); // documents by number; each is linked only once
const items = new Map(); // list items, by document number
let total = 0; // number of documents
let columns; // of the table whose rows the documents are; undefined if they are not rows of one table

// start shows the list, and opens the document named in the page's address.
export async function start() {
  byID("document-query").addEventListener("input", () => run(() => list(0)));
  byID("document-state").addEventListener("change", () => run(() => list(0)));
  byID("documents-more").addEventListener("click", () => run(() => list(items.size)));
  addEventListener("focus", () => {
    const { doc } = workspace;
    if (doc?.kept) run(() => refresh(doc));
  });
  byID("equal").addEventListener("change", () => run(() => list(0)));
  ({ columns } = await linked());
  if (columns) {
    document.body.dataset.sheet = "";
    byID("document-state").value = "left";
    byID("go-on").checked = localStorage.getItem("go-on") !== "off";
    byID("document-query").placeholder = "words";
    const xlsx = byID("curation-format").querySelector("[value=xlsx]");
    byID("curation-format").prepend(xlsx);
    if (!localStorage.getItem("curation-format")) byID("curation-format").value = "xlsx";
  }
  const [, key] = /^#document=([\w-]+)$/.exec(location.hash) ?? []; // before the list clears it
  await showList();
  if (!key || columns) return;
  const { documents: [entry] } = await api.curation({ key });
  if (entry) await open(entry.number);
  else announce("The document that the address names is not here.");
}

// linked returns the first page of the list once the server has linked all documents, or after some seconds.
async function linked() {
  for (let waited = 0; ; waited++) {
    const answer = await api.curation({ limit: 1 });
    const { documents, linked: done } = answer.progress;
    if (done === documents || waited === 20) return answer;
    announce(`The server has linked ${done} of ${counted(documents, "document")}: the order is not the last one`);
    await new Promise((resolve) => { setTimeout(resolve, 250); });
  }
}

// showList shows the list while no document is open.
export async function showList() {
  history.replaceState(null, "", location.pathname);
  byID("open").open = false;
  byID("documents").hidden = false;
  byID("curated").hidden = false;
  byID("documents").classList.add("unopened");
  byID("all-documents").open = true;
  await list(0);
}

// list appends the documents from an offset on to the list.
async function list(offset) {
  const answer = await api.curation({
    query: byID("document-query").value.trim(), state: byID("document-state").value, limit: page, offset, order: "worst",
    ...(columns && { full: true, once: byID("equal").checked }),
  });
  if (offset === 0) {
    items.clear();
    byID("document-list").replaceChildren();
  }
  for (const entry of answer.documents) {
    const item = element("li", { value: entry.number });
    items.set(entry.number, item);
    fill(item, entry);
    byID("document-list").append(item);
  }
  byID("document-count").textContent = `${counted(answer.count, columns ? "row" : "document")} listed`;
  byID("documents-more").hidden = answer.next_offset === undefined;
  byID("document-query").parentElement.hidden = columns && answer.count <= page && !byID("document-query").value;
  showProgress(answer.progress);
  if (columns) await showRows(answer.documents, offset > 0);
}

// showRows shows rows of the sheet, appended or instead of the current ones, and opens the first one left to decide.
async function showRows(entries, isMore) {
  const fresh = entries.filter((e) => !opened.has(e.number));
  if (fresh.length) announce("Linking");
  const docs = await linkBatch(fresh.map(({ source, file, unnamed }) => ({ ...source, file, unnamed })));
  for (const [i, { number, cells, equal }] of fresh.entries()) {
    opened.set(number, Object.assign(docs[i], { kept: { number, said: new Map() }, columns, cells, equal }));
  }
  for (const e of entries) await take(opened.get(e.number), { body: e, etag: `"${e.curated.curation.version}"` });
  const rows = entries.map((e) => opened.get(e.number));
  if (rows.length) workspace.start(isMore ? [...workspace.docs, ...rows] : rows);
  if (rows.some((doc) => doc.left() > 0)) workspace.nextUndecided();
  announce(rows.length ? "" : nothingLeft);
}

// placeOf returns a document's location on the server: its file, and its identifier or number in the file.
const placeOf = ({ file, id, unnamed }) => `${file}${unnamed ? ":" : ", "}${id}`;

// fill shows a document in its list item.
function fill(item, entry) {
  const button = element("button", { type: "button", className: "link" }, entry.unnamed ? placeOf(entry) : entry.id);
  if (workspace.doc?.kept?.number === entry.number) button.setAttribute("aria-current", "true");
  button.addEventListener("click", () => leave() && run(() => open(entry.number)));
  const state = entry.done ? "done" : entry.opened ? `${entry.left} left, ${entry.decided} decided` : "not opened";
  const found = entry.linked && `${counted(entry.mentions, "mention")}, ${entry.unsure} to review`;
  const said = [!entry.unnamed && entry.file, found, state].filter(Boolean).join(", ");
  item.replaceChildren(button, " ", entry.title, " ", quiet("span", said));
}

function showProgress(progress) {
  if (!progress) return; // an item of a list has none
  total = progress.documents;
  byID("progress").max = Math.max(total, 1);
  byID("progress").value = progress.done;
  byID("progress").setAttribute("aria-label", "Documents done, of all");
  const noun = columns ? "row" : "document";
  byID("left").textContent = `${progress.done} of ${counted(total, noun)} done, ${counted(progress.decided, "decision")}`;
}

// leave asks, if there are unsaved decisions, whether the open documents may be closed, and reports the answer.
function leave() {
  return !workspace.unsaved || confirm("Decisions on the open documents are not stored. Close them?");
}

// open opens a document by its number, with the decisions on it. The first time, it also links the document.
async function open(number) {
  const answer = await api.curated(number);
  let doc = opened.get(number);
  if (!doc) {
    announce("Linking");
    const { source, file, unnamed } = answer.body;
    [doc] = await linkBatch([{ ...source, file, unnamed }]);
    doc.kept = { number, said: new Map() };
    opened.set(number, doc);
  }
  const note = await take(doc, answer);
  if (!answer.body.opened) await save(doc); // reports how many mentions are left
  workspace.start([doc]);
  history.replaceState(null, "", `#document=${answer.body.key}`);
  byID("documents").classList.remove("unopened");
  byID("all-documents").open = false;
  show(doc);
  announce([`${counted(doc.mentions.length, "mention")}, ${doc.left()} left to decide.`, note].filter(Boolean).join(" "));
}

// show marks a document as the open one.
function show(doc) {
  const { number } = doc.kept;
  byID("documents").hidden = false;
  const name = placeOf({ ...doc.source, id: doc.id });
  title(name);
  byID("document-name").textContent = `${number} of ${total}: ${name}`;
  byID("previous-document").disabled = number === 1;
  byID("next-document").disabled = number === total;
  for (const [n, item] of items) {
    if (n === number) item.querySelector("button").setAttribute("aria-current", "true");
    else item.querySelector("button").removeAttribute("aria-current");
  }
}

// openAt opens the document some steps before or after the open one.
export function openAt(step) {
  const number = workspace.doc.kept.number + step;
  if (number >= 1 && number <= total && leave()) run(() => open(number));
}

// nextLeft returns the next document after a number that has mentions left to decide, or undefined.
async function nextLeft(after) {
  const { documents } = await api.curation({ state: "left", after, limit: 1, order: "worst" });
  return documents[0];
}

// openNext opens the next document that has mentions left to decide, at its first undecided mention.
export function openNext() {
  const from = workspace.doc;
  if (columns) {
    run(() => list(0));
    return;
  }
  if (!leave()) return;
  run(async () => {
    if (workspace.doc !== from) return; // the key was pressed twice
    let number = from?.kept?.number ?? 0;
    for (let tried = 0; tried <= total; tried++) {
      const next = await nextLeft(number) ?? await nextLeft(0);
      if (!next || next.number === from?.kept?.number) break;
      ({ number } = next);
      await open(number);
      if (workspace.doc.left() === 0) continue; // the document has no mentions
      workspace.nextUndecided();
      return;
    }
    announce(nothingLeft);
  });
}

// take applies the server's version of a document, and describes what others have changed in it.
async function take(doc, { body, etag }) {
  doc.kept.etag = etag;
  const { changed, missing } = doc.take(body.curated);
  if (missing.length) doc.addLinked(await linkPlaces(doc, missing));
  showProgress(body.progress);
  const item = items.get(body.number);
  if (item) fill(item, body);
  const said = changed.slice(0, 3).map(({ place, lost }) => {
    const is = `${doc.slice(place.start, place.end)} ${doc.describe(place)}`;
    return lost ? `${is}, which stays in place of yours` : is;
  });
  if (changed.length > said.length) said.push(`and ${changed.length - said.length} more`);
  return said.length && doc === workspace.doc ? `Changed by others: ${said.join("; ")}.` : "";
}

// refresh fetches what others have decided on a document, and describes it.
export async function refresh(doc) {
  const note = await take(doc, await api.curated(doc.kept.number));
  if (note) {
    workspace.changed(doc);
    announce(note);
  }
  return note;
}

// save stores the decisions on a document, if the server stores the document. If others have changed it in the
// meantime, it applies their changes first and describes them.
export async function save(doc) {
  const notes = [];
  while (doc.kept) {
    workspace.unsaved = true;
    try {
      await take(doc, await api.decide(doc.kept.number, doc.kept.etag, {
        ...by(), ...doc.curated(), equal: doc.cells !== null && byID("equal").checked,
      }));
      break;
    } catch (error) {
      if (error.status !== 412) throw error;
    }
    notes.push(await take(doc, await api.curated(doc.kept.number)));
  }
  if (doc.kept) workspace.unsaved = false;
  return notes.filter(Boolean).join(" ");
}
