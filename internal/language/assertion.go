package language

// Assertion tells what a text says of its mentions, by the rules of ConText (package assertion).
type Assertion struct {
	// Triggers are the terms that say something of the mentions around them.
	Triggers []Triggers
	// Answers are what a form says after the name of a finding ("Stroke: No", "Fever (-)", "Chest pain - denies"),
	// separated by commas, by the value of the finding.
	Answers map[Status]string
	// ListLabels are labels of a list of findings, and their value: "Pertinent negatives: fever, cough".
	ListLabels map[string]Status
	// Headings are those of sections that say nothing of their mentions, on a line without a colon.
	Headings map[string]bool
	// ClauseStarters begin another statement after a comma: "no fever, has a cough".
	ClauseStarters map[string]bool
	// Degrees begin a part of a statement that says that its finding is there: "no fever, mild cough".
	Degrees map[string]bool
	// Affirmations end a part of a statement that says that its finding is there: "no fever, ascites present".
	Affirmations map[string]bool
	// QuestionWords begin a question.
	QuestionWords map[string]bool
	// StatementOpeners begin a statement at the start of a line, also in lower case.
	StatementOpeners map[string]bool
	// ClauseWords occur in statements, and in no item of a list.
	ClauseWords map[string]bool
	// Unfinished are words that end no statement, so that the next line goes on.
	Unfinished map[string]bool
	// PastEnds are words after a comma that end what is said of the past: "history of asthma, with fever".
	PastEnds map[string]bool
	// Conjunction joins the last items of a list, and Alternatives join what one negation denies: "no pain, mild or
	// severe".
	Conjunction  string
	Alternatives []string
	// Lasting precedes the time that a finding has lasted: "cough x 3 days".
	Lasting string
	// SignEnding may be joined to a sign: "+ve".
	SignEnding string
	// Number is a trigger that is also short for "number" ("type no. 2"), and Reason one that as a label says why an
	// examination was made: "History: fever".
	Number, Reason string
}

// Triggers are terms with what they do. A row without an effect has pseudo-triggers.
type Triggers struct {
	After, Before Status      // of the mentions after the term, and before it, in its scope
	Ends          []Dimension // of the scopes that the terms end
	Final         bool        // the terms say so only at the end of a statement
	Initial       bool        // the terms say so only at the start of a statement
	Past          bool        // the terms end no hypothetical scope
	Adjacent      bool        // the terms say something of a mention that they touch, and of no other
	// Between: the terms say something of two mentions that they stand between, of which the first begins a statement.
	Between bool
	// Terms are separated by commas. "is|was absent" stands for two terms, "no |new cough" for "no cough" and "no
	// new cough". A term may be in several rows. Terms are compared in normal form, so "doesn't" is also "doesn’t".
	Terms string
}

// Dimension is a question to which a mention has one answer.
type Dimension int

const (
	Polarity    Dimension = iota // negated or uncertain
	Temporality                  // historical or hypothetical
	Experiencer                  // another person
	Dimensions                   // their number
)

// Status is an answer. 0 is the usual one: affirmed, recent, the patient. Where two triggers are equally near to a
// mention, the higher status of the dimension counts.
type Status uint8

const (
	Usual Status = iota
	Uncertain
	Negated
	Historical
	Hypothetical
	OtherPerson
)

// Dimension returns the dimension of a status, that of Usual being Polarity.
func (s Status) Dimension() Dimension {
	switch s {
	case Historical, Hypothetical:
		return Temporality
	case OtherPerson:
		return Experiencer
	}
	return Polarity
}
