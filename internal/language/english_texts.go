package language

import "regexp"

var englishSentences = Sentences{
	NeverLast: words(`
		e.g i.e E.g I.e eg ie vs Vs cf Cf viz ca approx Approx resp Fig Figs fig figs FIG Eq Eqs eq eqs Ref Refs ref
		refs Tab Suppl Dr Drs Prof Mr Mrs Ms St Mt Capt Sen Gov Col Lt Sgt Rev Hon`),
	SeldomLast: words(`al sp spp subsp ssp var cv pv bv serov str gen nov`),
	BeforeNumber: words(`
		No Nos no nos Vol vol pp Ch Sec Sect Art Nr Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec`),
	BeforeLetter: words(`
		hepatitis vitamin type types subtype genotype serotype group groups class grade stage phase part arm arms
		cohort level category influenza factor protein virus immunoglobulin cytochrome complex coenzyme strain toxin
		fraction panel pugh score region site domain chain haemophilia hemophilia kinase penicillin isoform isozyme
		topo topoisomerase apo context`),
	BeforeMarker: words(`
		a an the of in to and or at by was is were are than from for with on figure table day week month year years
		score about least most under over between`),
	Conjunctions: words(`and or`),
	Openers: words(`
		The This These Those That There Then Thus They Their It Its We Our In An However Moreover Furthermore
		Therefore Although Though Here Hence When While Where Whereas Whether If As At By For From On To With
		Without After Before During Both Among All Some Many Most Only Also Because Since Despite Such Other Another
		Each Using How What Who Which Why Did Do Does Is Are Was Were Can Results Methods Conclusion Conclusions
		Background Objective Objectives Patients`),
}

var englishAbbreviations = Abbreviations{
	FunctionWords: words(`a an and by de for from its of on or our plus than that the their these this to which with`),
	LinkingWords:  words(`a an and by de for from in of on or the to with`),
	Numbers: map[string]rune{
		"one": '1', "two": '2', "three": '3', "four": '4', "five": '5', "six": '6', "seven": '7', "eight": '8',
		"nine": '9', "first": '1', "second": '2', "third": '3', "fourth": '4', "fifth": '5', "sixth": '6',
	},
	ClauseVerbs: words(`are is was were`),
	NotShort:    words(`ie eg i.e. e.g. i.e e.g cf one two age oral blue red see left both`),
	Introductions: words(`
		hereafter hereinafter henceforth abbreviated abbreviation abbr abbr. acronym as or also called termed named
		known aka referred to denoted designated by the short in i.e. ie =`),
	Remarks:     []string{"hereafter", "henceforth", "hereinafter", "for short", "gene", "protein"},
	Conjunction: "and",
	Items:       "item",
	Statements: []Statement{
		{Phrase: " stands for ", ShortFirst: true},
		{Phrase: " stand for ", ShortFirst: true},
		{Phrase: " short for ", ShortFirst: true},
		{Phrase: " hereafter ", LongFirst: true},
		{Phrase: " hereinafter ", LongFirst: true},
		{Phrase: " henceforth ", LongFirst: true},
		{Phrase: " abbreviated ", LongFirst: true},
		{Phrase: ", or ", ShortFirst: true, LongFirst: true, Initials: true},
		{Phrase: " also known as ", ShortFirst: true, LongFirst: true, Initials: true},
		{Phrase: " refers to ", ShortFirst: true, Initials: true},
		{Phrase: " = ", ShortFirst: true, Initials: true},
		{Phrase: ": ", ShortFirst: true, Initials: true, Listed: true},
		{Phrase: ", ", ShortFirst: true, Initials: true, Listed: true},
		{Phrase: " as ", ShortFirst: true, Initials: true, Defined: true},
		{Phrase: " defined as ", ShortFirst: true, Initials: true},
		{Phrase: " to denote ", ShortFirst: true, Initials: true},
		{Phrase: " denotes ", ShortFirst: true, Initials: true},
		{Phrase: " means ", ShortFirst: true, Initials: true},
		{Phrase: " represents ", ShortFirst: true, Initials: true},
		{Phrase: " indicates ", ShortFirst: true, Initials: true},
		{Phrase: " abbreviation of ", ShortFirst: true},
		{Phrase: " abbreviation for ", ShortFirst: true},
		{Phrase: " acronym of ", ShortFirst: true},
		{Phrase: " acronym for ", ShortFirst: true},
		{Phrase: ", termed ", LongFirst: true, Initials: true},
		{Phrase: ", called ", LongFirst: true, Initials: true},
		{Phrase: ", here called ", LongFirst: true, Initials: true},
		{Phrase: ", referred to as ", LongFirst: true, Initials: true},
	},
	BeforeStatement: []string{"an", "the", "is", "are", "was"},
	Articles:        []string{"the", "a", "an"},
	Define:          "defin",
}

var englishSynonyms = Synonyms{
	FunctionWords: words(`
		a about after again all also although among an and any are as at be because been before being between both
		but by can could did do does done due during each either etc except for from further had has have having he
		her here his how however i if in into include included includes including indicating is it itself may might
		most must nor not on only or other our out over own per rather remain remains resulting she should since so
		some such than that their them then there therefore these they this those through thus to under until upon
		usually via was we were what when where whether which while who whom whose will with within without would
		yet you`),
	Determiners:  words(`a an her his its our that the their these this those`),
	Copulas:      words(`are is was were`),
	Prepositions: words(`about around at between for from in into of on than through to under within`),
	Conjunctions: words(`and or nor to vs versus`),
	Openers:      words(`by include included includes including like as`),
	Continuers:   words(`and are be been had has have is was were`),
	KindNouns: words(`
		category class form forms group kind kinds manifestation manifestations part presentation spectrum stage
		sort subgroup subset subtype subtypes type types variant variants variety`),
	AspectNouns: words(`
		case cause chance complication course diagnosis development effect episode evidence expression feature
		frequency history incidence management mechanism mimic model number onset pathogenesis patient prevalence
		prevention rate report result risk sign symptom treatment`),
	VagueWords: words(`
		case category cell complication condition consequence entity feature finding form gene group growth kind
		line locus manifestation manner mass model name phenomenon problem result sign stage state subgroup subtype
		symptom term type variant`),
	FigureWords: words(`
		day e eg grade group hour i ie mean median minute month percent range ratio score subject table total versus
		vs week year`),
	GeneralWords: words(`
		abnormality acute anomaly attack autosomal case chronic condition congenital defect deficiency disability
		disease disorder dominant entity episode familial feature finding form hereditary idiopathic illness
		inherited lesion name infantile juvenile patient primary problem recessive secondary severe sign subtype
		symptom syndrome term type variant`),
	Of:           "of",
	Or:           "or",
	And:          "and",
	Non:          "non",
	CountedNouns: words(`patient`),

	SameAdverbs: words(`
		also alternatively colloquially commonly frequently generally occasionally often otherwise popularly
		sometimes variously`),
	FormerAdverbs:     words(`formerly previously historically originally traditionally now currently recently`),
	DegreeAdverbs:     words(`more most`),
	StandaloneAdverbs: words(`formerly previously`),
	StandaloneCues:    words(`aka a.k.a a.k.a. synonym synonyms`),
	CueVerbs: map[string][]string{
		"known": {"as"}, "called": nil, "termed": nil, "named": nil, "referred": {"to", "as"},
		"designated": {"as"}, "labeled": {"as"}, "labelled": {"as"}, "renamed": nil,
	},
}

var englishRecognition = Recognition{
	Prepositions: words(`
		of with without due in and or to from by for on at as associated caused following during after not`),
	StopWords: words(`
		a an the this that these those is are was were be been being have has had we our it its their they he she
		his her i you who which what when where how can could may might will would should do does did not no but if
		than then so such also there here more most less very all any each both other some many few new two three
		four five one six seven first second patients patient study results cases case group groups between among
		within into over under per than up however thus therefore using used use`),
	Conjunctions: words(`and or / -`),
	OwnPrefixes:  words(`anti pre post non`),
	TypesBefore:  words(`type class`),
	TypesBehind:  words(`type types`),
	Number:       regexp.MustCompile(`^(?:[A-E]|I{1,3}|IV|VI{0,3}|\d{1,2}[A-Za-z]?|[IV]+[A-Da-d])$`),
	Tail:         regexp.MustCompile(`^(types?|i{1,3}|iv|v|vi{0,3}|ix|x|\d+[a-z]?|[a-z]|nos|susceptibility|group|form|variant|included|formerly|and|or)$`),
	Participle:   regexp.MustCompile(`(?:ed|ant)$`),
	Lacking:      "deficient",
	Relation:     "of",
}

var englishCauses = Causes{
	Induced: "induced",
	By:      "by",
	OfSubstances: [][]string{
		{"drug", "induced"}, {"chemically", "induced"}, {"substance", "induced"}, {"medication", "induced"},
	},
	OtherCauses: words(`
		allergen antigen cold diet effort exercise heat hypoxia infection injury irradiation ischemia laser light noise
		obesity pacing pregnancy radiation radiotherapy reperfusion self sepsis stress stretch surgery training trauma
		tumor vaccine ventilator virus`),
}

var englishVerbs = Verbs{
	Before:     words(`can cannot could may might must shall should will would not i we you they he she who`),
	Be:         words(`am are be been being is was were`),
	Particle:   words(`about around down into off onto out through to up`),
	To:         "to",
	Determiner: words(`a an any each every her his its me my our some the their them these this those us your`),
	BeforeNoun: words(`
		a about after against all an and any as at because before between both by due during each every for from her
		his if in into its like my no of on or our severe since some than that the their then these this those to
		under until when where which while with without your`),
}
