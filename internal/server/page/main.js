// The page: its forms, buttons and keyboard commands.

import * as api from "./api.js";
import { certain, likely } from "./certainty.js";
import { Corrections } from "./corrections.js";
import * as curation from "./curation.js";
import * as deciding from "./deciding.js";
import { Dictionary } from "./dictionary.js";
import { announce, byID, element, percent } from "./dom.js";
import { useTemplates } from "./links.js";
import { openExample, openFiles, openPasted, openRecord, openText, reopen } from "./opening.js";
import { Panel } from "./panel.js";
import { isBusy, run } from "./queue.js";
import { MentionTable } from "./table.js";
import { TextView } from "./textview.js";
import { server, workspace } from "./workspace.js";

const text = new TextView((mention) => workspace.open(mention, text), selectionChanged);
const table = new MentionTable((mention, doc) => workspace.open(mention, table, doc), deciding.acceptAll);
const dictionary = new Dictionary(() => {
  const mention = workspace.opened();
  return mention ? workspace.doc.surface(mention) : "";
}, (concept) => deciding.choose(concept));
const panel = new Panel({ ...deciding, remembers: () => server.remembers, browse: (id) => dictionary.open(id) });
const corrections = new Corrections(deciding.undoCorrection);
workspace.use({
  text, table, panel, onNext: curation.openNext,
  onClose: () => { if (server.curates) run(curation.showList); },
});

// Marking a mention that was missed.

let marking = null; // the selected place
let typed = null; // letters typed to find the place; null unless a key began the marking
let tail = null; // letters typed to find the last word of the place, and where to search for it; null before that

function selectionChanged(place) {
  const { doc } = workspace;
  if (!doc) return;
  marking = place;
  if (!place) typed = tail = null;
  byID("marking").hidden = place === null;
  if (!place) return;
  byID("marked").textContent = `“${doc.slice(place.start, place.end).slice(0, 200)}”`;
  const { length } = doc.alike(place);
  byID("mark-all").hidden = length === 1;
  byID("mark-all").firstChild.textContent = `Mark all ${length} `;
}

function mark(all) {
  if (!marking) return;
  deciding.mark(all ? workspace.doc.alike(marking) : [marking]);
  selectionChanged(null);
}

function startMarking() {
  if (!workspace.doc || !text.startSelecting()) return;
  byID("text").focus();
  selectionChanged(text.selected()); // the event comes after the next key
  typed = "";
  announce("Marking: letters find a word, Space takes in the next one, and letters then the one that they begin, Enter marks, Shift and Enter all of the wording, Escape ends");
}

// seek selects a word that begins with the letters typed, at or after a place.
function seek(letters, from) {
  if (!text.seek(letters, from)) {
    announce(`No word begins with ${letters}`);
    return;
  }
  typed = letters;
  tail = null;
  selectionChanged(text.selected());
  announce(workspace.doc.slice(marking.start, marking.end));
}

// seekEnd extends the selection to a word after it that begins with the letters typed.
function seekEnd(letters) {
  if (!text.extendTo(letters, tail.from)) {
    announce(`No word behind it begins with ${letters}`);
    return;
  }
  tail.letters = letters;
  selectionChanged(text.selected());
  announce(workspace.doc.slice(marking.start, marking.end));
}

function takeInNext() {
  extendMarking(1, { shiftKey: true });
  tail = { letters: "", from: marking.end };
}

function extendMarking(by, event) {
  text.moveSelection(by, event.shiftKey, event.altKey);
  selectionChanged(text.selected());
  announce(marking ? workspace.doc.slice(marking.start, marking.end) : "");
}

// Keys.

function showDocument(by) {
  if (workspace.doc?.cells) {
    workspace.view = table;
    workspace.step(by);
  } else if (workspace.doc?.kept) curation.openAt(by);
  else workspace.show(workspace.docs.indexOf(workspace.doc) + by);
}

const commands = {
  f: deciding.acceptAndGoOn, F: deciding.acceptAllAndGoOn, j: () => workspace.step(1), k: () => workspace.step(-1),
  o: () => workspace.nextUndecided(), w: () => workspace.nextUnsure(),
  a: deciding.accept, x: deciding.markNIL, r: deciding.remove, R: deciding.removeAll, d: deciding.applyToAll,
  n: deciding.addName, N: deciding.ignore,
  s: () => panel.openSearch(), m: startMarking, t: goToTable, u: deciding.undo, b: () => dictionary.open(),
  c: showCorrections,
  l: deciding.relink, e: () => (workspace.doc?.cells ? deciding.exportCuration() : deciding.exportAll()), "[": () => showDocument(-1), "]": () => showDocument(1),
  "?": () => byID("help").showModal(),
};

function goToTable() {
  if (!workspace.doc) return;
  workspace.view = table;
  table.focus();
}

function showCorrections() {
  if (server.remembers) corrections.open();
}

const inField = (target) => target.closest("input:not([type=checkbox]), textarea, select") !== null;

// keyDown runs the command of a key where it was pressed, and reports whether there was one.
function keyDown(event) {
  const { key, target } = event;
  const across = { ArrowRight: 1, ArrowLeft: -1 }[key];
  const down = { ArrowDown: 1, ArrowUp: -1 }[key];
  const inText = byID("text").contains(target);
  const hasCommands = !event.altKey && byID("keys").checked;
  if (key === "Escape" && workspace.doc) {
    getSelection().removeAllRanges();
    selectionChanged(null); // the event comes after the next key
    workspace.closeMention();
  } else if (inField(target)) {
    return false;
  } else if (inText && marking && across) {
    extendMarking(across, event);
  } else if (inText && marking && key === "Enter") {
    mark(event.shiftKey);
  } else if (inText && typed !== null && /^[\p{L}\p{N}]$/u.test(key)) {
    if (tail) seekEnd(tail.letters + key);
    else seek(typed + key, marking.start);
  } else if (inText && marking && typed !== null && key === " ") {
    takeInNext();
  } else if (inText && typed && key === "ArrowDown") {
    seek(typed, marking.end);
  } else if (inText && across && !event.shiftKey && !event.altKey) {
    workspace.step(across);
  } else if (table.contains(target) && down) {
    workspace.view = table;
    workspace.step(down);
  } else if (inText && (key === "Enter" || key === " ") && workspace.opened()) {
    panel.focus();
  } else if (hasCommands && commands[key]) {
    commands[key]();
  } else if (hasCommands && /^[1-9]$/.test(key)) {
    panel.choose(Number(key));
  } else {
    return false;
  }
  return true;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.isComposing || document.querySelector("dialog[open]")) return;
  if (keyDown(event)) event.preventDefault();
});

// Forms and buttons.

const onClick = (id, action) => byID(id).addEventListener("click", () => action());

byID("paste").addEventListener("submit", (event) => {
  event.preventDefault();
  run(() => openPasted(byID("source").value));
});
byID("record").addEventListener("submit", (event) => {
  event.preventDefault();
  run(() => openRecord(byID("record-id").value.trim()));
});
byID("file").addEventListener("change", (event) => {
  const files = [...event.target.files];
  if (files.length) run(() => openFiles(files));
  event.target.value = "";
});
onClick("example", () => run(openExample));
onClick("as-text", () => run(() => openText(byID("source").value)));

for (const kind of ["dragenter", "dragover"]) {
  document.addEventListener(kind, (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    document.body.classList.add("dropping");
  });
}
document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) document.body.classList.remove("dropping");
});
document.addEventListener("drop", (event) => {
  document.body.classList.remove("dropping");
  const files = [...(event.dataTransfer?.files ?? [])];
  if (files.length === 0) return;
  event.preventDefault();
  run(() => openFiles(files));
});

onClick("previous-document", commands["["]);
onClick("next-document", commands["]"]);
onClick("relink", deciding.relink);
onClick("undo", deciding.undo);
onClick("export", deciding.exportAll);
onClick("next-left", commands.o);
onClick("export-curation", deciding.exportCuration);
onClick("close", () => {
  if (workspace.unsaved && !confirm("Corrections are kept by this page alone. Close the documents?")) return;
  run(async () => workspace.close());
});
onClick("panel-close", () => workspace.closeMention());
onClick("corrections-button", showCorrections);
onClick("dictionary-button", commands.b);
onClick("help-button", commands["?"]);
byID("marking").addEventListener("mousedown", (event) => event.preventDefault()); // keeps the selection
onClick("mark", () => mark(false));
onClick("mark-all", () => mark(true));
addEventListener("beforeunload", (event) => { if (workspace.unsaved || isBusy()) event.preventDefault(); });

// Settings, stored in this browser.

const themes = ["system", "light", "dark"];
function setTheme(theme) {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  byID("theme").textContent = `Theme: ${theme}`;
  localStorage.setItem("theme", theme);
}
const theme = () => (themes.includes(localStorage.getItem("theme")) ? localStorage.getItem("theme") : "system");
setTheme(theme());
onClick("theme", () => setTheme(themes[(themes.indexOf(theme()) + 1) % themes.length]));

byID("keys").checked = localStorage.getItem("keys") !== "off";
byID("keys").addEventListener("change", () => localStorage.setItem("keys", byID("keys").checked ? "on" : "off"));
byID("go-on").checked = localStorage.getItem("go-on") === "on";
byID("go-on").addEventListener("change", () => localStorage.setItem("go-on", byID("go-on").checked ? "on" : "off"));
byID("recognize").addEventListener("change", () => {
  server.recognize = byID("recognize").checked;
  localStorage.setItem("recognize", server.recognize ? "on" : "off");
});
byID("by").value = localStorage.getItem("by") ?? "";
byID("by").addEventListener("change", () => localStorage.setItem("by", byID("by").value));

byID("certain").textContent = percent(certain);
byID("likely").textContent = percent(likely);

// What the server supports.

run(async () => {
  const [health, description] = await Promise.all([api.health(), api.description()]);
  useTemplates(health.links);
  Object.assign(server, { explain: health.encoder, remembers: health.memory, curates: health.curation });
  byID("record").hidden = !health.records;
  byID("recognize-label").hidden = !health.recognizer;
  byID("recognize").checked = localStorage.getItem("recognize") !== "off";
  server.recognize = health.recognizer && byID("recognize").checked;
  byID("corrections-button").hidden = !server.remembers;
  const links = health.encoder ? "with an encoder" : "by strings";
  byID("server").textContent = `${health.concepts.toLocaleString("en")} concepts, ${links} · ${health.version}`;
  const remembers = server.remembers
    ? "The server keeps corrections, and links by them from then on."
    : "This server cannot write corrections: they last until this page is closed, and are in what you export.";
  const curates = "The server keeps what is decided of its documents.";
  byID("memory").textContent = [server.curates && curates, (server.remembers || !server.curates) && remembers]
    .filter(Boolean).join(" ");
  const formatsOf = (path) => description.paths[path].post.parameters.find((p) => p.name === "format").schema.enum;
  byID("read-as").append(...formatsOf("/v1/documents").map((f) => element("option", { value: f }, f)));
  for (const id of ["format", "curation-format"]) {
    const formats = formatsOf("/v1/export");
    byID(id).append(...formats.map((f) => element("option", { value: f }, f)));
    if (formats.includes(localStorage.getItem(id))) byID(id).value = localStorage.getItem(id);
    byID(id).addEventListener("change", () => localStorage.setItem(id, byID(id).value));
  }
  document.body.dataset.ready = "";
  if (server.curates) await curation.start();
  await reopen();
});
