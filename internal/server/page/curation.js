// The documents that the server keeps: their list, opening one, and storing what is decided of it.

import * as api from "./api.js";
import { announce, byID, counted, element, quiet, title } from "./dom.js";
import { linkBatch, linkPlaces } from "./opening.js";
import { run } from "./queue.js";
import { by, nothingLeft, workspace } from "./workspace.js";

const page = 100; // documents that are listed at once

const opened = new Map(); // documents by number, which are linked once
const items = new Map(); // of the list, by number
let total = 0; // documents
let columns; // of the table that all documents are rows of; undefined if they are not

// start shows the list, and opens the document that the address of the page names.
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
  const [, key] = /^#document=([\w-]+)$/.exec(location.hash) ?? []; // before the list takes it away
  await showList();
  if (!key || columns) return;
  const { documents: [entry] } = await api.curation({ key });
  if (entry) await open(entry.number);
  else announce("The document that the address names is not here.");
}

// linked returns a page of the list once the server has linked all documents, or after some seconds.
async function linked() {
  for (let waited = 0; ; waited++) {
    const answer = await api.curation({ limit: 1 });
    const { documents, linked: done } = answer.progress;
    if (done === documents || waited === 20) return answer;
    announce(`The server has linked ${done} of ${counted(documents, "document")}: the order is not the last one`);
    await new Promise((resolve) => { setTimeout(resolve, 250); });
  }
}

// showList shows the list when no document is open.
export async function showList() {
  history.replaceState(null, "", location.pathname);
  byID("open").open = false;
  byID("documents").hidden = false;
  byID("curated").hidden = false;
  byID("documents").classList.add("unopened");
  byID("all-documents").open = true;
  await list(0);
}

// list lists documents from an offset on, after those before it.
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

// showRows shows rows of the sheet, after those that are there or in their place, and opens the first that is left.
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

// placeOf returns where a document is in the files of the server: its file, and its identifier or number there.
const placeOf = ({ file, id, unnamed }) => `${file}${unnamed ? ":" : ", "}${id}`;

// fill shows a document in its item of the list.
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
  if (!progress) return; // of a row of a list
  total = progress.documents;
  byID("progress").max = Math.max(total, 1);
  byID("progress").value = progress.done;
  byID("progress").setAttribute("aria-label", "Documents done, of all");
  const noun = columns ? "row" : "document";
  byID("left").textContent = `${progress.done} of ${counted(total, noun)} done, ${counted(progress.decided, "decision")}`;
}

// leave reports whether the open documents may be closed.
function leave() {
  return !workspace.unsaved || confirm("Decisions on the open documents are not stored. Close them?");
}

// open opens a document by its number, with what was decided of it. It is linked the first time.
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
  if (!answer.body.opened) await save(doc); // says how many mentions are left
  workspace.start([doc]);
  history.replaceState(null, "", `#document=${answer.body.key}`);
  byID("documents").classList.remove("unopened");
  byID("all-documents").open = false;
  show(doc);
  announce([`${counted(doc.mentions.length, "mention")}, ${doc.left()} left to decide.`, note].filter(Boolean).join(" "));
}

// show shows which document is open.
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

// openAt opens the document before or after the open one.
export function openAt(step) {
  const number = workspace.doc.kept.number + step;
  if (number >= 1 && number <= total && leave()) run(() => open(number));
}

// nextLeft returns the next document after a number in which something is left to decide, if there is one.
async function nextLeft(after) {
  const { documents } = await api.curation({ state: "left", after, limit: 1, order: "worst" });
  return documents[0];
}

// openNext opens the next document in which something is left to decide, and its first undecided mention.
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
      if (workspace.doc.left() === 0) continue; // it has no mentions
      workspace.nextUndecided();
      return;
    }
    announce(nothingLeft);
  });
}

// take takes what the server keeps of a document, and returns what of it others have changed, in words.
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

// refresh takes in what others have decided of a document, and returns it in words.
export async function refresh(doc) {
  const note = await take(doc, await api.curated(doc.kept.number));
  if (note) {
    workspace.changed(doc);
    announce(note);
  }
  return note;
}

// save stores what is decided of a document, if the server keeps it. If others have changed it meanwhile it takes that
// in first, and returns it in words.
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
