// Opening documents: from texts, files and documents of the corpus, and again after a reload.

import * as api from "./api.js";
import { announce, byID, counted } from "./dom.js";
import { LinkedDocument } from "./document.js";
import * as session from "./session.js";
import { server, workspace } from "./workspace.js";

const batch = 8; // number of documents to link in one request

// openDocuments links documents and shows the first. Documents that have mentions keep them. States are the states
// before a reload, if the documents are opened again after one.
export async function openDocuments(sources, note = "", states = []) {
  const question = "Corrections of the open documents are kept by this page alone. Close them?";
  if (workspace.unsaved && !confirm(question)) return;
  if (sources.length === 0) throw new Error(["No document was found.", note].filter(Boolean).join(" "));
  const named = sources.map((d, i) => ({ ...d, id: d.id || `${i + 1}` }));
  const docs = [];
  for (let at = 0; at < named.length; at += batch) {
    announce(named.length > batch ? `Linking, ${at} of ${named.length} documents` : "Linking");
    docs.push(...await linkBatch(named.slice(at, at + batch)));
  }
  for (const [i, state] of states.entries()) {
    docs[i].restore(state, state.added.length ? await linkPlaces(docs[i], state.added) : []);
  }
  const isOnlyHere = ([, decision]) => !server.remembers || decision.kind === "composite";
  workspace.unsaved = states.some((s) => s.decisions.some(isOnlyHere));
  const kept = workspace.start(docs);
  byID("as-text").hidden = true;
  const where = docs.length > 1 ? ` in the first of ${docs.length} documents` : "";
  const found = docs[0].mentions.length ? `${counted(docs[0].mentions.length, "mention")}${where}.`
    : `No mention was found${where}: select words of the text to mark one.`;
  announce([
    found, note,
    kept ? "" : "The documents are too large to be opened again when this page is reloaded.",
  ].filter(Boolean).join(" "));
}

// linkBatch links documents and returns them. In documents without mentions, the server first finds the names.
export async function linkBatch(sources) {
  const answers = new Map();
  for (const tag of [true, false]) {
    const some = sources.filter((d) => !d.mentions?.length === tag);
    if (some.length === 0) continue;
    const sent = some.map(({ file: _, unnamed: __, ...d }) => d);
    const answer = await api.link(sent, { tag, ...server });
    some.forEach((d, i) => answers.set(d, new LinkedDocument(answer[i], d)));
  }
  return sources.map((d) => answers.get(d));
}

// linkPlaces links places of a document and returns their mentions.
export async function linkPlaces(doc, places) {
  const [answer] = await api.link([doc.request(places)], server);
  return answer.mentions;
}

// read returns the documents of a file and its format. A document without an identifier is named by its number.
async function read(file) {
  announce(`Reading ${file.name}`);
  const answer = await api.readFile(file, file.name, byID("read-as").value);
  const { documents, format, skipped, skipped_count: count } = answer;
  const first = count && `${skipped[0].line ? `line ${skipped[0].line}: ` : ""}${skipped[0].detail}`;
  const note = count ? ` Skipped ${counted(count, "malformed part")}: ${first}.` : "";
  return { documents: documents.map((d, i) => ({ ...d, unnamed: d.id === `${i + 1}` })), format, note };
}

// openFiles opens the documents of all files. If there are several files, documents without an identifier are named by
// file and number, so that an export can tell them apart.
export async function openFiles(files) {
  const several = files.length > 1;
  const sources = [];
  const namesOf = new Map(); // the files of each format
  const notes = [];
  for (const file of files) {
    const { documents, format, note } = await read(file).catch((error) => {
      throw new Error(`${file.name}: ${error.message}`);
    });
    const idOf = ({ id, unnamed }) => (several && unnamed ? `${file.name}:${id}` : id);
    sources.push(...documents.map((d) => ({ ...d, id: idOf(d), file: file.name })));
    namesOf.set(format, [...namesOf.get(format) ?? [], file.name]);
    if (note) notes.push(several ? `${file.name}:${note}` : note.trimStart());
  }
  const are = (names) => (names.length > 1 ? `${names.length} files are` : `${several ? names[0] : "The file"} is`);
  const formats = [...namesOf].map(([format, names]) => `${are(names)} ${format}.`);
  await openDocuments(sources, [...formats, ...notes].join(" "));
}

// openPasted opens the documents of a pasted text. If the text is in none of the other formats, it is one document, and
// not one for each line.
export async function openPasted(text) {
  if (!text.trim()) throw new Error("the text is empty");
  const { documents, format, note } = await read(new File([text], "text"));
  if (format === "text" && !byID("read-as").value) {
    await openText(text);
    return;
  }
  await openDocuments(documents, `The text is ${format}.${note}`);
  byID("as-text").hidden = false;
}

export const openText = (text) => openDocuments([{ text, unnamed: true }]);

export async function openRecord(name) {
  if (!name) throw new Error("want the identifier of a document of the corpus");
  const { id, text, sentences } = await api.record(name);
  const kept = counted(sentences, "sentence");
  await openDocuments([{ id, text }], `The model keeps ${kept} of this document, which also vote.`);
}

// openExample opens the corpus document of which the model keeps the most sentences, or else names of the dictionary.
export async function openExample() {
  const { records } = await api.records(1);
  if (records.length > 0) {
    await openRecord(records[0].id);
    return;
  }
  const { concepts } = await api.hierarchy("", 0, 5);
  await openText(`The dictionary has, among others: ${concepts.map((c) => c.name).join(", ")}.`);
}

// reopen opens the documents that were open before a reload.
export async function reopen() {
  const states = session.stored();
  if (states.length) await openDocuments(states.map((s) => s.source), "Opened again.", states);
}
