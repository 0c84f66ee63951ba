// The page: what its forms, buttons and keys do.

import * as api from "./api.js";
import { announce, byID, element, showError } from "./dom.js";
import { certaintyOf, LinkedDocument } from "./document.js";
import { Panel } from "./panel.js";
import { run } from "./queue.js";
import * as session from "./session.js";
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

// openDocuments links documents and shows the first. Those with mentions keep them. States are those of the documents
// before a reload, if they are opened again after one.
async function openDocuments(sources, note = "", states = []) {
  if (unsaved && !confirm("Corrections of the open documents are kept by this page alone. Close them?")) return;
  if (sources.length === 0) throw new Error("No documents found");
  const named = sources.map((d, i) => ({ ...d, id: d.id || `${i + 1}` }));
  const linked = [];
  for (let at = 0; at < named.length; at += batch) {
    announce(named.length > batch ? `Linking, ${at} of ${named.length} documents` : "Linking");
    linked.push(...await linkBatch(named.slice(at, at + batch)));
  }
  for (const [i, state] of states.entries()) {
    linked[i].restore(state, state.added.length ? await linkPlaces(linked[i], state.added) : []);
  }
  docs = linked;
  unsaved = !remembers && states.some((s) => s.decisions.length > 0);
  const kept = session.store(docs.map((d) => d.state()));
  byID("document").replaceChildren(...docs.map((d, i) => element("option", { value: String(i) }, `${i + 1} of ${docs.length}: ${d.id}`)));
  byID("documents").hidden = docs.length < 2;
  byID("work").hidden = false;
  byID("as-text").hidden = true;
  show(0);
  announce([
    `${counted(doc.mentions.length, "mention")}${docs.length > 1 ? ` in the first of ${docs.length} documents` : ""}.`, note,
    kept ? "" : "The documents are too large to be opened again when this page is reloaded.",
  ].filter(Boolean).join(" "));
  byID("text").focus();
  byID("reading").scrollIntoView({ block: "nearest" });
}

// linkBatch returns documents, linked: those without mentions by the names in them.
async function linkBatch(sources) {
  const answers = new Map();
  for (const tag of [true, false]) {
    const some = sources.filter((d) => !d.mentions?.length === tag);
    if (some.length === 0) continue;
    const answer = await api.link(some, { tag, recognize, explain });
    some.forEach((d, i) => answers.set(d, new LinkedDocument(answer[i], d)));
  }
  return sources.map((d) => answers.get(d));
}

// linkPlaces returns the mentions at places of a document, linked.
async function linkPlaces(document, places) {
  const [answer] = await api.link([document.request(places)], { explain });
  return answer.mentions;
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

// refresh shows the document as it is now, and stores its state.
function refresh() {
  session.update(docs.indexOf(doc), doc.state());
  byID("linked-sign").hidden = !doc.mentions.some((m) => certaintyOf(m) === "linked");
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

// keep puts a decision on a mention of a document, and on no other, into the memory of the server.
async function keep(doc, mention, decision, replace) {
  const { kind, concept } = decision;
  const entry = await api.remember({
    kind, text: doc.text, start: mention.start, end: mention.end, only: true, ...(concept && { concept }),
    ...(byID("by").value.trim() && { by: byID("by").value.trim() }), ...(hasOwnID(doc) && { document: doc.id }),
  }, replace);
  decision.number = entry.number;
}

// decide keeps a decision on the open mention, in the memory of the server if it has one.
function decide(decision) {
  const of = doc;
  const mention = opened();
  if (!mention) return;
  run(async () => {
    if (remembers) {
      await keep(of, mention, decision, of.decision(mention) !== undefined || mention.corrected !== undefined);
    } else {
      unsaved = true;
    }
    of.decide(mention, decision);
    changed(of);
    announce(`${of.surface(mention)}: ${decision.kind === "nil" ? "NIL" : decision.name}. ${remembers ? "The server keeps it." : ""}`);
  });
}

// applyToAll decides the other mentions of the wording of the open one as that was decided.
function applyToAll() {
  const of = doc;
  const mention = opened();
  if (!mention) return;
  run(async () => {
    const decision = of.decision(mention);
    const others = decision ? of.others(mention) : [];
    if (others.length === 0) return;
    try {
      for (const other of others) {
        const { kind, concept, name } = decision;
        const same = { kind, concept, name };
        if (remembers) await keep(of, other, same, of.decision(other) !== undefined || other.corrected !== undefined);
        else unsaved = true;
        of.decide(other, same);
      }
    } finally {
      changed(of); // also if the server took only some of them
    }
    announce(`${counted(others.length, "other mention")} of ${of.surface(mention)}: ${decision.kind === "nil" ? "NIL" : decision.name}.`);
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
  const of = doc;
  const mention = opened();
  if (!remembers || !mention) return;
  run(async () => {
    const decision = of.decision(mention);
    if (decision?.kind !== "context" || decision.named) return;
    const by = byID("by").value.trim();
    of.addName(mention, await api.remember({ kind: "name", concept: decision.concept, name: of.surface(mention), ...(by && { by }) }, false));
    changed(of);
    announce(`${of.surface(mention)} is a name of ${decision.name} now, in all documents.`);
  });
}

function undo() {
  const of = doc;
  if (!of) return;
  run(async () => {
    const last = of.undos.at(-1);
    if (!last) return;
    if (last.decision?.number !== undefined) await api.forget(last.decision.number);
    if (last.before?.number !== undefined) await keep(of, last.mention, last.before); // it was replaced
    of.undos.pop();
    last.apply();
    if (last.decision?.number !== undefined) of.replace((await linkPlaces(of, [last.mention]))[0]);
    changed(of);
    announce(`Undone: ${last.what}`);
  });
}

// changed shows a document that an action has changed, and goes back to its text. If another one is shown by now, it only
// stores the change.
function changed(document) {
  if (document !== doc) {
    session.update(docs.indexOf(document), document.state());
    return;
  }
  refresh();
  text.focus();
}

// relink links the document again, with what the server learned since.
function relink() {
  const of = doc;
  if (!of) return;
  run(async () => {
    announce("Linking");
    const source = of.tagged ? { id: of.id, text: of.text } : of.request(of.mentions);
    const [answer] = await api.link([source], { tag: of.tagged, recognize, explain });
    const marked = of.tagged ? of.addedMentions() : [];
    if (marked.length) answer.mentions.push(...await linkPlaces(of, marked));
    of.set(answer);
    if (of === doc) refresh();
    announce(`Linked again: ${counted(of.mentions.length, "mention")}`);
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
  const of = doc;
  const place = marking;
  if (!place) return;
  getSelection().removeAllRanges();
  if (of.find(place)) {
    open(of.find(place));
    return;
  }
  run(async () => {
    of.add((await linkPlaces(of, [place]))[0]);
    if (of === doc) text.current = place;
    changed(of);
    announce(`Marked ${of.slice(place.start, place.end)}. ${panel.byNumber.length ? "" : "No candidates: search the dictionary with s."}`);
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

// openFile opens the documents of a file, or of a text that was pasted. One that is in none of the formats is a document
// as a whole, and not one a line.
async function openFile(file, pasted) {
  announce(`Reading ${file.name}`);
  const read = await api.readFile(file, file.name, byID("read-as").value);
  const skipped = read.skipped_count
    ? `Skipped ${counted(read.skipped_count, "malformed part")}: ${read.skipped[0].line ? `line ${read.skipped[0].line}: ` : ""}${read.skipped[0].detail}`
    : "";
  if (pasted !== undefined && read.format === "text" && !byID("read-as").value) {
    await openDocuments([{ text: pasted }]);
    return;
  }
  await openDocuments(read.documents, `The ${pasted === undefined ? "file" : "text"} is ${read.format}. ${skipped}`);
  byID("as-text").hidden = pasted === undefined;
}

byID("as-text").addEventListener("click", () => run(() => openDocuments([{ text: byID("source").value }])));

byID("paste").addEventListener("submit", (event) => {
  event.preventDefault();
  run(async () => {
    const source = byID("source").value;
    if (!source.trim()) throw new Error("the text is empty");
    await openFile(new File([source], "text"), source);
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
  const states = session.stored();
  if (states.length) await openDocuments(states.map((s) => s.source), "Opened again.", states);
});
