// A linked document and the user's decisions on its mentions. This module does not depend on the page.

import { certain, likely } from "./certainty.js";

// Offsets converts between code points, which the server counts, and UTF-16 code units, which strings use.
export class Offsets {
  constructor(text) {
    this.units = null; // UTF-16 offset of each code point; null if both are equal
    if (/[\ud800-\udbff]/.test(text)) {
      this.units = [];
      let at = 0;
      for (const character of text) {
        this.units.push(at);
        at += character.length;
      }
      this.units.push(at);
    }
  }

  toUnits(point) {
    return this.units ? this.units[point] : point;
  }

  // toPoints returns the number of code points before a unit.
  toPoints(unit) {
    if (!this.units) return unit;
    let low = 0;
    let high = this.units.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.units[middle] < unit) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const key = (m) => `${m.start}-${m.end}`;

function placeOf(key) {
  const [start, end] = key.split("-").map(Number);
  return { start, end };
}

let acts = 0; // number of actions so far, in all documents

// certaintyOf returns the certainty class of a mention.
export function certaintyOf(mention) {
  const parts = mention.sub_mentions?.length ? mention.sub_mentions : [mention];
  const linked = parts.filter((part) => part.candidates.length > 0);
  if (linked.length === 0) return "nil";
  if (linked.some((part) => part.candidates[0].probability === undefined)) return "linked"; // the method has none
  const lowest = Math.min(...linked.map((part) => part.candidates[0].probability));
  return lowest >= certain ? "high" : lowest >= likely ? "middle" : "low";
}

// decisionOf returns the decision that links a mention to concepts, { id, name }. An empty list is NIL. Several
// concepts are those of the sub-mentions of a composite mention, one by one; null is a sub-mention that is NIL.
export function decisionOf(concepts) {
  const given = concepts.filter(Boolean);
  if (given.length === 0) return { kind: "nil" };
  const all = { concept: given.map((c) => c.id).join(" | "), name: given.map((c) => c.name).join(" | ") };
  return concepts.length === 1 ? { kind: "context", ...all } : { kind: "composite", ...all, parts: concepts };
}

const words = { high: "certain", middle: "likely", low: "unsure", linked: "linked", nil: "NIL" };

// Members of the answer that are true if the text says so of a mention.
const assertions = ["negated", "uncertain", "historical", "hypothetical", "other_person"];

export class LinkedDocument {
  // source is the document as it was read: the text, and the mentions if the file has any.
  constructor(answer, source) {
    this.source = source;
    this.tagged = !source.mentions?.length; // whether the mentions were found by name, not read from a file
    // For a row of a sheet: its cells, the names of their columns, and the number of equal rows. Otherwise cells is
    // null.
    Object.assign(this, { cells: null, columns: [], equal: 1 });
    this.kept = null; // for a stored document: its number, its version, and the server's last state of it
    // By place: { kind: "context" or "nil", concept, name, number, corrected, theirs }. For a composite mention, kind
    // may be "composite", with parts: { id, name } for each sub-mention, or null for NIL.
    this.decisions = new Map();
    this.added = new Set(); // places that the user marked
    this.removed = new Set(); // places that the user removed, or that a marked mention replaced
    this.pending = new Set(); // places whose decision the server is still storing
    // Recent actions, for undo: each has a description and its changes. A change refers to a mention. It may have a
    // decision with its number in the memory, and the decision before. Its apply() reverts it.
    this.undos = [];
    this.set(answer);
  }

  // set replaces the answer and keeps the user's decisions.
  set(answer) {
    this.answer = answer;
    this.id = answer.id;
    this.text = answer.text;
    this.offsets = new Offsets(answer.text);
    this.mentions = answer.mentions.filter((m) => !this.removed.has(key(m)));
    this.sort();
  }

  // state returns what a reload of the page needs to restore this document, as plain JSON values.
  state() {
    const added = this.addedMentions().map(({ start, end }) => ({ start, end }));
    return { source: this.source, decisions: [...this.decisions], removed: [...this.removed], added };
  }

  // restore restores the decisions of a state. Added are the mentions that the user marked, linked again.
  restore({ decisions, removed }, added) {
    this.decisions = new Map(decisions);
    this.removed = new Set(removed);
    this.added = new Set(added.map(key));
    this.set({ ...this.answer, mentions: [...this.answer.mentions, ...added] });
  }

  sort() {
    this.mentions.sort((a, b) => a.start - b.start || b.end - a.end);
  }

  slice(start, end) {
    return this.text.slice(this.offsets.toUnits(start), this.offsets.toUnits(end));
  }

  surface(mention) {
    return this.slice(mention.start, mention.end);
  }

  decision(mention) {
    return this.decisions.get(key(mention));
  }

  // isDecided reports whether the user, or a curator before, decided on a mention.
  isDecided(mention) {
    if (this.decisions.has(key(mention)) || this.pending.has(key(mention))) return true;
    return !this.kept && mention.corrected !== undefined; // which does not decide a mention of a stored document
  }

  // isUnsure reports whether somebody should review an answer, by the same rule as the column review of tables.
  isUnsure(mention) {
    if (this.isDecided(mention)) return false;
    const parts = mention.sub_mentions?.length ? mention.sub_mentions : [mention];
    const fitsAsWell = ([first, ...others]) => others.some((c) => (first.probability === undefined ? c.score === first.score
      : c.matched_name?.toLowerCase() === first.matched_name?.toLowerCase() && c.probability >= first.probability / 2));
    return parts.some(({ candidates, suggested = [] }) => suggested.length > 0 || (candidates.length > 0
      && ((candidates[0].probability ?? candidates[0].score) < certain || fitsAsWell(candidates))));
  }

  // left returns the number of undecided mentions.
  left() {
    return this.mentions.filter((m) => !this.isDecided(m)).length;
  }

  // next returns the first mention after a place for which is(mention) holds, else the first such mention of the
  // document, or null.
  next(place, is) {
    const found = this.mentions.filter(is);
    const isAfter = (m) => place !== null && (m.start > place.start || (m.start === place.start && m.end < place.end));
    return found.find(isAfter) ?? found[0] ?? null;
  }

  // concept returns the concept of a mention with its name, or null for NIL. For a composite mention, it joins the
  // concepts.
  concept(mention) {
    const decision = this.decision(mention);
    if (decision) return decision.kind === "nil" ? null : { id: decision.concept, name: decision.name };
    const parts = mention.sub_mentions?.length ? mention.sub_mentions : [mention];
    const best = parts.map((part) => part.candidates[0]).filter(Boolean);
    if (best.length === 0) return null;
    return { id: best.map((c) => c.id).join(" | "), name: best.map((c) => c.name).join(" | ") };
  }

  // partsOf returns the concept of each sub-mention of a composite mention, null for NIL: the decided one, or else the
  // best candidate.
  partsOf(mention) {
    const bestOf = ({ candidates: [best] }) => (best ? { id: best.id, name: best.name } : null);
    return this.decision(mention)?.parts ?? mention.sub_mentions.map(bestOf);
  }

  // classOf returns the CSS class of a mention.
  classOf(mention) {
    return this.isDecided(mention) ? "decided" : certaintyOf(mention);
  }

  certainty(mention) {
    return this.isDecided(mention) ? "decided" : words[certaintyOf(mention)];
  }

  decidedBy(mention) {
    const decision = this.decision(mention);
    if ((decision && !decision.theirs) || this.pending.has(key(mention))) return "you";
    const corrected = decision?.corrected ?? mention.corrected ?? "";
    return corrected.replace(/^corrected/, "").replace(/ at (\S+)T\S+$/, ", $1").replace(/^[ ,]+/, "");
  }

  // foundAs describes how a mention was found.
  foundAs(mention) {
    if (this.added.has(key(mention))) return "marked";
    const { source, recognition_score: score } = mention; // the server omits a score of 0
    if (source === "recognized") return score ? `recognized, ${Math.round(100 * score)} %` : "recognized";
    return this.tagged ? "name" : "in the file";
  }

  // says returns what the text says about a mention, such as "negated".
  says(mention) {
    return assertions.filter((a) => mention[a]).map((a) => a.replace("_", " "));
  }

  // others returns the other mentions of the same phrase that are not decided in the same way.
  others(mention) {
    const made = this.decision(mention);
    const same = (d) => d && d.kind === made?.kind && d.concept === made?.concept;
    const wording = this.surface(mention);
    const isOther = (m) => key(m) !== key(mention) && this.surface(m) === wording;
    return this.mentions.filter((m) => isOther(m) && !same(this.decision(m)));
  }

  // begin marks the decision on mentions as pending, and returns a function that ends that.
  begin(mentions) {
    for (const mention of mentions) this.pending.add(key(mention));
    return () => mentions.forEach((mention) => this.pending.delete(key(mention)));
  }

  decide(mention, decision) {
    const before = this.decision(mention);
    this.decisions.set(key(mention), decision);
    this.did(`${this.surface(mention)}: ${decision.kind === "nil" ? "NIL" : decision.name}`, {
      mention,
      decision,
      before,
      apply: () => {
        if (before) this.decisions.set(key(mention), before);
        else this.decisions.delete(key(mention));
      },
    });
  }

  // did records a change for undo.
  did(what, change) {
    this.undos.push({ what, changes: [change], at: ++acts });
  }

  // together calls make, and groups the changes that it makes into one undo step.
  async together(what, make) {
    const from = this.undos.length;
    try {
      await make();
    } finally {
      const made = this.undos.splice(from);
      this.undos.push(...(made.length > 1 ? [{ what, changes: made.flatMap((u) => u.changes), at: ++acts }] : made));
    }
  }

  // dropUndos drops changes that can no longer be undone.
  dropUndos(isGone) {
    for (const undo of this.undos) undo.changes = undo.changes.filter((c) => !isGone(c));
    this.undos = this.undos.filter((undo) => undo.changes.length > 0);
  }

  // addName records that the phrase of a mention became a name of the concept that was decided.
  addName(mention, entry) {
    const decision = this.decision(mention);
    decision.named = true;
    this.did(`the name ${this.surface(mention)}`, {
      mention, decision: { number: entry.number }, apply: () => { decision.named = false; },
    });
  }

  // forget drops the decision with a number, after that entry of the server's memory was undone.
  forget(number) {
    for (const [place, decision] of this.decisions) {
      if (decision.number === number) this.decisions.delete(place);
    }
    this.dropUndos((c) => c.decision?.number === number || c.before?.number === number);
  }

  // undecidedOf returns a mention and the undecided mentions of the same phrase.
  undecidedOf(mention) {
    const wording = this.surface(mention);
    return this.mentions.filter((m) => m === mention || (this.surface(m) === wording && !this.isDecided(m)));
  }

  // remove removes mentions of one phrase. Entry is the entry of the memory that says so, or undefined.
  remove(mentions, entry) {
    const places = mentions.map(key);
    const marked = places.filter((place) => this.added.delete(place));
    for (const place of places) this.removed.add(place);
    this.mentions = this.mentions.filter((m) => !places.includes(key(m)));
    this.did(`the removal of ${this.surface(mentions[0])}`, {
      mention: mentions[0],
      ...(entry && { decision: { number: entry.number } }),
      apply: () => {
        for (const place of places) this.removed.delete(place);
        for (const place of marked) this.added.add(place);
        this.mentions.push(...mentions);
        this.sort();
      },
    });
  }

  // addConcept records that a concept was added for a mention.
  addConcept(mention, entry) {
    const { number, name } = entry;
    this.did(`the concept ${name}`, { mention, decision: { number }, apply: () => {} });
  }

  // add adds a mention that the user marked, and removes those that overlap it.
  add(mention) {
    const overlapped = this.mentions.filter((m) => m.start < mention.end && mention.start < m.end);
    for (const m of overlapped) this.removed.add(key(m));
    this.mentions = this.mentions.filter((m) => !overlapped.includes(m));
    this.mentions.push(mention);
    this.added.add(key(mention));
    this.removed.delete(key(mention));
    this.sort();
    this.did(`the mention ${this.surface(mention)}`, {
      mention,
      apply: () => {
        this.mentions = this.mentions.filter((m) => key(m) !== key(mention)).concat(overlapped);
        this.added.delete(key(mention));
        for (const m of overlapped) this.removed.delete(key(m));
        this.sort();
      },
    });
  }

  // alike returns a place, and the other places of the text with the same words in any case that no mention contains or
  // overlaps.
  alike(place) {
    const inWord = /[\p{L}\p{N}]/u;
    const words = this.slice(place.start, place.end).toLowerCase();
    const text = this.text.toLowerCase();
    const places = [place];
    if (text.length !== this.text.length) return places; // a letter is longer in lower case
    for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length)) {
      const [start, end] = [at, at + words.length].map((unit) => this.offsets.toPoints(unit));
      const cut = inWord.test(this.slice(Math.max(0, start - 1), start)) || inWord.test(this.slice(end, end + 1));
      const overlap = (m) => m.start < end && start < m.end && (m.start < start || m.end > end || this.isDecided(m));
      if (start !== place.start && !cut && !this.find({ start, end }) && !this.mentions.some(overlap)) places.push({ start, end });
    }
    return places;
  }

  find(place) {
    return this.mentions.find((m) => m.start === place.start && m.end === place.end);
  }

  // replace replaces a mention with that of a new answer, which lacks the members from the file and how it was found.
  replace(mention) {
    const given = this.source.mentions?.find((m) => key(m) === key(mention));
    const from = ({ source, recognition_score }) => (source ? { source, recognition_score } : {});
    this.mentions = this.mentions.map((m) => (key(m) === key(mention) ? { ...given, ...mention, ...from(m) } : m));
  }

  // request returns the document with only the places of mentions, in the format of the server.
  request(mentions) {
    const place = ({ start, end, type }) => ({ start, end, ...(type && { type }) });
    return { id: this.id, text: this.text, mentions: mentions.map(place) };
  }

  // said returns the state of each place: "removed", "marked", "nil" or a concept.
  said() {
    const said = new Map();
    for (const place of this.added) said.set(place, "marked");
    for (const [place, d] of this.decisions) said.set(place, d.kind === "nil" ? "nil" : `concept ${d.concept}`);
    for (const place of this.removed) said.set(place, "removed");
    return said;
  }

  // curated returns the decisions in the format in which the server stores them.
  curated() {
    const all = { mentions: [], removed: [], marked: [], left: this.left() };
    for (const [place, said] of this.said()) {
      const at = placeOf(place);
      if (said === "removed" || said === "marked") {
        all[said].push(at);
        continue;
      }
      const type = this.source.mentions?.find((m) => key(m) === place)?.type;
      const { concept, parts } = this.decisions.get(place);
      const made = parts ? { concepts: parts.filter(Boolean).map((c) => c.id) } : { concept };
      all.mentions.push({ ...at, ...(type && { type }), ...made });
    }
    return all;
  }

  // take applies the server's version of the decisions. Decisions made here since the last time stay, unless others
  // decided differently on the same place. It returns the places that others changed, with whether a decision made here
  // is lost, and the marked places that still have to be linked.
  take({ mentions, curation: { removed = [], marked = [] } }) {
    const theirs = new Map([
      ...marked.map((place) => [key(place), "marked"]), ...removed.map((place) => [key(place), "removed"]),
      ...mentions.map((m) => [key(m), m.ids?.length ? `concept ${m.ids.join(" | ")}` : "nil"]),
    ]);
    const decided = new Map(mentions.map((m) => [key(m), m]));
    const ours = this.said();
    const changed = [];
    for (const place of new Set([...theirs.keys(), ...ours.keys(), ...this.kept.said.keys()])) {
      const [their, our, last] = [theirs.get(place), ours.get(place), this.kept.said.get(place)];
      if (their === our && decided.has(place)) this.decisions.get(place).corrected = decided.get(place).corrected;
      if (their === our || their === last) continue;
      changed.push({ place: placeOf(place), lost: our !== last });
      this.takePlace(place, their, decided.get(place));
      this.dropUndos((c) => key(c.mention) === place);
    }
    this.kept.said = theirs;
    this.collect(decided);
    const missing = [...this.added].filter((place) => !this.find(placeOf(place)));
    return { changed, missing: missing.map(placeOf) };
  }

  // takePlace applies what others decided on a place. Decided is the mention, if they linked it.
  takePlace(place, said, decided) {
    this.decisions.delete(place);
    this.removed.delete(place);
    if (said === "removed") this.removed.add(place);
    if (said === "marked") this.added.add(place);
    else if (!decided) this.added.delete(place);
    if (!decided) return;
    const concepts = decided.candidates.map(({ id, name }) => ({ id, name }));
    const { corrected } = decided;
    this.decisions.set(place, { ...decisionOf(concepts), corrected, theirs: true });
  }

  // collect rebuilds the list of mentions: those of the answer that were not removed, and those that were marked or
  // decided on, which the answer may lack.
  collect(decided) {
    const answered = new Set(this.answer.mentions.map(key));
    const known = new Map([...decided.values(), ...this.answer.mentions, ...this.mentions].map((m) => [key(m), m]));
    for (const place of decided.keys()) if (!answered.has(place)) this.added.add(place);
    const isThere = (place) => !this.removed.has(place) && (answered.has(place) || this.added.has(place));
    this.mentions = [...known].filter(([place]) => isThere(place)).map(([, mention]) => mention);
    this.sort();
  }

  // addLinked adds marked mentions after they were linked.
  addLinked(mentions) {
    this.mentions.push(...mentions);
    this.sort();
  }

  // describe describes the state of a place in words.
  describe(place) {
    const mention = this.find(place);
    if (!mention) return "is no mention";
    const decision = this.decision(mention);
    if (!decision) return "is not decided";
    return `is ${decision.kind === "nil" ? "NIL" : decision.name} (${this.decidedBy(mention)})`;
  }

  addedMentions() {
    return this.mentions.filter((m) => this.added.has(key(m)));
  }

  // exported returns the document with its decisions: a mention that the user linked has only that concept.
  exported() {
    const mentions = this.mentions.map((mention) => {
      const decision = this.decision(mention);
      if (!decision) return mention;
      const { sub_mentions: _, broader, suggested = [], ...whole } = mention;
      const { corrected } = decision;
      if (decision.kind === "nil") return { ...whole, candidates: [], broader, corrected };
      const chosen = ({ id, name }) => {
        const found = [...mention.candidates, ...suggested].find((c) => c.id === id);
        return { ...(found ?? { id, name, matched_name: name, score: 0, votes: 0 }), probability: 1 };
      };
      if (decision.kind !== "composite") {
        return { ...whole, candidates: [chosen({ id: decision.concept, name: decision.name })], corrected };
      }
      const parts = decision.parts.map((part, i) => {
        const text = mention.sub_mentions?.[i]?.text ?? this.surface(mention);
        return { text, candidates: part ? [chosen(part)] : [] };
      });
      return { ...whole, candidates: parts.flatMap((p) => p.candidates), sub_mentions: parts, corrected };
    });
    return { ...this.answer, mentions };
  }
}
