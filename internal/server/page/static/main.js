// The page: what its forms, buttons and keys do.

import * as api from "./api.js";
import { announce, byID, element, showError } from "./dom.js";
import { LinkedDocument } from "./document.js";
import { Panel } from "./panel.js";
import { TextView } from "./textview.js";

const batch = 8; // documents that are linked by a request

let docs = [];
let doc = null;
let explain = false; // whether the server has evidence
let recognize = false; // whether the model finds mentions that are no names
let remembers = false; // whether the server keeps corrections
let unsaved = false; // whether there are corrections that are kept nowhere else

const text = new TextView(open, selectionChanged);
const panel = new Panel({ accept, choose, markNIL, addName, applyToAll, remembers: () => remembers });

// run runs an action, one at a time, and shows its error.
let running = false;
async function run(action) {
  if (running) return;
  running = true;
  document.body.setAttribute("aria-busy", "true");
  showError("");
  try {
    await action();
  } catch (error) {
    announce("");
    showError(error.message);
  } finally {
    running = false;
    document.body.removeAttribute("aria-busy");
  }
}

// openDocuments links documents and shows the first. Those with mentions keep them.
async function openDocuments(sources, note = "") {
  if (unsaved && !confirm("Corrections of the open documents are kept by this page alone. Close them?")) return;
  if (sources.length === 0) throw new Error("No documents found");
  const linked = [];
  for (let at = 0; at < sources.length; at += batch) {
    announce(sources.length > batch ? `Linking, ${at} of ${sources.length} documents` : "Linking");
    const part = sources.slice(at, at + batch).map((d, i) => ({ ...d, id: d.id || `${at + i + 1}` }));
    const tagged = part.filter((d) => !d.mentions?.length);
    const given = part.filter((d) => d.mentions?.length);
    const answers = new Map();
    for (const [some, tag] of [[tagged, true], [given, false]]) {
      if (some.length === 0) continue;
      const answer = await api.link(some, { tag, recognize, explain });
      some.forEach((d, i) => answers.set(d, new LinkedDocument(answer[i], tag)));
    }
    linked.push(...part.map((d) => answers.get(d)));
  }
  docs = linked;
  unsaved = false;
  byID("document").replaceChildren(...docs.map((d, i) => element("option", { value: String(i) }, `${i + 1} of ${docs.length}: ${d.id}`)));
  byID("documents").hidden = docs.length < 2;
  byID("work").hidden = false;
  show(0);
  announce(`${counted(doc.mentions.length, "mention")}${docs.length > 1 ? ` in the first of ${docs.length} documents` : ""}. ${note}`);
  byID("text").focus();
  byID("reading").scrollIntoView({ block: "nearest" });
}

const counted = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;

function show(index) {
  if (!docs[index]) return;
  doc = docs[index];
  byID("document").value = String(index);
  text.current = null;
  panel.clear();
  refresh();
}

// refresh shows the document as it is now.
function refresh() {
  const mention = opened();
  if (!mention) text.current = null; // it was undone
  text.show(doc);
  if (mention) panel.show(doc, mention);
  else panel.clear();
  byID("undo").disabled = doc.undos.length === 0;
}

function open(mention) {
  text.mark(mention, true);
  panel.show(doc, mention);
  if (matchMedia("(max-width: 48rem)").matches) byID("panel").scrollIntoView({ block: "start" });
}

const opened = () => text.current && doc?.find(text.current);

// hasOwnID reports whether the identifier of a document tells it from others. A text without one has its number in the
// request or the file, which another text has, too.
const hasOwnID = (document) => document.id !== String(docs.indexOf(document) + 1);

// keep puts a decision on a mention, and on no other, into the memory of the server.
async function keep(mention, decision, replace) {
  const { kind, concept } = decision;
  const entry = await api.remember({
    kind, text: doc.text, start: mention.start, end: mention.end, only: true, ...(concept && { concept }),
    ...(byID("by").value.trim() && { by: byID("by").value.trim() }), ...(hasOwnID(doc) && { document: doc.id }),
  }, replace);
  decision.number = entry.number;
}

// decide keeps a decision on the open mention, in the memory of the server if it has one.
function decide(decision) {
  const mention = opened();
  if (!mention) return;
  run(async () => {
    if (remembers) {
      await keep(mention, decision, doc.decision(mention) !== undefined || mention.corrected !== undefined);
    } else {
      unsaved = true;
    }
    doc.decide(mention, decision);
    refresh();
    text.focus();
    announce(`${doc.surface(mention)}: ${decision.kind === "nil" ? "NIL" : decision.name}. ${remembers ? "The server keeps it." : ""}`);
  });
}

// applyToAll decides the other mentions of the wording of the open one as that was decided.
function applyToAll() {
  const mention = opened();
  const decision = mention && doc.decision(mention);
  const others = decision ? doc.others(mention) : [];
  if (others.length === 0) return;
  run(async () => {
    for (const other of others) {
      const { kind, concept, name } = decision;
      const same = { kind, concept, name };
      if (remembers) await keep(other, same, doc.decision(other) !== undefined || other.corrected !== undefined);
      else unsaved = true;
      doc.decide(other, same);
      refresh();
    }
    text.focus();
    announce(`${counted(others.length, "other mention")} of ${doc.surface(mention)}: ${decision.kind === "nil" ? "NIL" : decision.name}.`);
  });
}

function accept() {
  const best = opened()?.candidates[0];
  if (best) choose(best);
}

function choose(candidate) {
  decide({ kind: "context", concept: candidate.id, name: candidate.name });
}

function markNIL() {
  decide({ kind: "nil" });
}

// addName makes the wording of the open mention a name of the concept that was decided on, for all documents.
function addName() {
  const mention = opened();
  const decision = mention && doc.decision(mention);
  if (!remembers || decision?.kind !== "context" || decision.named) return;
  run(async () => {
    const by = byID("by").value.trim();
    doc.addName(mention, await api.remember({ kind: "name", concept: decision.concept, name: doc.surface(mention), ...(by && { by }) }, false));
    refresh();
    text.focus();
    announce(`${doc.surface(mention)} is a name of ${decision.name} now, in all documents.`);
  });
}

function undo() {
  const last = doc?.undos.at(-1);
  if (!last) return;
  run(async () => {
    if (last.decision?.number !== undefined) await api.forget(last.decision.number);
    if (last.before?.number !== undefined) await keep(last.mention, last.before); // it was replaced
    doc.undos.pop();
    last.apply();
    if (last.decision?.number !== undefined) await relinkMention(last.mention);
    refresh();
    text.focus();
    announce(`Undone: ${last.what}`);
  });
}

async function relinkMention(mention) {
  const [answer] = await api.link([doc.request([mention])], { explain });
  doc.replace(answer.mentions[0]);
}

// relink links the document again, with what the server learned since.
function relink() {
  if (!doc) return;
  run(async () => {
    announce("Linking");
    const source = doc.tagged ? { id: doc.id, text: doc.text } : doc.request(doc.mentions);
    const [answer] = await api.link([source], { tag: doc.tagged, recognize, explain });
    const marked = doc.tagged ? doc.addedMentions() : [];
    if (marked.length) answer.mentions.push(...(await api.link([doc.request(marked)], { explain }))[0].mentions);
    doc.set(answer);
    refresh();
    announce(`Linked again: ${counted(doc.mentions.length, "mention")}`);
  });
}

function exportAll() {
  if (!doc) return;
  run(async () => {
    const { blob, name } = await api.exported(docs.map((d) => d.exported()), byID("format").value);
    const url = URL.createObjectURL(blob);
    element("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
    unsaved = false;
    announce(`Exported ${counted(docs.length, "document")} as ${name}`);
  });
}

// Marking of a mention that was missed.

let marking = null;

function selectionChanged(place) {
  if (!doc) return;
  marking = place;
  byID("marking").hidden = place === null;
  if (place) byID("marked").textContent = `“${doc.slice(place.start, place.end).slice(0, 200)}”`;
}

function mark() {
  const place = marking;
  if (!place) return;
  run(async () => {
    if (doc.find(place)) {
      getSelection().removeAllRanges();
      open(doc.find(place));
      return;
    }
    const [answer] = await api.link([doc.request([place])], { explain });
    doc.add(answer.mentions[0]);
    getSelection().removeAllRanges();
    text.current = place;
    refresh();
    text.focus();
    announce(`Marked ${doc.slice(place.start, place.end)}. ${panel.byNumber.length ? "" : "No candidates: search the dictionary with s."}`);
  });
}

function startMarking() {
  if (!doc || !text.startSelecting()) return;
  byID("text").focus();
  selectionChanged(text.selected()); // the event comes after the next key
  announce("Marking: arrows move, Shift and arrows extend, Enter marks, Escape ends");
}

// Keys.

const commands = {
  j: () => go(1), k: () => go(-1), a: accept, x: markNIL, d: applyToAll, n: addName, s: () => panel.openSearch(), m: startMarking, u: undo, l: relink, e: exportAll,
  "[": () => show(docs.indexOf(doc) - 1), "]": () => show(docs.indexOf(doc) + 1), "?": () => byID("help").showModal(),
};

function go(by) {
  const mention = doc && text.step(by);
  if (mention) open(mention);
}

const inField = (target) => target.closest("input:not([type=checkbox]), textarea, select") !== null;

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.isComposing || document.querySelector("dialog[open]")) return;
  const arrow = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const inText = byID("text").contains(event.target);
  if (event.key === "Escape" && doc) {
    getSelection().removeAllRanges();
    text.focus();
  } else if (inField(event.target)) {
    return;
  } else if (inText && marking && arrow) {
    text.moveSelection(arrow, event.shiftKey, event.altKey);
    selectionChanged(text.selected());
    announce(marking ? doc.slice(marking.start, marking.end) : "");
  } else if (inText && marking && event.key === "Enter") {
    mark();
  } else if (inText && arrow && !event.shiftKey && !event.altKey) {
    go(arrow);
  } else if (inText && (event.key === "Enter" || event.key === " ") && opened()) {
    panel.focus();
  } else if (!event.altKey && byID("keys").checked && commands[event.key]) {
    commands[event.key]();
  } else if (!event.altKey && byID("keys").checked && /^[1-9]$/.test(event.key)) {
    panel.choose(Number(event.key));
  } else {
    return;
  }
  event.preventDefault();
});

// Forms and buttons.

async function openFile(file) {
  announce(`Reading ${file.name}`);
  const read = await api.readFile(file, file.name, byID("read-as").value);
  const skipped = read.skipped_count
    ? `Skipped ${counted(read.skipped_count, "malformed part")}: ${read.skipped[0].line ? `line ${read.skipped[0].line}: ` : ""}${read.skipped[0].detail}`
    : "";
  await openDocuments(read.documents, `The file is ${read.format}. ${skipped}`);
}

byID("paste").addEventListener("submit", (event) => {
  event.preventDefault();
  run(async () => {
    const source = byID("source").value;
    if (!source.trim()) throw new Error("the text is empty");
    const format = byID("read-as").value;
    if (format) await openFile(new File([source], "text"));
    else await openDocuments([{ text: source }]);
  });
});

byID("record").addEventListener("submit", (event) => {
  event.preventDefault();
  run(async () => {
    const pmid = byID("pmid").value.trim();
    if (!pmid) throw new Error("want the PMID of a record");
    const record = await api.record(pmid);
    await openDocuments([{ id: record.id, text: record.text }], `The model keeps ${counted(record.sentences, "sentence")} of this record, which also vote.`);
  });
});

byID("file").addEventListener("change", (event) => {
  const file = event.target.files[0];
  if (file) run(() => openFile(file));
  event.target.value = "";
});

for (const kind of ["dragenter", "dragover"]) {
  document.addEventListener(kind, (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    document.body.classList.add("dropping");
  });
}
document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) document.body.classList.remove("dropping"); });
document.addEventListener("drop", (event) => {
  document.body.classList.remove("dropping");
  const files = event.dataTransfer?.files;
  if (!files?.length) return;
  event.preventDefault();
  run(async () => {
    if (files.length > 1) throw new Error("Drop one file at a time");
    await openFile(files[0]);
  });
});

byID("document").addEventListener("change", (event) => show(Number(event.target.value)));
byID("previous-document").addEventListener("click", commands["["]);
byID("next-document").addEventListener("click", commands["]"]);
byID("relink").addEventListener("click", relink);
byID("undo").addEventListener("click", undo);
byID("export").addEventListener("click", exportAll);
byID("mark").addEventListener("mousedown", (event) => event.preventDefault()); // keeps the selection
byID("mark").addEventListener("click", mark);
byID("help-button").addEventListener("click", commands["?"]);
addEventListener("beforeunload", (event) => { if (unsaved) event.preventDefault(); });

// Settings, which this browser keeps.

const themes = ["system", "light", "dark"];
function setTheme(theme) {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  byID("theme").textContent = `Theme: ${theme}`;
  localStorage.setItem("theme", theme);
}
const theme = () => (themes.includes(localStorage.getItem("theme")) ? localStorage.getItem("theme") : "system");
setTheme(theme());
byID("theme").addEventListener("click", () => setTheme(themes[(themes.indexOf(theme()) + 1) % themes.length]));

byID("keys").checked = localStorage.getItem("keys") !== "off";
byID("keys").addEventListener("change", () => localStorage.setItem("keys", byID("keys").checked ? "on" : "off"));
byID("by").value = localStorage.getItem("by") ?? "";
byID("by").addEventListener("change", () => localStorage.setItem("by", byID("by").value));

// What the server can do.

run(async () => {
  const [health, description] = await Promise.all([api.health(), api.description()]);
  explain = health.encoder;
  recognize = health.recognizer;
  byID("recognized-sign").hidden = !recognize;
  remembers = health.memory;
  byID("server").textContent = `${health.concepts.toLocaleString("en")} concepts, ${health.encoder ? "with an encoder" : "by strings"} · ${health.version}`;
  byID("memory").textContent = remembers
    ? "The server keeps corrections, and links by them from then on."
    : "This server cannot write corrections: they last until this page is closed, and are in what you export.";
  const formatsOf = (path) => description.paths[path].post.parameters.find((p) => p.name === "format").schema.enum;
  byID("read-as").append(...formatsOf("/v1/documents").map((f) => element("option", { value: f }, f)));
  byID("format").append(...formatsOf("/v1/export").map((f) => element("option", { value: f }, f)));
  document.body.dataset.ready = "";
});
