// The decisions of the user on mentions, and how to undo them. Each action applies to the document and mention that are
// open when it is called. Its requests to the server wait until the actions before it are done.

import * as api from "./api.js";
import { refresh, save } from "./curation.js";
import { decisionOf } from "./document.js";
import { announce, byID, counted, element } from "./dom.js";
import { linkBatch, linkPlaces } from "./opening.js";
import { run } from "./queue.js";
import { by, nothingLeft, server, workspace } from "./workspace.js";

const nameOf = (decision) => (decision.kind === "nil" ? "NIL" : decision.name);

// corrected returns who decided and when, in the format of the server's answers and of exports.
function corrected({ by, at }) {
  return `corrected${by ? ` by ${by}` : ""} at ${new Date(at).toISOString().replace(/\.\d+/, "")}`;
}

// keep stores decisions on single mentions, each given as [doc, mention, decision], in the memory of the server. It does
// not send the identifier of a document that is only a number, because many documents share it.
async function keep(decided, replace) {
  const numbers = await api.rememberAll(decided.map(([doc, { start, end }, { kind, concept }]) => ({
    kind, text: doc.text, start, end, only: true, ...(concept && { concept }), ...by(),
    ...(!doc.source.unnamed && { document: doc.id }),
  })), replace);
  numbers.forEach((number, i) => Object.assign(decided[i][2], { number, corrected: corrected({ ...by(), at: Date.now() }) }));
}

// isRemembered reports whether the server's memory can store a decision: only those with a single concept.
const isRemembered = (decision) => server.remembers && decision.kind !== "composite";

// remember stores decisions in the server's memory, at once, except those that it cannot hold or already has.
async function remember(decided) {
  const left = decided.filter(([, , decision]) => isRemembered(decision) && decision.number === undefined);
  const replaces = ([doc, mention]) => doc.decision(mention) !== undefined || mention.corrected !== undefined;
  await keep(left.filter((d) => !replaces(d)), false);
  await keep(left.filter(replaces), true);
}

// store applies decisions, each given as [doc, mention, decision], and stores those that the server's memory can hold.
async function store(decided) {
  await remember(decided);
  for (const [doc, mention, decision] of decided) {
    if (!isRemembered(decision)) {
      const before = doc.decision(mention);
      if (before?.number !== undefined) await api.forget(before.number);
      decision.corrected = corrected({ ...by(), at: Date.now() });
      workspace.unsaved ||= !doc.kept;
    }
    doc.decide(mention, decision);
  }
}

// storeAll applies a decision to several mentions of the same phrase, with a copy for each.
const storeAll = (doc, mentions, { kind, concept, name, parts }) => doc.together(
  `${counted(mentions.length, "decision")} on ${doc.surface(mentions[0])}`,
  () => store(mentions.map((mention) => [doc, mention, { kind, concept, name, ...(parts && { parts }) }])),
);

// settle makes a change to a document, stores the document if the server keeps it, and announces the change, or what
// others have changed in the meantime. If others decided on the same mention, their decision wins.
async function settle(doc, change) {
  try {
    const said = await change();
    if (!said) return; // nothing was changed
    const note = await save(doc);
    workspace.changed(doc);
    announce(note || said);
  } catch (error) {
    const note = doc.kept && error.status === 409 && await refresh(doc); // the memory knows more than this page
    workspace.changed(doc);
    if (!note) throw error;
  }
}

// decide makes a decision on the open mention, and copies of it on other mentions of the same phrase.
function decide(decision, others = []) {
  const { doc } = workspace;
  const mention = workspace.opened();
  if (!mention) return;
  const done = doc.begin([mention, ...others]);
  run(() => settle(doc, async () => {
    await storeAll(doc, [mention, ...others], decision).finally(done);
    return [
      others.length && `${counted(others.length + 1, "mention")} of`,
      `${doc.surface(mention)}: ${nameOf(decision)}.`, (isRemembered(decision) || doc.kept) && "Saved.",
      server.remembers && !isRemembered(decision) && !doc.kept
        && "This page alone keeps several concepts: export them.",
      !doc.kept && workspace.docs.every((d) => d.left() === 0) && nothingLeft,
    ].filter(Boolean).join(" ");
  }));
  if (byID("go-on").checked) workspace.nextUndecided();
}

// choose links the open mention to a concept, or its sub-mention with number part if it is composite.
export function choose({ id, name }, part) {
  const mention = workspace.opened();
  if (!mention) return;
  const concepts = part === undefined ? [{ id, name }] : workspace.doc.partsOf(mention).with(part, { id, name });
  decide(decisionOf(concepts));
}

// accept links the open mention to its first candidate.
export function accept() {
  const mention = workspace.opened();
  if (mention?.candidates.length) decide(best(workspace.doc, mention));
}

// best returns the decision for the first candidate of a mention, or for that of each sub-mention if it is composite.
function best(doc, mention) {
  if (mention.sub_mentions?.length) return decisionOf(doc.partsOf(mention));
  const [{ id, name }] = mention.candidates;
  return decisionOf([{ id, name }]);
}

// acceptAll links undecided mentions, each given with its document, to their first candidates. If another curator
// decided one of them otherwise, it stores the decisions of each document separately.
export function acceptAll(rows) {
  let accepted = 0;
  const decided = rows.map(([doc, mention]) => [doc, mention, best(doc, mention)]);
  const isOpen = ([doc, mention]) => !doc.isDecided(mention);
  run(() => remember(decided.filter(isOpen)).catch((error) => {
    if (error.status !== 409) throw error;
  }));
  for (const doc of new Set(rows.map(([d]) => d))) {
    run(() => settle(doc, async () => {
      const open = decided.filter((d) => d[0] === doc && isOpen(d));
      await doc.together(counted(open.length, "decision"), () => store(open));
      accepted += open.length;
      return open.length ? `Accepted ${counted(accepted, "mention")}.` : "";
    }));
  }
}

export function markNIL() {
  decide({ kind: "nil" });
}

// acceptAndGoOn accepts the first candidate of an undecided mention, or NIL if it has none, and opens the next
// undecided mention.
export const acceptAndGoOn = () => acceptThe(() => []);

// acceptAllAndGoOn also decides the other undecided mentions of the same phrase.
export const acceptAllAndGoOn = () => acceptThe((doc, mention) => doc.undecidedOf(mention).filter((m) => m !== mention));

function acceptThe(findOthers) {
  const { doc } = workspace;
  const mention = workspace.opened();
  const isOpen = mention && !doc.isDecided(mention);
  if (isOpen) decide(mention.candidates.length ? best(doc, mention) : { kind: "nil" }, findOthers(doc, mention));
  if (!isOpen || !byID("go-on").checked) workspace.nextUndecided(); // deciding may already have gone on
}

// applyToAll copies the decision on the open mention to the other mentions of the same phrase.
export function applyToAll() {
  const { doc } = workspace;
  const mention = workspace.opened();
  if (!mention) return;
  run(() => settle(doc, async () => {
    const decision = doc.decision(mention);
    const others = decision ? doc.others(mention) : [];
    if (others.length === 0) return "";
    await storeAll(doc, others, decision);
    return `${counted(others.length, "other mention")} of ${doc.surface(mention)}: ${nameOf(decision)}.`;
  }));
}

// addName makes the phrase of the open mention a name of its concept, in all documents.
export function addName() {
  const { doc } = workspace;
  const mention = workspace.opened();
  if (!server.remembers || !mention) return;
  run(async () => {
    const decision = doc.decision(mention);
    if (decision?.kind !== "context" || decision.named) return;
    const name = doc.surface(mention);
    doc.addName(mention, await api.remember({ kind: "name", concept: decision.concept, name, ...by() }, false));
    workspace.changed(doc);
    announce(`${name} is a name of ${decision.name} now, in all documents.`);
  });
}

// addConcept adds a concept that the dictionary lacks, and links the open mention to it.
export function addConcept({ id, name, parent }) {
  const { doc } = workspace;
  const mention = workspace.opened();
  if (!mention) return;
  run(() => settle(doc, async () => {
    const parents = parent ? { parents: [parent] } : {};
    await doc.together(`the concept ${name}`, async () => {
      doc.addConcept(mention, await api.remember({ kind: "concept", id, name, ...parents, ...by() }, false));
      await store([[doc, mention, { kind: "context", concept: id, name }]]);
    });
    return `${doc.surface(mention)}: ${name}, a new concept.`;
  }));
}

// removeThe removes the mentions that find(doc, mention) returns for the open one, and opens the next. Entry(phrase), if
// given, is stored in the memory.
function removeThe(find, entry) {
  const { doc } = workspace;
  const mention = workspace.opened();
  if (!mention) return;
  run(() => settle(doc, async () => {
    const mentions = find(doc, mention);
    doc.remove(mentions, entry && await api.remember(entry(doc.surface(mention)), false));
    if (doc === workspace.doc) workspace.text.current = doc.next(mention, () => true);
    return `Removed ${mentions.length > 1 ? `${counted(mentions.length, "mention")} of ` : ""}${doc.surface(mention)}`;
  }));
}

// remove removes the open mention.
export const remove = () => removeThe((_, mention) => [mention]);

// removeAll removes the open mention and the undecided mentions of the same phrase in the document.
export const removeAll = () => removeThe((doc, mention) => doc.undecidedOf(mention));

// ignore also stores that the phrase is no mention in any text.
export const ignore = () => server.remembers
  && removeThe((doc, mention) => doc.undecidedOf(mention), (name) => ({ kind: "no_mention", name, ...by() }));

// mark makes mentions of places in the document that have the same phrase, and opens the first.
export function mark(places) {
  const { doc } = workspace;
  const [first] = places;
  getSelection().removeAllRanges();
  if (doc.find(first)) {
    workspace.open(doc.find(first), workspace.text);
    return;
  }
  run(() => settle(doc, async () => {
    const mentions = await linkPlaces(doc, places);
    const all = mentions.length > 1 ? `${counted(mentions.length, "mention")} of ` : "";
    await doc.together(`the ${all || "mention "}${doc.surface(first)}`, () => mentions.forEach((m) => doc.add(m)));
    if (doc === workspace.doc) workspace.text.current = first;
    const hint = mentions[0].candidates.length ? "" : " No candidates: search the dictionary with s.";
    return `Marked ${all}${doc.surface(first)}.${hint}`;
  }));
}

export function undo() {
  const { doc: open } = workspace;
  if (!open) return;
  run(() => {
    const doc = open.cells ? workspace.lastActed() : open;
    return settle(doc, () => undoLast(doc));
  });
}

async function undoLast(doc) {
  const last = doc.undos.at(-1);
  if (!last) return "";
  const changed = new Set(); // mentions that the memory decided
  for (let change; (change = last.changes.at(-1));) {
    const { mention, decision, before } = change;
    if (decision?.number !== undefined) {
      await api.forget(decision.number);
      changed.add(mention);
    }
    if (before?.number !== undefined) await keep([[doc, mention, before]]); // the correction was replaced
    last.changes.pop();
    change.apply();
  }
  doc.undos.pop();
  if (changed.size) for (const mention of await linkPlaces(doc, [...changed])) doc.replace(mention);
  if (doc !== workspace.doc && doc.cells && doc.mentions.length) workspace.open(doc.mentions[0], workspace.table, doc);
  return `Undone: ${last.what}`;
}

// undoCorrection undoes a correction that the server stores, and links the document again.
export function undoCorrection(number) {
  return run(async () => {
    await api.forget(number);
    for (const doc of workspace.docs) doc.forget(number);
    if (workspace.doc) await settle(workspace.doc, () => linkAgain(workspace.doc));
  });
}

// relink links the document again, using what the server has learned since.
export function relink() {
  const { doc } = workspace;
  if (doc) run(() => settle(doc, () => linkAgain(doc)));
}

async function linkAgain(doc) {
  announce("Linking");
  const [{ answer }] = await linkBatch([doc.source]);
  const marked = doc.addedMentions();
  if (marked.length) answer.mentions.push(...await linkPlaces(doc, marked));
  doc.set(answer);
  return `Linked again: ${counted(doc.mentions.length, "mention")}`;
}

// download offers a file to the user.
function download({ blob, name }) {
  const url = URL.createObjectURL(blob);
  element("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

// exportCuration exports the decisions on all documents that the server stores.
export function exportCuration() {
  run(async () => {
    const file = await api.exportedCuration(byID("curation-format").value);
    download(file);
    announce(`Exported as ${file.name}`);
  });
}

export function exportAll() {
  const { docs } = workspace;
  if (docs.length === 0) return;
  run(async () => {
    const file = await api.exported(docs.map((d) => d.exported()), byID("format").value);
    download(file);
    workspace.unsaved = false;
    announce(`Exported ${counted(docs.length, "document")} as ${file.name}`);
  });
}
