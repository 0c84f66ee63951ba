package abbrev

import (
	"bufio"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/realdata"
	"github.com/ctxnorm/ctxnorm/text"
)

// definitions returns the definitions in a text as "short=long".
func definitions(text string) []string {
	var all []string
	for _, a := range Find(text) {
		all = append(all, a.Short.Of(text)+"="+a.Long.Of(text))
	}
	return all
}

// TestFindStated has definitions without a bracket.
func TestFindStated(t *testing.T) {
	tests := []struct {
		text string
		want []string
	}{
		{"TGA, or transposition of the great arteries, is rare", []string{"TGA=transposition of the great arteries"}},
		{"Transposition of the great arteries, or TGA, is rare", []string{"TGA=Transposition of the great arteries"}},
		{"TGA, short for transposition of the great arteries, is", []string{"TGA=transposition of the great arteries"}},
		{"MS is short for multiple sclerosis here.", []string{"MS=multiple sclerosis"}},
		{"“LVH” stands for left ventricular hypertrophy.", []string{"LVH=left ventricular hypertrophy"}},
		{"We define SF as stone fever.", []string{"SF=stone fever"}},
		{"We see SF as stone fever.", nil},
		{"SF is defined as stone fever here.", []string{"SF=stone fever"}},
		{"PFS was defined as the time to progression.", nil},
		{"We use SF to denote stone fever, and MS denotes multiple sclerosis.", []string{"SF=stone fever", "MS=multiple sclerosis"}},
		{"SF is an abbreviation for stone fever; MS, the acronym of multiple sclerosis", []string{"SF=stone fever", "MS=multiple sclerosis"}},
		{"SF is also known as stone fever.", []string{"SF=stone fever"}},
		{"stone fever, termed SF, and multiple sclerosis, referred to as MS.", []string{"SF=stone fever", "MS=multiple sclerosis"}},
		{"stone fever, called SF by some", nil},
		{"SF: stone fever; MS: multiple sclerosis; CT: without contrast, silent CD: celiac disease", []string{"SF=stone fever", "MS=multiple sclerosis"}},
		{"HTN stands for the hypertension of adults", []string{"HTN=hypertension"}}, // no initials
		{"PPIs stand for proton pump inhibitors", []string{"PPIs=proton pump inhibitors"}},
		{"left ventricular hypertrophy, hereafter LVH, is", []string{"LVH=left ventricular hypertrophy"}},
		{"atopic dermatitis, hereinafter referred to as \"AD\".", []string{"AD=atopic dermatitis"}},
		{"celiac disease, abbreviated as CD, and", []string{"CD=celiac disease"}},
		{"In asthma, hypertension, henceforth HTN, was", []string{"HTN=hypertension"}},
		{"multiple sclerosis (abbreviated MS)", []string{"MS=multiple sclerosis"}}, // once
		{"LVH refers to left ventricular hypertrophy.", []string{"LVH=left ventricular hypertrophy"}},
		{"left ventricular hypertrophy, also known as LVH, is", []string{"LVH=left ventricular hypertrophy"}},
		{"MS = multiple sclerosis; CD = celiac disease", []string{"MS=multiple sclerosis", "CD=celiac disease"}},
		{"Abbreviations: SF, stone fever; MS, multiple sclerosis. PPIs, proton pump inhibitors", []string{"SF=stone fever", "MS=multiple sclerosis", "PPIs=proton pump inhibitors"}},
		{"with CT, colonic tumor was", nil},
		{"In MS, many sclerotic plaques", nil},
		// What the phrases mean elsewhere.
		{"n = 5, P = positive, MS = multiple", nil},
		{"atopic dermatitis, or AD patients", nil},
		{"left ventricular hypertrophy, or COPD, is", nil},
		{"CT, or magnetic resonance imaging, was done", nil},
		{"The trial stands for progress; the WHO stands for health.", nil},
		{"Short for his age, hereafter he grew", nil},
		{" stands for ", nil}, {", or ", nil}, {" hereafter ", nil}, {"é short for é", nil},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.want, definitions(test.text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.text, diff)
		}
	}
}

// TestFindStatedIsLinear has texts of 1 MB that consist of phrases and of words that introduce a short form.
func TestFindStatedIsLinear(t *testing.T) {
	for _, s := range []string{" hereafter", ", or AB", " abbreviated as", " short for", "AB = A", " AB stands for A B"} {
		begin := time.Now()
		Find(strings.Repeat(s, 1<<20/len(s)))
		if took := time.Since(begin); took > 20*time.Second {
			t.Errorf("%q: %v", s, took)
		}
	}
}

func TestFind(t *testing.T) {
	tests := []struct {
		text string
		want []string
	}{
		{"", nil},
		{"in (atopic dermatitis, AD) and (e.g. stone fever, \"SF\")", []string{"AD=atopic dermatitis", "SF=stone fever"}},
		{"(age 5, MS) (stone fever, sf)", nil},
		{"type II diabetes mellitus (T2DM), type I (T1), vitamin (V5)", []string{"T2DM=type II diabetes mellitus", "T1=type I"}},
		{"a case of multiple sclerosis (MS).", []string{"MS=multiple sclerosis"}},
		{"MS (multiple sclerosis) is", []string{"MS=multiple sclerosis"}},
		{"heat shock transcription factor (HSF)", []string{"HSF=heat shock transcription factor"}}, // the paper's
		{"acquired immunodeficiency syndrome [AIDS]", []string{"AIDS=acquired immunodeficiency syndrome"}},
		{"Magnetic resonance imaging (MRI; 3T)", []string{"MRI=Magnetic resonance imaging"}},
		{"tumor necrosis factor-α (TNF-α)", []string{"TNF-α=tumor necrosis factor-α"}},
		{"the\u00a0electroencephalogram (EEG)", []string{"EEG=electroencephalogram"}}, // white space of two bytes
		{"a high risk (body mass index [BMI] over 30)", []string{"BMI=body mass index"}},
		{"in patients. The large cell (MLC)", nil}, // nothing begins with M in this sentence
		{"blood pressure (120 mm) and rate (n = 5), fibres (three)", nil},
		{"stage IV (see table)", nil},
		{"type (A) and (B", nil},
		{"one (", nil},
		{")(", nil},
		{"CT (CT)", nil},
		// Matched by initials, where the shortest long form would differ.
		{"proton pump inhibitors (PPIs)", []string{"PPIs=proton pump inhibitors"}}, // not "pump inhibitors"
		{"the International Index of Erectile Function (IIEF)", []string{"IIEF=International Index of Erectile Function"}},
		{"non-high-density lipoprotein (HDL)", []string{"HDL=high-density lipoprotein"}},
		{"multiple myelomas (MM)", []string{"MM=multiple myelomas"}},
		{"Myotonic dystrophy (DM) is", []string{"DM=Myotonic dystrophy"}},
		{"myotonic dystrophy (dm)", nil}, // initials in another order need capitals
		{"Thomsen myotonic dystrophy (DMX)", nil},
		// No long form begins in a function word.
		{"transposition of the great arteries (TGA)", []string{"TGA=transposition of the great arteries"}},
		{"with anxiety and depression (AD)", []string{"AD=anxiety and depression"}},
		{"ossification of the posterior longitudinal ligament (OPLL)", []string{"OPLL=ossification of the posterior longitudinal ligament"}},
		{"transient tachypnea of the newborn (TTN)", []string{"TTN=transient tachypnea of the newborn"}},
		{"time to treatment failure (TTF)", []string{"TTF=time to treatment failure"}},
		{"Australian and New Zealand Clinical Trials Registry (ANZCTR)", []string{"ANZCTR=Australian and New Zealand Clinical Trials Registry"}},
		{"after in vitro fertilization (IVF)", []string{"IVF=in vitro fertilization"}},
		{"the quality of life (QOL)", []string{"QOL=quality of life"}},
		{"The Cancer Genome Atlas (TCGA)", []string{"TCGA=The Cancer Genome Atlas"}}, // but where the initials say so
		{"a gain of the aorta (TAO)", nil},
		{"a term, by the aorta (TAO)", nil},
		{"psoralen, plus UVA irradiation (PUVA), or their seven newborns (Trsen)", nil},
		// Digits for words, and words without the digit.
		{"two-dimensional (2D), a six-repetition maximum (6-RM), the second molt (2M)", []string{"2D=two-dimensional", "6-RM=six-repetition maximum", "2M=second molt"}},
		{"square roots (SR-1), by partial least squares (PLS-1)", []string{"PLS-1=partial least squares"}},
		{"the 9-item Patient Health Questionnaire (PHQ-9)", []string{"PHQ-9=9-item Patient Health Questionnaire"}},
		{"the Patient Health Questionnaire (PHQ-9) of 19-item Patient Health Questionnaire (PHQ-9)", []string{"PHQ-9=Patient Health Questionnaire", "PHQ-9=Patient Health Questionnaire"}},
		// An index stands behind what it belongs to, and before it in words.
		{"low ambient temperature (Ta), skin temperature (Ts), tidal volume (V(T))", []string{"Ta=ambient temperature", "V(T)=tidal volume"}},
		{"low ambient temperature (Tb), low tidal volume (Qt)", nil},
		{"transepithelial resistance (Rt) and current clamp (Cc)", []string{"Rt=transepithelial resistance", "Cc=current clamp"}},
		// Brackets without a space, numbers of enzymes, names of chemicals.
		{"clozapine(CLP), CD40 ligand(CD40L), poly(PA), I(is)", []string{"CLP=clozapine", "CD40L=CD40 ligand"}},
		{"superoxide dismutase (EC 1.15.1.1; SOD), stone fever (n = 5; SF)", []string{"SOD=superoxide dismutase"}},
		{"1,25-dihydroxy vitamin D (1,25-DVD), stone fever (SF,n=5)", []string{"1,25-DVD=1,25-dihydroxy vitamin D", "SF=stone fever"}},
		{"alpha-amino-3-hydroxy-5-methyl-4-isoxazolepropionic acid (AMPA)", []string{"AMPA=alpha-amino-3-hydroxy-5-methyl-4-isoxazolepropionic acid"}},
		{"(posttransplant lymphoproliferative disorder, PTLD)", []string{"PTLD=posttransplant lymphoproliferative disorder"}},
		{"of [3H]prazosin and others (3H)", nil},
		{"is rare.\n  In stone fever (ISF)", []string{"ISF=In stone fever"}},
		{"in renal. \nFailure (RF)", nil},
		// In quotation marks, and after words that introduce it.
		{`Left ventricular hypertrophy ("LVH") is`, []string{"LVH=Left ventricular hypertrophy"}},
		{"heart failure (“HF”) and kidney failure ('KF')", []string{"HF=heart failure", "KF=kidney failure"}},
		{`"heart failure" (HF), HF ("heart failure")`, []string{"HF=heart failure", "HF=heart failure"}},
		{"heart failure («HF,» 12 cases)", []string{"HF=heart failure"}},
		{"heart failure (hereafter HF)", []string{"HF=heart failure"}},
		{"heart failure (hereafter referred to as 'HF')", []string{"HF=heart failure"}},
		{"heart failure (abbreviated as HF)", []string{"HF=heart failure"}},
		{"heart failure (i.e., HF)", []string{"HF=heart failure"}},
		{"heart failure (or HF)", []string{"HF=heart failure"}},
		{"heart failure (HF for short)", []string{"HF=heart failure"}},
		{"internal energy (i.e.), ill eyes (ie)", nil},
		// With marks of citations and footnotes.
		{"stone fever (SF)1,2 and heart failure [HF]3–5, celiac disease (CD)12", []string{"SF=stone fever", "HF=heart failure", "CD=celiac disease"}},
		{"stone fever[4] (SF), heart failure (HF[4,5]), celiac disease (CD*), lung scan (LS†)", []string{"SF=stone fever", "HF=heart failure", "CD=celiac disease", "LS=lung scan"}},
		{"renal failure (RF)2-year survival, stone fever (SF)5q, heart failure (HF)1234", nil},
		{"heart failure (= HF)", []string{"HF=heart failure"}},
		{"heart failure (**HF**), *celiac disease* (_CD_), a **stone fever** (SF)", []string{"HF=heart failure", "CD=celiac disease", "SF=stone fever"}},
		// No long form extends over a clause.
		{"arterial pressure was monitored (APM)", nil},
		{"schizophrenia: eye tracking (SET)", nil},
		{"syndrome de Sjögren (SS) et état (ÉT)", []string{"SS=syndrome de Sjögren", "ÉT=état"}},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.want, definitions(test.text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.text, diff)
		}
	}
}

// Definitions by numbers, behind slashes and in names of genes, and what is none.
func TestFindNumbered(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string
	}{
		{"herpes simplex virus (HSV-1 and HSV-2) was found", []string{"HSV-1=herpes simplex virus", "HSV-2=herpes simplex virus"}},
		{"In acute kidney injury – AKI – the AKI stage", []string{"AKI=acute kidney injury"}},
		{"a flood — stone fever — and AKI – not acute – kidney", nil},
		{"the human telomerase-associated protein (hTEP-1)", []string{"hTEP-1=human telomerase-associated protein"}},
		{"of Ngn3/paired box factor 6 (PAX6)", []string{"PAX6=paired box factor 6"}},
		{"and tumor necrosis factor alpha (the TNFA gene)", []string{"TNFA=tumor necrosis factor alpha"}},
		{"caspases rise when ([Ca2+]i) falls", nil},                   // a word goes on behind the bracket
		{"action potentials (AP)s", []string{"AP=action potentials"}}, // but for a plural
		{"the 2:3 bridged compound (2b)", nil},                        // a label
		{"Fructose-2,6-bisphosphate (Fru-2,6-P(2))", nil},             // no list of short forms
		{"the adhesion molecule L1 (L1CAM)", nil},                     // two names
		{"a beta-lactam and cefoxitin (CB1 and HSV-2)", nil},          // not of one long form
	} {
		if diff := cmp.Diff(test.want, definitions(test.text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.text, diff)
		}
	}
}

func TestFindLetters(t *testing.T) {
	const body = "17-OH progesterone (P), sodium citrate (C, 4 g) and epinephrine (E; n = 5), but not the small ('S') ones, control (K), " +
		"a (A), GABA (G), Table (2) or (B"
	var got []string
	for _, d := range findLetters(body) {
		got = append(got, d.Short.Of(body)+"="+d.Long.Of(body))
	}
	if diff := cmp.Diff([]string{"P=progesterone", "C=citrate", "E=epinephrine"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	e := NewExpander(body)
	for surface, want := range map[string]string{"E": "epinephrine", "E. coli": "E. coli", "vitamin E": "vitamin E", "Ps": "Ps", "K": "K"} {
		if long, expanded := e.Expand(surface, len(body)); long != want || expanded != (long != surface) {
			t.Errorf("%s is %q, %t, want %q", surface, long, expanded, want)
		}
	}
}

// TestFindMED1250 measures precision and recall on the definitions that annotators
// marked in 1,250 abstracts (Sohn et al., "Abbreviation definition identification based
// on automatic precision estimates", BMC Bioinformatics 2008). The published figures
// are a precision of .96 and a recall of .82 for the program of Schwartz & Hearst, on
// another 1,000 abstracts, and .97 and .83 for Ab3P.
func TestFindMED1250(t *testing.T) {
	lines := bufio.NewScanner(realdata.Unpack(t, "abbrev/MED1250_labeled.gz"))
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
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
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
		{"excess (TNF)", 0, "excess (tumor necrosis factor)"},
	}
	for _, test := range tests {
		if got, ok := e.Expand(test.surface, test.at); got != test.want || !ok {
			t.Errorf("Expand(%q) = %q, %t, want %q", test.surface, got, ok, test.want)
		}
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

// TestExpandOrAsksForWords: what is asked for begins with a word of the mention, not within one.
func TestExpandOrAsksForWords(t *testing.T) {
	var asked []string
	new(Expander).ExpandOr("GMS", 0, func(short string) (string, bool) {
		asked = append(asked, short)
		return "", false
	})
	if diff := cmp.Diff([]string{"GMS"}, asked); diff != "" {
		t.Errorf("asked for (-want +got):\n%s", diff)
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
	tests := []struct {
		short, long string
		want        bool
	}{
		{"ms", "multiple sclerosis", true},
		{"ms", "early multiple sclerosis", false}, // not all of it
		{"ms", "gout", false},
	}
	for _, test := range tests {
		if got := IsLongForm(test.short, test.long); got != test.want {
			t.Errorf("IsLongForm(%q, %q) = %t, want %t", test.short, test.long, got, test.want)
		}
	}
}

func BenchmarkFind(b *testing.B) {
	texts, size := realdata.BenchTexts(b)
	b.SetBytes(size)
	for b.Loop() {
		for _, text := range texts {
			Find(text)
		}
	}
}

func TestFindFullWidth(t *testing.T) {
	tests := []struct {
		body string
		want []string // "short = long"
	}{
		{"Patients with celiac disease（CD） were seen.", []string{"CD = celiac disease"}},
		{"celiac disease （CD）", []string{"CD = celiac disease"}},
		{"CD（celiac disease）", []string{"CD = celiac disease"}},
		{"慢性閉塞性肺疾患（COPD）の増悪", []string{"COPD = 慢性閉塞性肺疾患"}},
		{"患者は慢性閉塞性肺疾患(COPD)と診断された", []string{"COPD = 慢性閉塞性肺疾患"}},
		{"重症のくも膜下出血［SAH］", []string{"SAH = くも膜下出血"}},
		{"全身性エリテマトーデス（以下、SLE）とDIC（播種性血管内凝固症候群）", []string{"SLE = 全身性エリテマトーデス", "DIC = 播種性血管内凝固症候群"}},
		{"筋萎縮性側索硬化症（amyotrophic lateral sclerosis：ALS）", []string{"ALS = 筋萎縮性側索硬化症"}},
		{"びまん性大細胞型B細胞リンパ腫（ＤＬＢＣＬ）", []string{"ＤＬＢＣＬ = びまん性大細胞型B細胞リンパ腫"}},
		{"胸部（CT）", nil},
		{"胃癌（図1）", nil},
		{"５年前（2018年）に心筋梗塞（前壁）", nil},
		{"高血圧（ＢＰ）（", []string{"ＢＰ = 高血圧"}},
		{"V（T）", nil},
	}
	for _, test := range tests {
		var got []string
		for _, d := range Find(test.body) {
			got = append(got, d.Short.Of(test.body)+" = "+d.Long.Of(test.body))
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.body, diff)
		}
	}
}

func TestExpandJapanese(t *testing.T) {
	e := NewExpander("慢性閉塞性肺疾患（COPD）。")
	for surface, want := range map[string]string{
		"COPDの急性増悪": "慢性閉塞性肺疾患の急性増悪", "重症COPD": "重症慢性閉塞性肺疾患", "COPDX": "COPDX",
	} {
		if got, _ := e.Expand(surface, 0); got != want {
			t.Errorf("Expand(%q) = %q, want %q", surface, got, want)
		}
	}
}

// TestBracket: the bracket of a definition holds one form, or is none.
func TestBracket(t *testing.T) {
	for _, test := range []struct{ text, short, long, want string }{
		{"the celiac disease (CD) is", "CD", "celiac disease", "(CD)"},
		{"the celiac disease(CD)", "CD", "celiac disease", "(CD)"},
		{"the celiac disease [\"CD\"].", "CD", "celiac disease", "[\"CD\"]"},
		{"the CD (celiac disease) is", "CD", "celiac disease", "(celiac disease)"},
		{"the celiac disease (CD is", "CD", "celiac disease", ""},
		{"the celiac disease, CD) is", "CD", "celiac disease", ""},
		{"the celiac disease (CD]", "CD", "celiac disease", ""},
		{"the celiac disease （CD） is", "CD", "celiac disease", ""},
		{"the CD disease", "CD", "CD disease", ""},
	} {
		spanOf := func(s string) text.Span {
			at := strings.Index(test.text, s)
			return text.Span{Start: at, End: at + len(s)}
		}
		bracket, ok := Definition{Short: spanOf(test.short), Long: spanOf(test.long)}.Bracket(test.text)
		if got := bracket.Of(test.text); got != test.want || ok != (test.want != "") {
			t.Errorf("%s: %q, %t; want %q", test.text, got, ok, test.want)
		}
	}
}
