package abbrev

import (
	"bufio"
	"strings"
	"testing"
	"time"

	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// definitions returns the definitions in a text as "short=long".
func definitions(text string) []string {
	var all []string
	for _, a := range Find(text) {
		all = append(all, a.Short.Of(text)+"="+a.Long.Of(text))
	}
	return all
}

// TestFindStatedIsLinear uses texts of 1 MB that consist of phrases and words that introduce a short form.
func TestFindStatedIsLinear(t *testing.T) {
	for _, s := range []string{" hereafter", ", or AB", " abbreviated as", " short for", "AB = A", " AB stands for A B"} {
		begin := time.Now()
		Find(strings.Repeat(s, 1<<20/len(s)))
		if took := time.Since(begin); took > 20*time.Second {
			t.Errorf("%q: %v", s, took)
		}
	}
}

// TestFind lists texts with their definitions as "short=long".
func TestFind(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{"in (atopic dermatitis, AD) and (e.g. stone fever, \"SF\")", "AD=atopic dermatitis; SF=stone fever"},
		{"(age 5, MS) (stone fever, sf)", ""},
		{"type II diabetes mellitus (T2DM), type I (T1), vitamin (V5)", "T2DM=type II diabetes mellitus; T1=type I"},
		{"a case of multiple sclerosis (MS).", "MS=multiple sclerosis"},
		{"MS (multiple sclerosis) is", "MS=multiple sclerosis"},
		{"heat shock transcription factor (HSF)", "HSF=heat shock transcription factor"}, // from the paper
		{"acquired immunodeficiency syndrome [AIDS]", "AIDS=acquired immunodeficiency syndrome"},
		{"Magnetic resonance imaging (MRI; 3T)", "MRI=Magnetic resonance imaging"},
		{"tumor necrosis factor-α (TNF-α)", "TNF-α=tumor necrosis factor-α"},
		{"the\u00a0electroencephalogram (EEG)", "EEG=electroencephalogram"}, // white space of two bytes
		{"a high risk (body mass index [BMI] over 30)", "BMI=body mass index"},
		{"in patients. The large cell (MLC)", ""}, // no word of this sentence begins with M
		{"blood pressure (120 mm) and rate (n = 5), fibres (three)", ""},
		{"stage IV (see table)", ""},
		{"type (A) and (B", ""},
		{"one (", ""},
		{")(", ""},
		{"CT (CT)", ""},
		// Matched by initials; the shortest long form would differ.
		{"proton pump inhibitors (PPIs)", "PPIs=proton pump inhibitors"}, // not "pump inhibitors"
		{"the International Index of Erectile Function (IIEF)", "IIEF=International Index of Erectile Function"},
		{"non-high-density lipoprotein (HDL)", "HDL=high-density lipoprotein"},
		{"multiple myelomas (MM)", "MM=multiple myelomas"},
		{"Myotonic dystrophy (DM) is", "DM=Myotonic dystrophy"},
		{"myotonic dystrophy (dm)", ""}, // initials in another order need capitals
		{"Thomsen myotonic dystrophy (DMX)", ""},
		// No long form begins with a function word.
		{"transposition of the great arteries (TGA)", "TGA=transposition of the great arteries"},
		{"with anxiety and depression (AD)", "AD=anxiety and depression"},
		{"ossification of the posterior longitudinal ligament (OPLL)", "OPLL=ossification of the posterior longitudinal ligament"},
		{"transient tachypnea of the newborn (TTN)", "TTN=transient tachypnea of the newborn"},
		{"time to treatment failure (TTF)", "TTF=time to treatment failure"},
		{"Australian and New Zealand Clinical Trials Registry (ANZCTR)", "ANZCTR=Australian and New Zealand Clinical Trials Registry"},
		{"after in vitro fertilization (IVF)", "IVF=in vitro fertilization"},
		{"the quality of life (QOL)", "QOL=quality of life"},
		{"The Cancer Genome Atlas (TCGA)", "TCGA=The Cancer Genome Atlas"}, // except by initials
		{"a gain of the aorta (TAO)", ""},
		{"or their seven newborns (Trsen)", ""},
		// Digits for words, and words without the digit.
		{"two-dimensional (2D), a six-repetition maximum (6-RM), the second molt (2M)", "2D=two-dimensional; 6-RM=six-repetition maximum; 2M=second molt"},
		{"square roots (SR-1), by partial least squares (PLS-1)", "PLS-1=partial least squares"},
		{"the 9-item Patient Health Questionnaire (PHQ-9)", "PHQ-9=Patient Health Questionnaire"},
		// An index follows its letter, and precedes it in words.
		{"low ambient temperature (Ta), skin temperature (Ts), tidal volume (V(T))", "Ta=ambient temperature; V(T)=tidal volume"},
		{"low ambient temperature (Tb), low tidal volume (Qt)", ""},
		{"transepithelial resistance (Rt) and current clamp (Cc)", "Rt=transepithelial resistance; Cc=current clamp"},
		// Brackets without a space, numbers of enzymes, names of chemicals.
		{"clozapine(CLP), CD40 ligand(CD40L), poly(PA), I(is)", "CLP=clozapine; CD40L=CD40 ligand"},
		{"superoxide dismutase (EC 1.15.1.1; SOD), stone fever (n = 5; SF)", "SOD=superoxide dismutase"},
		{"1,25-dihydroxy vitamin D (1,25-DVD), stone fever (SF,n=5)", "1,25-DVD=1,25-dihydroxy vitamin D; SF=stone fever"},
		{"alpha-amino-3-hydroxy-5-methyl-4-isoxazolepropionic acid (AMPA)", "AMPA=alpha-amino-3-hydroxy-5-methyl-4-isoxazolepropionic acid"},
		{"(posttransplant lymphoproliferative disorder, PTLD)", "PTLD=posttransplant lymphoproliferative disorder"},
		{"of [3H]prazosin and others (3H)", ""},
		{"is rare.\n  In stone fever (ISF)", "ISF=In stone fever"},
		{"in renal. \nFailure (RF)", ""},
		// In quotation marks, and after introductory words.
		{`Left ventricular hypertrophy ("LVH") is`, "LVH=Left ventricular hypertrophy"},
		{"heart failure (“HF”) and kidney failure ('KF')", "HF=heart failure; KF=kidney failure"},
		{`"heart failure" (HF), HF ("heart failure")`, "HF=heart failure; HF=heart failure"},
		{"heart failure («HF,» 12 cases)", "HF=heart failure"},
		{"heart failure (hereafter HF)", "HF=heart failure"},
		{"heart failure (hereafter referred to as 'HF')", "HF=heart failure"},
		{"heart failure (abbreviated as HF)", "HF=heart failure"},
		{"heart failure (i.e., HF)", "HF=heart failure"},
		{"heart failure (or HF)", "HF=heart failure"},
		{"heart failure (HF for short)", "HF=heart failure"},
		{"internal energy (i.e.), ill eyes (ie)", ""},
		// With citation and footnote marks.
		{"stone fever (SF)1,2 and heart failure [HF]3–5, celiac disease (CD)12", "SF=stone fever; HF=heart failure; CD=celiac disease"},
		{"stone fever[4] (SF), heart failure (HF[4,5]), celiac disease (CD*), lung scan (LS†)", "SF=stone fever; HF=heart failure; CD=celiac disease; LS=lung scan"},
		{"renal failure (RF)2-year survival, stone fever (SF)5q, heart failure (HF)1234", ""},
		{"heart failure (= HF)", "HF=heart failure"},
		{"heart failure (**HF**), *celiac disease* (_CD_), a **stone fever** (SF)", "HF=heart failure; CD=celiac disease; SF=stone fever"},
		// No long form extends across a clause.
		{"arterial pressure was monitored (APM)", ""},
		{"schizophrenia: eye tracking (SET)", ""},
		{"syndrome de Sjögren (SS) et état (ÉT)", "SS=syndrome de Sjögren; ÉT=état"},
		// Without a bracket.
		{"TGA, or transposition of the great arteries, is rare", "TGA=transposition of the great arteries"},
		{"Transposition of the great arteries, or TGA, is rare", "TGA=Transposition of the great arteries"},
		{"TGA, short for transposition of the great arteries, is", "TGA=transposition of the great arteries"},
		{"MS is short for multiple sclerosis here.", "MS=multiple sclerosis"},
		{"“LVH” stands for left ventricular hypertrophy.", "LVH=left ventricular hypertrophy"},
		{"We define SF as stone fever.", "SF=stone fever"},
		{"We see SF as stone fever.", ""},
		{"SF is defined as stone fever here.", "SF=stone fever"},
		{"PFS was defined as the time to progression.", ""},
		{"We use SF to denote stone fever, and MS denotes multiple sclerosis.", "SF=stone fever; MS=multiple sclerosis"},
		{"SF is an abbreviation for stone fever; MS, the acronym of multiple sclerosis", "SF=stone fever; MS=multiple sclerosis"},
		{"SF is also known as stone fever.", "SF=stone fever"},
		{"stone fever, termed SF, and multiple sclerosis, referred to as MS.", "SF=stone fever; MS=multiple sclerosis"},
		{"stone fever, called SF by some", ""},
		{"SF: stone fever; MS: multiple sclerosis; CT: without contrast, silent CD: celiac disease", "SF=stone fever; MS=multiple sclerosis"},
		{"HTN stands for the hypertension of adults", "HTN=hypertension"}, // not initials
		{"PPIs stand for proton pump inhibitors", "PPIs=proton pump inhibitors"},
		{"left ventricular hypertrophy, hereafter LVH, is", "LVH=left ventricular hypertrophy"},
		{"atopic dermatitis, hereinafter referred to as \"AD\".", "AD=atopic dermatitis"},
		{"celiac disease, abbreviated as CD, and", "CD=celiac disease"},
		{"In asthma, hypertension, henceforth HTN, was", "HTN=hypertension"},
		{"multiple sclerosis (abbreviated MS)", "MS=multiple sclerosis"}, // found once
		{"LVH refers to left ventricular hypertrophy.", "LVH=left ventricular hypertrophy"},
		{"left ventricular hypertrophy, also known as LVH, is", "LVH=left ventricular hypertrophy"},
		{"MS = multiple sclerosis; CD = celiac disease", "MS=multiple sclerosis; CD=celiac disease"},
		{"Abbreviations: SF, stone fever; MS, multiple sclerosis. PPIs, proton pump inhibitors", "SF=stone fever; MS=multiple sclerosis; PPIs=proton pump inhibitors"},
		{"with CT, colonic tumor was", ""},
		{"In MS, many sclerotic plaques", ""},
		// The phrases in other meanings.
		{"n = 5, P = positive, MS = multiple", ""},
		{"atopic dermatitis, or AD patients", ""},
		{"left ventricular hypertrophy, or COPD, is", ""},
		{"CT, or magnetic resonance imaging, was done", ""},
		{"The trial stands for progress; the WHO stands for health.", ""},
		{"Short for his age, hereafter he grew", ""},
		{" stands for ", ""}, {", or ", ""}, {" hereafter ", ""}, {"é short for é", ""},
		// With numbers, after slashes and in names of genes, and counterexamples.
		{"Crohn disease and ulcerative colitis (CD and UC, respectively)", "CD=Crohn disease; UC=ulcerative colitis"},
		{"gout flare, tennis elbow, and runny nose (GF, TE, and RN)", "GF=gout flare; TE=tennis elbow; RN=runny nose"},
		{"systolic and diastolic blood pressure (SBP and DBP)", "DBP=diastolic blood pressure"},
		{"gout flare was seen in tennis elbow (GF and TE)", ""}, // not a list
		{"fever, acute dyspnea (atopic dermatitis, AD)", "AD=atopic dermatitis"},
		{"herpes simplex virus (HSV-1 and HSV-2) was found", "HSV-1=herpes simplex virus; HSV-2=herpes simplex virus"},
		{"In acute kidney injury – AKI – the AKI stage", "AKI=acute kidney injury"},
		{"a flood — stone fever — and AKI – not acute – kidney", ""},
		{"the human telomerase-associated protein (hTEP-1)", "hTEP-1=human telomerase-associated protein"},
		{"of Ngn3/paired box factor 6 (PAX6)", "PAX6=paired box factor 6"},
		{"and tumor necrosis factor alpha (the TNFA gene)", "TNFA=tumor necrosis factor alpha"},
		{"caspases rise when ([Ca2+]i) falls", ""},          // a word continues after the bracket
		{"action potentials (AP)s", "AP=action potentials"}, // except for a plural
		{"the 2:3 bridged compound (2b)", ""},               // a label
		{"Fructose-2,6-bisphosphate (Fru-2,6-P(2))", ""},    // not a list of short forms
		{"the adhesion molecule L1 (L1CAM)", ""},            // two names
		{"one with AO2, one with DTD, and one with an intermediate phenotype (AO2/DTD)", ""},
		{"a beta-lactam and cefoxitin (CB1 and HSV-2)", ""}, // not of one long form
		// Full-width brackets, and long forms in Japanese.
		{"Patients with celiac disease（CD） were seen.", "CD=celiac disease"},
		{"celiac disease （CD）", "CD=celiac disease"},
		{"CD（celiac disease）", "CD=celiac disease"},
		{"慢性閉塞性肺疾患（COPD）の増悪", "COPD=慢性閉塞性肺疾患"},
		{"患者は慢性閉塞性肺疾患(COPD)と診断された", "COPD=慢性閉塞性肺疾患"},
		{"重症のくも膜下出血［SAH］", "SAH=くも膜下出血"},
		{"全身性エリテマトーデス（以下、SLE）とDIC（播種性血管内凝固症候群）", "SLE=全身性エリテマトーデス; DIC=播種性血管内凝固症候群"},
		{"筋萎縮性側索硬化症（amyotrophic lateral sclerosis：ALS）", "ALS=筋萎縮性側索硬化症"},
		{"びまん性大細胞型B細胞リンパ腫（ＤＬＢＣＬ）", "ＤＬＢＣＬ=びまん性大細胞型B細胞リンパ腫"},
		{"胸部（CT）", ""},
		{"胃癌（図1）", ""},
		{"５年前（2018年）に心筋梗塞（前壁）", ""},
		{"高血圧（ＢＰ）（", "ＢＰ=高血圧"},
		{"V（T）", ""},
	} {
		must.Equal(t, strings.Join(definitions(test.text), "; "), test.want, test.text)
	}
}

// TestFindLetters has definitions of capital letters, and counterexamples.
func TestFindLetters(t *testing.T) {
	const body = "17-OH progesterone (P), sodium citrate (C, 4 g) and epinephrine (E; n = 5), but not the small ('S') ones, control (K), " +
		"a (A), GABA (G), Table (2) or (B"
	var got []string
	for _, d := range findLetters(body) {
		got = append(got, d.Short.Of(body)+"="+d.Long.Of(body))
	}
	must.Equal(t, got, []string{"P=progesterone", "C=citrate", "E=epinephrine"})
	e := NewExpander(body)
	for surface, want := range map[string]string{"E": "epinephrine", "E. coli": "E. coli", "vitamin E": "vitamin E", "Ps": "Ps", "K": "K"} {
		if long, expanded := e.Expand(surface, len(body)); long != want || expanded != (long != surface) {
			t.Errorf("%s is %q, %t, want %q", surface, long, expanded, want)
		}
	}
}

// TestFindMED1250 measures precision and recall on the definitions that annotators marked in 1,250 abstracts (Sohn et
// al., "Abbreviation definition identification based on automatic precision estimates", BMC Bioinformatics 2008). The
// published figures are a precision of .96 and a recall of .82 for the program of Schwartz & Hearst, on another 1,000
// abstracts, and .97 and .83 for Ab3P.
func TestFindMED1250(t *testing.T) {
	lines := bufio.NewScanner(fixtures.Unpack(t, "abbrev/MED1250_labeled.gz"))
	lines.Buffer(nil, 1<<20)
	var text strings.Builder
	gold := make(map[string]bool) // of the current abstract
	correct, found, marked := 0, 0, 0
	score := func() {
		got := make(map[string]bool)
		body := text.String()
		all := definitions(body)
		for _, d := range findLetters(body) {
			all = append(all, d.Short.Of(body)+"="+d.Long.Of(body))
		}
		for _, definition := range all {
			got[definition] = true
			if gold[definition] {
				delete(gold, definition)
				correct++
				marked++
			}
		}
		found += len(got)
		marked += len(gold)
		text.Reset()
		clear(gold)
	}
	// A PMID, the title, the abstract, lines "  short|long", an empty line.
	for lines.Scan() {
		line := lines.Text()
		short, long, isPair := strings.Cut(line, "|")
		switch {
		case line == "":
			score()
		case strings.HasPrefix(line, "  ") && isPair:
			gold[strings.TrimSpace(short)+"="+strings.TrimSpace(long)] = true
		default:
			text.WriteString(line + "\n")
		}
	}
	score()
	must.Succeed(t, lines.Err())
	precision, recall := float64(correct)/float64(found), float64(correct)/float64(marked)
	t.Logf("precision %d/%d = %.3f, recall %d/%d = %.3f; published: Schwartz & Hearst .96 and .82, Ab3P .97 and .83",
		correct, found, precision, correct, marked, recall)
	if precision < .965 || recall < .87 {
		t.Errorf("precision is %.3f and recall %.3f, want at least .965 and .87", precision, recall)
	}
}

func TestExpander(t *testing.T) {
	e := NewExpander("Action potentials (APs), acute lymphoblastic leukemia (ALL), ALL (alveolar lining layer), " +
		"type 2 diabetes (T2D) and tumor necrosis factor (TNF), TNF-alpha (tumor necrosis factor-alpha)")
	const second = 61 // where ALL is defined again
	tests := []struct {
		surface string
		at      int
		want    string
	}{
		{"APs", 0, "Action potentials"},
		{"AP", 0, "Action potentials"},
		{"ALL", 0, "acute lymphoblastic leukemia"}, // the first definition
		{"ALL", second - 1, "acute lymphoblastic leukemia"},
		{"ALL", second, "alveolar lining layer"},
		{"ALL", 500, "alveolar lining layer"},
		{"childhood ALL", second - len("childhood "), "childhood alveolar lining layer"},
		{"T-ALL/T2D", 0, "T-acute lymphoblastic leukemia/type 2 diabetes"},
		{"TNF-alpha excess", 0, "tumor necrosis factor-alpha excess"}, // the longer short form
		{"TNF excess", 0, "tumor necrosis factor excess"},
		{"TNFs", 0, "tumor necrosis factor"},
		{"Tumor necrosis factor (TNF) excess", 0, "Tumor necrosis factor excess"},
		{"TNF (tumor necrosis factor) excess", 0, "tumor necrosis factor excess"},
		{"excess (TNF)", 0, "excess (tumor necrosis factor)"},
	}
	for _, test := range tests {
		if got, ok := e.Expand(test.surface, test.at); got != test.want || !ok {
			t.Errorf("Expand(%q) = %q, %t, want %q", test.surface, got, ok, test.want)
		}
	}
	if got, _ := NewExpander("慢性閉塞性肺疾患（COPD）。").Expand("重症COPDの急性増悪、COPDX", 0); got != "重症慢性閉塞性肺疾患の急性増悪、COPDX" {
		t.Errorf("COPD is expanded to %q", got)
	}
	for _, surface := range []string{"", "all", "ALLS", "APsx", "xAP", "leukemia\xff"} {
		if got, ok := e.Expand(surface, 0); got != surface || ok {
			t.Errorf("Expand(%q) = %q, %t, want no change", surface, got, ok)
		}
	}
}

func TestExpandOr(t *testing.T) {
	e := NewExpander("acute lymphoblastic leukemia (ALL)")
	table := map[string]string{"MS": "multiple sclerosis", "ALL": "another", "MS II": "McSherry type II", "É": "été"}
	tests := []struct{ surface, want string }{
		{"ALL", "acute lymphoblastic leukemia"}, // the document's definition comes first
		{"MS", "multiple sclerosis"},
		{"MSs with ALL", "multiple sclerosis with acute lymphoblastic leukemia"},
		{"early MS II", "early McSherry type II"}, // the longer
		{"MSX MS-like", "MSX multiple sclerosis-like"},
		{"É\xffÉs", "été\xffété"},
	}
	for _, test := range tests {
		got, ok := e.ExpandOr(test.surface, 0, func(short string) (string, bool) {
			if len(short) > maxUndefined+1 {
				t.Errorf("asked for %q", short)
			}
			long, ok := table[short]
			return long, ok
		})
		if got != test.want || !ok {
			t.Errorf("ExpandOr(%q) = %q, %t, want %q", test.surface, got, ok, test.want)
		}
	}
}

func FuzzFind(f *testing.F) {
	f.Add("multiple sclerosis (MS)", "MS")
	f.Add("É (ÉÉ [\xffab", "É")
	f.Add("A (a ) (b (c)) ", "")
	f.Fuzz(func(t *testing.T, text, surface string) {
		for _, a := range Find(text) {
			if a.Short.Len() < 2 || a.Long.Len() <= a.Short.Len() || strings.TrimSpace(a.Long.Of(text)) != a.Long.Of(text) {
				t.Errorf("%q: %q is short for %q", text, a.Short.Of(text), a.Long.Of(text))
			}
			if a.Short.Start < a.Long.End && a.Long.Start < a.Short.End {
				t.Errorf("%q: short form %v and long form %v overlap", text, a.Short, a.Long)
			}
		}
		if got, ok := NewExpander(text).Expand(surface, 0); !ok && got != surface {
			t.Errorf("Expand(%q) = %q", surface, got)
		}
	})
}

func TestIsLongForm(t *testing.T) {
	for long, want := range map[string]bool{"multiple sclerosis": true, "early multiple sclerosis": false /* not all of it */, "gout": false} {
		must.Equal(t, IsLongForm("ms", long), want, "long form of ms", long)
	}
}

// TestBracket: the bracket of a definition contains one form, or the result is empty.
func TestBracket(t *testing.T) {
	for body, want := range map[string]string{
		"the celiac disease (CD) is": "(CD)", "the celiac disease(CD)": "(CD)", "the celiac disease [\"CD\"].": "[\"CD\"]",
		"the CD (celiac disease) is": "(celiac disease)", "the celiac disease (CD, 12 cases)": "", "the celiac disease （CD） is": "",
		"(celiac disease, CD) is": "",
	} {
		found := Find(body)
		if len(found) != 1 {
			t.Fatalf("%s: %d definitions", body, len(found))
		}
		bracket, ok := found[0].Bracket(body)
		if got := bracket.Of(body); ok != (want != "") || ok && got != want {
			t.Errorf("%s: %q, %t; want %q", body, got, ok, want)
		}
	}
}
