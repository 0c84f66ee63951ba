// A linked document and what the user decided about its mentions. Nothing here knows the page.

// Offsets converts between code points, which the server counts, and UTF-16 code units, which strings have.
export class Offsets {
  constructor(text) {
    this.units = null; // of each code point; null if both are the same
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

// certainty returns the class of a mention, by the same limits as the pages that "ctxnorm link --format html" writes.
export function certaintyOf(mention) {
  const parts = mention.sub_mentions?.length ? mention.sub_mentions : [mention];
  const linked = parts.filter((part) => part.candidates.length > 0);
  if (linked.length === 0) return "nil";
  if (linked.some((part) => part.candidates[0].probability === undefined)) return "linked"; // the method returns none
  const lowest = Math.min(...linked.map((part) => part.candidates[0].probability));
  return lowest >= 0.8 ? "high" : lowest >= 0.5 ? "middle" : "low";
}

const words = { high: "certain", middle: "likely", low: "unsure", linked: "linked", nil: "NIL" };

// Members of the answer that are true where a text says so of a mention.
const assertions = ["negated", "uncertain", "historical", "hypothetical", "other_person"];

export class LinkedDocument {
  // source is the document as it was read: text, and the mentions of a file that has some.
  constructor(answer, source) {
    this.source = source;
    this.tagged = !source.mentions?.length; // whether the mentions are the dictionary's names, and not those of a file
    this.decisions = new Map(); // by place: { kind: "context" or "nil", concept, name, number, corrected }
    this.added = new Set(); // places that the user marked
    this.removed = new Set(); // places that the user removed, or a marked mention took
    this.pending = new Set(); // places whose decision the server is still storing
    this.undos = []; // functions that undo the last changes
    this.set(answer);
  }

  // set takes a new answer. The user's decisions stay.
  set(answer) {
    this.answer = answer;
    this.id = answer.id;
    this.text = answer.text;
    this.offsets = new Offsets(answer.text);
    this.mentions = answer.mentions.filter((m) => !this.removed.has(key(m)));
    this.sort();
  }

  // state returns what a reload of the page needs to come back to this document, as JSON has it.
  state() {
    const added = this.addedMentions().map(({ start, end }) => ({ start, end }));
    return { source: this.source, decisions: [...this.decisions], removed: [...this.removed], added };
  }

  // restore takes the decisions of a state. Added are the mentions that the user marked, linked again.
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
    return this.decisions.has(key(mention)) || this.pending.has(key(mention)) || mention.corrected !== undefined;
  }

  isUnsure(mention) {
    return !this.isDecided(mention) && certaintyOf(mention) === "low";
  }

  // left returns the number of mentions that are left to decide.
  left() {
    return this.mentions.filter((m) => !this.isDecided(m)).length;
  }

  // next returns the first mention after a place for which is(mention) holds, or else the first of the document, or
  // null.
  next(place, is) {
    const found = this.mentions.filter(is);
    const isAfter = (m) => place !== null && (m.start > place.start || (m.start === place.start && m.end < place.end));
    return found.find(isAfter) ?? found[0] ?? null;
  }

  // concept returns the concept of a mention with its name, those of a composite mention together; null is NIL.
  concept(mention) {
    const decision = this.decision(mention);
    if (decision) return decision.kind === "nil" ? null : { id: decision.concept, name: decision.name };
    const parts = mention.sub_mentions?.length ? mention.sub_mentions : [mention];
    const best = parts.map((part) => part.candidates[0]).filter(Boolean);
    if (best.length === 0) return null;
    return { id: best.map((c) => c.id).join(" | "), name: best.map((c) => c.name).join(" | ") };
  }

  // classOf returns the class of a mention in style sheets.
  classOf(mention) {
    return this.isDecided(mention) ? "decided" : certaintyOf(mention);
  }

  certainty(mention) {
    return this.isDecided(mention) ? "decided" : words[certaintyOf(mention)];
  }

  decidedBy(mention) {
    if (this.decision(mention) || this.pending.has(key(mention))) return "you";
    return mention.corrected?.replace(/^corrected /, "").replace(/ at (\S+)T\S+$/, ", $1") ?? "";
  }

  // foundAs returns how a mention came to be one.
  foundAs(mention) {
    if (this.added.has(key(mention))) return "marked by you";
    if (mention.source === "recognized") return `recognized, ${Math.round(100 * mention.recognition_score)} %`;
    return this.tagged ? "name" : "in the file";
  }

  // says returns what the text says of a mention, such as "negated".
  says(mention) {
    return assertions.filter((a) => mention[a]).map((a) => a.replace("_", " "));
  }

  // others returns the other mentions of the same wording that are not decided in the same way.
  others(mention) {
    const made = this.decision(mention);
    const same = (d) => d && d.kind === made?.kind && d.concept === made?.concept;
    const wording = this.surface(mention);
    const isOther = (m) => key(m) !== key(mention) && this.surface(m) === wording;
    return this.mentions.filter((m) => isOther(m) && !same(this.decision(m)));
  }

  // begin notes that a decision on a mention is on its way, and returns the function that ends that.
  begin(mention) {
    this.pending.add(key(mention));
    return () => this.pending.delete(key(mention));
  }

  decide(mention, decision) {
    const before = this.decision(mention);
    this.decisions.set(key(mention), decision);
    this.undos.push({
      mention,
      decision,
      before,
      what: `${this.surface(mention)}: ${decision.kind === "nil" ? "NIL" : decision.name}`,
      apply: () => {
        if (before) this.decisions.set(key(mention), before);
        else this.decisions.delete(key(mention));
      },
    });
  }

  // addName notes that the wording of a mention became a name of the concept it was decided to be.
  addName(mention, entry) {
    const decision = this.decision(mention);
    decision.named = true;
    this.undos.push({
      mention,
      decision: { number: entry.number },
      what: `the name ${this.surface(mention)}`,
      apply: () => { decision.named = false; },
    });
  }

  // forget drops the decision whose number in the memory of the server was undone there.
  forget(number) {
    for (const [place, decision] of this.decisions) {
      if (decision.number === number) this.decisions.delete(place);
    }
    this.undos = this.undos.filter((u) => u.decision?.number !== number && u.before?.number !== number);
  }

  // remove removes a mention that is none.
  remove(mention) {
    this.removed.add(key(mention));
    this.mentions = this.mentions.filter((m) => key(m) !== key(mention));
    const marked = this.added.delete(key(mention));
    this.undos.push({
      what: `the removal of ${this.surface(mention)}`,
      apply: () => {
        this.removed.delete(key(mention));
        if (marked) this.added.add(key(mention));
        this.mentions.push(mention);
        this.sort();
      },
    });
  }

  // addConcept notes that a concept was added for a mention.
  addConcept(mention, entry) {
    const { number, name } = entry;
    this.undos.push({ mention, decision: { number }, what: `the concept ${name}`, apply: () => {} });
  }

  // add adds a mention that the user marked, in place of those that overlap it.
  add(mention) {
    const overlapped = this.mentions.filter((m) => m.start < mention.end && mention.start < m.end);
    for (const m of overlapped) this.removed.add(key(m));
    this.mentions = this.mentions.filter((m) => !overlapped.includes(m));
    this.mentions.push(mention);
    this.added.add(key(mention));
    this.removed.delete(key(mention));
    this.sort();
    this.undos.push({
      what: `the mention ${this.surface(mention)}`,
      apply: () => {
        this.mentions = this.mentions.filter((m) => key(m) !== key(mention)).concat(overlapped);
        this.added.delete(key(mention));
        for (const m of overlapped) this.removed.delete(key(m));
        this.sort();
      },
    });
  }

  find(place) {
    return this.mentions.find((m) => m.start === place.start && m.end === place.end);
  }

  // replace takes a mention of a new answer, which has neither what the file says of it nor where it was found.
  replace(mention) {
    const given = this.source.mentions?.find((m) => key(m) === key(mention));
    const from = ({ source, recognition_score }) => (source ? { source, recognition_score } : {});
    this.mentions = this.mentions.map((m) => (key(m) === key(mention) ? { ...given, ...mention, ...from(m) } : m));
  }

  // request returns the document with the places of mentions alone, as the server takes it.
  request(mentions) {
    const place = ({ start, end, type }) => ({ start, end, ...(type && { type }) });
    return { id: this.id, text: this.text, mentions: mentions.map(place) };
  }

  addedMentions() {
    return this.mentions.filter((m) => this.added.has(key(m)));
  }

  // exported returns the document as it is decided: a mention that the user linked has this one concept.
  exported() {
    const mentions = this.mentions.map((mention) => {
      const decision = this.decision(mention);
      if (!decision) return mention;
      const { sub_mentions: _, ...whole } = mention;
      const { corrected } = decision;
      if (decision.kind === "nil") return { ...whole, candidates: [], corrected };
      const { concept: id, name } = decision;
      const found = mention.candidates.find((c) => c.id === id);
      const chosen = found ?? { id, name, matched_name: name, score: 0, votes: 0 };
      return { ...whole, candidates: [{ ...chosen, probability: 1 }], corrected };
    });
    return { ...this.answer, mentions };
  }
}
