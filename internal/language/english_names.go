package language

import "strings"

var englishNames = Names{
	FunctionWords: words(`a an and as at by due for from in of on or the to with`),
	Prepositions:  words(`by due from in of on with without`),
	Complement:    "of",
	Article:       "the",
	Conjunctions:  []string{"and", "or", "and/or", "/"},
	WordPrefixes: words(`
		anti cardio co extra hyper hypo inter intra macro micro multi neuro non para peri poly post pre pseudo re
		semi sub`),
	CountedWords: words(`class factor form grade group phase stage subtype type`),
	Invariable: words(`
		ascites caries diabetes facies herpes lues mumps pancreas rabies rickets scabies series shingles species
		tabes`),
	DiseaseNouns: words(`
		abnormality abscess anomaly arrest atrophy attack bleeding block cancer convulsion cyst damage deafness
		death defect deficiency deficit degeneration delay depression diabetes disability disease disorder
		disturbance dysfunction edema epilepsy failure fever fracture hallucination hypertension illness impairment
		infarction infection injury insufficiency lesion loss malformation malignancy neoplasm obstruction pain
		palsy retardation seizure stroke syndrome tumor ulcer vomiting weakness`),
	DiseaseSuffixes: strings.Fields(`ia iasis itis oma opathy osis rrhage rrhea`),
	// An injury is not among them: it has causes of its own.
	Harm: map[string][]string{
		"toxicity":     {"drug induced injury", "disease", "disorder"},
		"complication": {"disease", "disorder"},
		"damage":       {"disease", "disorder"},
		"dysfunction":  {"disease", "disorder"},
		"impairment":   {"disease", "disorder"},
		"involvement":  {"disease", "disorder"},
		"lesion":       {"disease", "disorder"},
	},

	LatinPlurals: []Plural{
		{"crises", "crisis", 0}, {"itides", "itis", 0}, // dermatitides
		{"thrombi", "thrombus", 0}, {"emboli", "embolus", 0}, {"calculi", "calculus", 0}, {"nevi", "nevus", 0},
		{"diverticula", "diverticulum", 0}, {"septa", "septum", 0},
		{"varices", "varix", 0}, {"cervices", "cervix", 0}, {"appendices", "appendix", 0}, {"phalanges", "phalanx", 0},
		{"lentigines", "lentigo", 0},
	},
	Plurals: []Plural{
		{"stases", "stasis", 8}, // metastases
		{"oses", "osis", 8},     // thromboses
		{"eses", "esis", 8},     // pareses
		{"yses", "ysis", 8},     // paralyses
		{"omata", "oma", 7},     // carcinomata
		{"sinuses", "sinus", 7}, {"viruses", "virus", 7}, {"fetuses", "fetus", 7},
		{"ies", "y", 5},   // anomalies
		{"sses", "ss", 5}, // abscesses
		{"xes", "x", 5},   // complexes
		{"shes", "sh", 5}, // rashes
		{"ches", "ch", 5}, // stomaches
		{"ss", "ss", 0},
		{"us", "us", 0},
		{"is", "is", 0},
		{"betes", "betes", 0},
		{"s", "", 4},
	},
	Nouns: []Inflection{
		{"sis", []string{"ses"}}, {"us", nil}, {"is", nil}, {"betes", nil},
		{"s", []string{"ses"}}, {"x", []string{"xes"}}, {"ch", []string{"ches"}}, {"sh", []string{"shes"}},
		{"ay", []string{"ays"}}, {"ey", []string{"eys"}}, {"oy", []string{"oys"}}, {"uy", []string{"uys"}},
		{"y", []string{"ies"}}, {"", []string{"s"}},
	},

	// The last is for diarrhoea and dyspnoea, where a vowel follows.
	American: []string{
		"behaviour", "behavior",
		"centre", "center",
		"colour", "color",
		"fibre", "fiber",
		"isation", "ization",
		"labour", "labor",
		"odour", "odor",
		"sulph", "sulf",
		"tumour", "tumor",
		"oea", "ea",
	},
	British: []Spelling{
		{"tumor", "tumour"}, {"edema", "oedema"}, {"rrhea", "rrhoea"}, {"pnea", "pnoea"}, {"esophag", "oesophag"},
		{"hemo", "haemo"}, {"hemat", "haemat"}, {"hemangi", "haemangi"}, {"ischem", "ischaem"}, {"emia", "aemia"},
		{"emic", "aemic"},
		{"celiac", "coeliac"}, {"cecal", "caecal"}, {"fetal", "foetal"}, {"pediatric", "paediatric"},
		{"anesthe", "anaesthe"},
		{"fiber", "fibre"}, {"color", "colour"}, {"behavior", "behaviour"}, {"sulf", "sulph"},
	},

	Derivations: []Derivation{
		{"ically", ""},
		{"lasia", "last"}, {"icity", ""},
		{"lasm", "last"}, {"ical", ""}, {"rian", "r"},
		{"sia", "t"}, {"sis", "t"}, {"ses", "t"}, {"sic", "t"}, {"tic", "t"}, {"tia", "t"},
		{"ism", ""}, {"ist", ""}, {"ity", ""}, {"ive", ""}, {"ion", ""}, {"ial", ""}, {"iac", ""},
		{"oid", ""}, {"ous", ""}, {"ose", ""}, {"ate", ""}, {"ory", ""},
		{"sy", "t"}, {"ty", "t"},
		{"ia", ""}, {"ic", ""}, {"al", ""}, {"an", ""}, {"ar", ""}, {"ed", ""}, {"es", ""}, {"is", ""},
		{"um", ""}, {"us", ""}, {"ea", ""}, {"ry", ""}, {"id", ""},
		{"y", ""}, {"e", ""}, {"a", ""}, {"s", ""},
	},
	Adjectives: []Adjective{
		{"itic", []string{"itis"}},
		{"matous", []string{"ma"}},
		{"inous", []string{"o"}},
		{"ctic", []string{"xia", "xis", "xy"}},
		{"ical", []string{"y", "ia", "ics"}},
		{"tose", []string{""}},
		{"tic", []string{"sis", "sia", "sy", "tism", "m", ""}},
		{"ian", []string{"ism"}},
		{"oid", []string{"osis", "oidism"}},
		{"ous", []string{"y", "osis", "um", "us", "a", ""}},
		{"ive", []string{"ion"}},
		{"ed", []string{"ion", "ia", ""}},
		{"al", []string{"us", "a", "e", ""}},
		{"ic", []string{"ia", "y", "icosis", "icity", "a", "us", "ism", "e", ""}},
		{"nt", []string{"nce", "ncy"}},
		{"e", []string{"ity"}},
		{"l", []string{""}},
		{"", []string{"ness"}},
	},
	IrregularAdjectives: map[string]string{"febrile": "fever", "icteric": "jaundice", "ictal": "seizure"},
	MedicalEndings: []string{
		"clonus", "emic", "enic", "ia", "iasis", "itis", "lysis", "megaly", "oma", "osis", "otic", "pathy", "plasm", "pnea",
		"psy", "rrhea", "toxic", "toxicity", "trophy",
	},
	CombiningBeginnings: map[string]string{
		"angi": "vessel", "arthr": "joint", "bronch": "bronchus", "cardi": "heart", "cephal": "head",
		"cholecyst": "gallbladder", "chondr": "cartilage", "col": "colon", "cyt": "cell", "dermat": "skin",
		"encephal": "brain", "enter": "intestine", "gastr": "stomach", "gloss": "tongue", "hepat": "liver",
		"laryng": "larynx", "lymphaden": "lymph node", "mast": "breast", "my": "muscle", "nephr": "kidney",
		"neur": "nerve", "odont": "tooth", "ophthalm": "eye", "oste": "bone", "ot": "ear",
		"pancreat": "pancreas", "pharyng": "pharynx", "phleb": "vein", "pneum": "lung", "proct": "rectum",
		"prostat": "prostate", "retin": "retina", "rhin": "nose", "splen": "spleen", "spondyl": "vertebra",
		"stomat": "mouth", "tend": "tendon", "thyr": "thyroid", "vascul": "vessel",
	},
	CombiningEndings: map[string]string{
		"algia": "pain", "algic": "pain", "lithiasis": "stone", "megaly": "enlargement", "pathic": "disease",
		"pathy": "disease", "rrhagia": "bleeding", "toxic": "toxicity", "toxicity": "toxicity",
	},

	Opposites: [][2]string{
		{"left", "right"}, {"acute", "chronic"}, {"male", "female"}, {"upper", "lower"}, {"high", "low"},
		{"anterior", "posterior"}, {"benign", "malignant"}, {"dominant", "recessive"}, {"congenital", "acquired"},
		{"primary", "secondary"}, {"internal", "external"}, {"proximal", "distal"}, {"medial", "lateral"},
		{"dorsal", "ventral"}, {"superior", "inferior"}, {"juvenile", "adult"}, {"systolic", "diastolic"},
		{"bacterial", "viral"}, {"maternal", "paternal"}, {"central", "peripheral"}, {"unilateral", "bilateral"},
		{"early", "late"}, {"open", "closed"}, {"arterial", "venous"}, {"sensory", "motor"},
		{"conductive", "sensorineural"},
		{"increased", "decreased"}, {"ischemic", "hemorrhagic"}, {"obstructive", "restrictive"}, {"small", "large"},
		{"atrial", "ventricular"}, {"mitral", "tricuspid"}, {"aortic", "pulmonary"}, {"cold", "warm"},
		{"gain", "loss"}, {"excess", "deficiency"}, {"deletion", "duplication"}, {"ascending", "descending"},
		{"positive", "negative"}, {"wet", "dry"}, {"hot", "cold"}, {"tall", "short"}, {"long", "short"},
		{"deep", "superficial"}, {"fast", "slow"}, {"partial", "complete"}, {"focal", "diffuse"},
		{"focal", "generalized"}, {"mellitus", "insipidus"}, {"flexion", "extension"}, {"pronation", "supination"},
		{"inspiratory", "expiratory"}, {"afferent", "efferent"}, {"cranial", "caudal"}, {"nocturnal", "diurnal"},
		{"narrow", "wide"}, {"open", "narrow"}, {"local", "systemic"}, {"overt", "occult"}, {"mild", "severe"},
	},
	OppositeBeginnings: [][2]string{
		{"hypo", "hyper"}, {"macro", "micro"}, {"brady", "tachy"}, {"intra", "extra"}, {"pre", "post"}, {"endo", "exo"},
		{"hemi", "para"}, {"oligo", "poly"}, {"leuko", "erythro"}, {"over", "under"}, {"epi", "sub"}, {"ex", "en"},
		{"ad", "ab"}, {"supra", "infra"}, {"supra", "sub"}, {"homo", "hetero"}, {"eu", "dys"}, {"normo", "hyper"},
		{"normo", "hypo"}, {"mono", "poly"}, {"uni", "bi"}, {"ante", "retro"}, {"levo", "dextro"},
	},
	Negations: []string{"non", "un", "a", "an", "in", "im", "ir", "il"},
	Elsewhere: words(`anti extra infra inter intra peri post pre pseudo sub supra`),
	Ordinals:  words(`first second third fourth fifth sixth seventh eighth ninth tenth`),
	Without:   "without",
	Stage:     "stage",

	Eponyms: words("disease syndrome"),
	AdjectiveEnds: []string{
		"s", "al", "ic", "ar", "ive", "ary", "ory", "ed", "an", "ing", "ent", "less", "oid", "ia",
	},

	GreekLetters: map[rune]string{
		'α': "alpha", 'β': "beta", 'γ': "gamma", 'δ': "delta", 'ε': "epsilon", 'ζ': "zeta",
		'η': "eta", 'θ': "theta", 'ι': "iota", 'κ': "kappa", 'λ': "lambda", 'μ': "mu",
		'ν': "nu", 'ξ': "xi", 'ο': "omicron", 'π': "pi", 'ρ': "rho", 'σ': "sigma",
		'τ': "tau", 'υ': "upsilon", 'φ': "phi", 'χ': "chi", 'ψ': "psi", 'ω': "omega",
	},
	LettersByName: map[string]rune{
		"alpha": 'α', "beta": 'β', "gamma": 'γ', "delta": 'δ', "epsilon": 'ε', "zeta": 'ζ',
		"theta": 'θ', "kappa": 'κ', "lambda": 'λ', "sigma": 'σ', "omega": 'ω',
	},
}
