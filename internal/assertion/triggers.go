package assertion

import (
	"strings"
	"sync"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/matcher"
)

// dimension is a question to which a mention has one answer.
type dimension int

const (
	polarity    dimension = iota // negated or uncertain
	temporality                  // historical or hypothetical
	experiencer                  // another person
	dimensions
)

// value is an answer. 0 is the usual one: affirmed, recent, the patient. Where two triggers
// are equally near to a mention, the higher value of the dimension counts.
type value uint8

const (
	usual value = iota
	uncertain
	negated
	historical
	hypothetical
	otherPerson
)

func (v value) dimension() dimension {
	switch v {
	case historical, hypothetical:
		return temporality
	case otherPerson:
		return experiencer
	}
	return polarity
}

// effects say what a term does, for each dimension. A term that has no effect is a
// pseudo-trigger.
type effects struct {
	acts   [dimensions]bool  // the term ends the scopes that reach it
	after  [dimensions]value // of the mentions after the term, in its own scope
	before [dimensions]value // of the mentions before it
	slash  bool              // the term is found only with its slash: "s/p", but not "Crohn's, p"
}

// terms is the table of terms, separated by commas, with what they do. A term may be in
// several rows. Terms are compared in normal form, so "doesn't" is also "doesn’t".
var terms = []struct {
	after, before value
	ends          []dimension // that the terms terminate
	terms         string
}{
	{after: negated, terms: `
		no, not, without, never, neither, nor, none of, cannot, can't, isn't, aren't, wasn't, weren't, don't, doesn't, didn't,
		hasn't, haven't, hadn't, couldn't, won't, no evidence of, no evidence for, no evidence, no sign of, no signs of,
		no symptoms of, no indication of, no cases of, no case of, no findings of, no suspicion of, no complaints of, not have,
		not had, not show, not see, not find, not reveal, not demonstrate, not detect, not develop, not appear, not complain of, no longer has, no longer have, absence of, in the absence of, lack of, lacks, lacked,
		lacking, denies, denied, denying, deny, free of, free from, negative for, tested negative for, rather than, instead of,
		fails to reveal, failed to reveal, fails to show, failed to show, failed to detect, failed to demonstrate, no history of,
		without history of, with no history of, denies history of, without evidence of, without any evidence of,
		without signs of, without symptoms of, ruled out for, rules out, excludes, excluded, ruled out, unremarkable for,
		no new, no known, no other, no more, no longer, resolution of, no previous, no prior, evidence against`},
	{before: negated, terms: `
		is ruled out, are ruled out, was ruled out, were ruled out, been ruled out, be ruled out, being ruled out, is excluded,
		are excluded, was excluded, were excluded, been excluded, is absent, are absent, was absent, were absent, is not present,
		was not present, are not present, were not present, is not seen, was not seen, not observed, was not observed,
		were not observed, not detected, was not detected, were not detected, not found, was not found, were not found,
		has resolved, have resolved, had resolved, is negative, are negative, was negative, were negative, did not occur,
		did not develop, was denied, were denied, did not recur, not identified, was not identified, were not identified, non detected`},

	{after: uncertain, terms: `
		possible, possibly, probable, probably, suspected, suspect, suspects, suspicious for, suspicion of, suspicion for,
		suspicious of, presumed, presumably, presumptive, likely, questionable, suggestive of, suggests, suggesting, consistent with,
		rule out, to rule out, r/o, evaluate for, evaluated for, may have, might have, could have, may be, might be, could be,
		may represent, might represent, could represent, may indicate, could indicate, concern for, concerning for,
		worrisome for, differential diagnosis includes, differential includes, cannot rule out, cannot exclude, can't rule out,
		can't exclude, cannot be excluded, not excluded, not certain if, not certain whether, not clear if, not clear whether,
		unclear if, unclear whether, uncertain if, uncertain whether, appears to be, appears to have, perhaps, potential case of,
		potentially, not exclude, not rule out, does not exclude, does not rule out, did not exclude, did not rule out,
		should be ruled out for, must be ruled out for, suspicion was raised of, compatible with, working diagnosis of,
		provisional diagnosis of, unlikely to have, unlikely to be`},
	{before: uncertain, terms: `
		cannot be excluded, cannot be ruled out, can't be excluded, can't be ruled out, could not be excluded,
		could not be ruled out, not be excluded, not be ruled out, not excluded, not ruled out, was not ruled out,
		has not been excluded, has not been ruled out, not been excluded, not been ruled out, should be ruled out, must be ruled out,
		should be excluded, must be excluded, to be ruled out, to be excluded, is possible, was possible, are possible, is likely,
		was likely, is probable, was probable, is suspected, was suspected, are suspected, were suspected, been suspected,
		is unlikely, was unlikely, are unlikely, unlikely, is considered, was considered, is questionable, is uncertain,
		was uncertain, remains uncertain, is unclear, remains unclear, is in the differential, in the differential diagnosis`},

	{after: historical, terms: `
		history of, history, past history, past history of, past medical history, past medical history of, medical history of,
		previous history of, prior history of, known history of, personal history of, no history of, without history of,
		with no history of, denies history of, status post, s/p, h/o, pmh, history significant for, history notable for,
		childhood history of, remote history of, previously diagnosed with, previously treated for, previous episode of,
		previous episodes of, prior episode of, prior episodes of, survivor of, survivors of, years ago, months ago, in the past,
		in childhood`},
	{before: historical, terms: `
		in the past, years ago, year ago, months ago, in childhood, in the remote past, in his past, in her past, by history`},

	{after: hypothetical, terms: `
		if, return for, return if, return to the emergency department for, come back for, come back if, call for, call if,
		should he develop, should she develop, should the patient develop, should he have, should she have, should there be,
		should you develop, in case of, in the event of, as needed for, prn, watch for, monitor for`},

	{after: otherPerson, terms: `
		family history, family history of, fh, mother, mother's, father, father's, mother has, father has, brother, brothers,
		brother's, sister, sisters, sister's, sibling, siblings, son, sons, daughter, daughters, aunt, aunts, uncle, uncles, cousin,
		cousins, grandmother, grandfather, grandparents, grandmother's, grandfather's, parents, family member, family members,
		relative with, relatives with, first degree relative, first degree relatives, husband, wife, spouse`},
	{before: otherPerson, terms: `
		in the family, in his family, in her family, in their family, runs in the family, in his mother, in her mother,
		in his father, in her father, in relatives, in first degree relatives, in family members`},

	// Pseudo-triggers.
	{terms: `
		no increase, no increased, no increase in, no significant increase, no change, no changes, no change in, no significant change,
		no significant changes, no interval change, no suspicious change, no difference, no differences, no significant difference,
		no significant differences, no significant interval change, no doubt, no further, no sooner, no matter, no less than,
		no more than, no fewer than, not only, not just, not merely, not simply, not solely, not necessarily, not always,
		not all, not every, not extend, not cause, not drain, not to mention, whether or not, if not, or not, without difficulty,
		without further, without doubt, without regard to, without increase, gram negative, false negative, false negatives,
		double negative, negative feedback, negative affect, negative control, negative controls, lack of change, not yet,
		with or without, with and without, without and with, presence or absence of, presence and absence of, or absence of,
		trial no, case no, patient no, nothing but, none the less,
		non small cell, non small,
		likely to respond, more likely, less likely, as likely as not,
		natural history, history of present illness, history taking, history and physical, history and physical examination,
		history and examination, social history, poor history, life history, history physical, occupational history,
		evolutionary history, demographic history, case history, treatment history,
		as if, what if, only if, even if,
		mother to child, mother to infant, mother child, mother infant, daughter cell, daughter cells, sister chromatid,
		sister chromatids, sister group, sister species, sister taxon, family medicine, family physician, family physicians,
		family practice, wife of, husband of`},
	// Pseudo-triggers of abstracts, where a study denies or doubts a relation or an effect and not the disease.
	{terms: `
		suggest that, suggests that, suggested that, suggesting that, suggests a role, suggesting a role, suggests an association,
		may be associated with, might be associated with, could be associated with, may be related to, might be related to,
		may be useful, might be useful, could be useful, may be effective, might be effective, could be effective, may be helpful,
		might be helpful, may be beneficial, might be beneficial, may be used, could be used, may be involved in,
		might be involved in, could be involved in, may be important in, might be important in, may be caused by, may be due to,
		might be due to, may be a risk factor, might be a risk factor, could be a risk factor, may be considered, might be considered,
		could be considered, possible role, possible roles, possible mechanism, possible mechanisms, possible risk factor,
		possible risk factors, possible association, possible link, possible relationship, possible treatment, possible effect,
		possible effects, no association, no significant association, no relationship, no relation, no correlation,
		no significant correlation, no effect, no effects, no significant effect, no significant effects, no influence, no impact,
		no benefit, not associated with, not significantly associated with, not related to, not correlated with, not significantly,
		not affect, not influence, not alter, not improve, not reduce, not decrease, not increase, not prevent, not differ, not known,
		not toxic`},

	// Termination terms.
	{ends: []dimension{polarity, temporality, experiencer}, terms: `
		but, however, nevertheless, nonetheless, yet, though, although, still, aside from, except, except for, apart from,
		other than, with the exception of, secondary to, as a cause of, as the cause of, as a source of, as a reason for,
		as an etiology of, as the etiology of, as the origin of, as an origin for, as a secondary cause of, cause of, cause for,
		causes of, causes for, reason for, reasons for, etiology of, etiology for, origin of, source of, source for, due to,
		because of, trigger event for, whereas, while, despite, in spite of, which, not but`},
	{ends: []dimension{polarity, experiencer}, terms: `
		in patients with, in a patient with, in subjects with, in individuals with, among patients with, among those with,
		patients with, patient with, in patients with and without, in patients with or without, patients with and without,
		patients with or without`},
	{ends: []dimension{polarity}, terms: `
		had higher, had a higher, had lower, had a lower, had more, is associated with, are associated with, was associated with,
		were associated with, prevents, induces, compared with, compared to, than, when, so that, therefore, thus, hence, then, until`},
	{ends: []dimension{temporality}, terms: `
		presents, presented, presenting, presents with, presented with, presenting with, presented for, was admitted, admitted with,
		was admitted with, admitted for, complains, complains of, complained of, complaining of, reports, reported, states, stated,
		was found, was found to have, was found to be, today, now, currently, on admission, on examination, emergency department,
		who, because, since`},
	{ends: []dimension{experiencer}, terms: `
		patient, the patient, patients, the patients, proband, the proband, index case, patient himself, patient herself`},
}

// lexicon finds terms. Its tagger takes the longest of those that begin at a word.
type lexicon struct {
	tagger  *matcher.Tagger
	effects map[string]*effects // by the term in normal form
}

// english returns the lexicon of terms. It is made once, when it is first used.
var english = sync.OnceValue(func() *lexicon {
	l := &lexicon{effects: make(map[string]*effects)}
	for _, row := range terms {
		for term := range strings.SplitSeq(row.terms, ",") {
			name := normalize.Normal(term)
			e := l.effects[name]
			if e == nil {
				e = &effects{slash: strings.Contains(term, "/")}
				l.effects[name] = e
			}
			for _, d := range row.ends {
				e.acts[d] = true
			}
			if v := row.after; v != usual {
				e.acts[v.dimension()], e.after[v.dimension()] = true, v
			}
			if v := row.before; v != usual {
				e.acts[v.dimension()], e.before[v.dimension()] = true, v
			}
		}
	}
	concept := kb.Concept{ID: "term"}
	for name := range l.effects {
		concept.Synonyms = append(concept.Synonyms, name)
	}
	var err error
	l.tagger, _, err = matcher.NewTagger(kb.NewDictionary([]kb.Concept{concept}), matcher.NameFilter{})
	if err != nil {
		panic("assertion: table of terms: " + err.Error()) // a fault of the table, which the tests use
	}
	return l
})
