package matcher

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/kb"
)

func TestTagVariants(t *testing.T) {
	d := dictionary(
		"D1: Liver cancer",
		"D2: Tumor",
		"D3: TNF-alpha | Tumor necrosis factor",
		"D4: α-Thalassemia",
		"D5: T-cell lymphoma",
		"D6: Function test",
		"D7: Drugs",
		"D8: Lead",
		"D9: Anemias, aplastic | Aplastic anemias",
		"D10: IFNγ",
		"D11: Cancer of the breast",
		"D12: Growth spot",
		"D13: Growth spots",
		"D14: Skin rash",
		"D15: Skin rashs", // a misspelling: "skin rashes" is a variant of D14 alone
		"D16: Acute disease syndrome | AIDS",
	)
	tests := []struct {
		raw  string
		want []string
	}{
		{"Liver cancers and liver cancer.", []string{"Liver cancers=[D1]", "liver cancer=[D1]"}},
		{"tumour, tumours, tumors", []string{"tumour=[D2]", "tumours=[D2]", "tumors=[D2]"}},
		{"TNF-α, TNFα, TNF-a, TNF alpha, TNFalpha", []string{"TNF-α=[D3]", "TNFα=[D3]", "TNF-a=[D3]", "TNF alpha=[D3]", "TNFalpha=[D3]"}},
		{"TNF a", nil}, // "TNF a cytokine"
		{"alpha-thalassemia and α thalassaemias", []string{"alpha-thalassemia=[D4]", "α thalassaemias=[D4]"}},
		{"T cell lymphomas", []string{"T cell lymphomas=[D5]"}},
		{"function-test, function test, functiontest", []string{"function-test=[D6]", "function test=[D6]"}},
		{"a drug leads to lead", []string{"lead=[D8]"}}, // neither a class's singular nor a verb
		{"aplastic anemia, aplastic anaemias", []string{"aplastic anemia=[D9]", "aplastic anaemias=[D9]"}},
		{"IFN-gamma, ifn-gamma, IFN-g", []string{"IFN-gamma=[D10]", "IFN-g=[D10]"}}, // an acronym keeps its case
		{"cancers of the breast", []string{"cancers of the breast=[D11]"}},
		{"growth spot, growth spots", []string{"growth spot=[D12]", "growth spots=[D13]"}}, // a name before a variant
		{"acute disease", nil}, // a general term
	}
	tagger := newTestTagger(t, d, DefaultNameFilter())
	for _, test := range tests {
		if diff := cmp.Diff(test.want, show(tagger.Tag(nil, test.raw), test.raw)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.raw, diff)
		}
		checkTags(t, tagger, test.raw)
	}
}

// TestTagJoined has codes whose letters and numbers are joined or apart, and plurals of acronyms.
func TestTagJoined(t *testing.T) {
	d := dictionary("G1: IL6", "G2: HER2", "G3: COVID-19", "G4: BRCA1", "G5: SARS-CoV-2", "G6: CD-4", "G7: MI", "G8: TNF", "G9: brake pad", "G10: IL-12")
	tests := []struct {
		raw  string
		want []string
	}{
		{"IL-6, IL6 and il-6", []string{"IL-6=[G1]", "IL6=[G1]"}},
		{"IL 6 and IL-61", nil}, // a number behind two letters may be any
		{"HER-2, COVID19, COVID 19, BRCA 1", []string{"HER-2=[G2]", "COVID19=[G3]", "COVID 19=[G3]", "BRCA 1=[G4]"}},
		{"SARS CoV2, SARS-CoV2, CD4, IL12, IL-1 2", []string{"SARS CoV2=[G5]", "SARS-CoV2=[G5]", "CD4=[G6]", "IL12=[G10]"}},
		{"MIs, TNFs, MIS, mis", []string{"MIs=[G7]", "TNFs=[G8]"}},
		{"brake pads", []string{"brake pads=[G9]"}},
	}
	tagger := newTestTagger(t, d, DefaultNameFilter())
	for _, test := range tests {
		if diff := cmp.Diff(test.want, show(tagger.Tag(nil, test.raw), test.raw)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.raw, diff)
		}
	}
}

// TestTagLongVowels has the ways in which the mark of a long vowel is written between Katakana, and names without the
// last one.
func TestTagLongVowels(t *testing.T) {
	tagger := newTestTagger(t, dictionary("J1: パーキンソン病", "J2: アルツハイマー病",
		"J3: インターフェロン-アルファ", "J4: アレルギー性鼻炎", "J5: サブスタンスP", "J6: アレルギー"), DefaultNameFilter())
	raw := "パ－キンソン病、パ−キンソン病、パ―キンソン病、ﾊﾟ-ｷﾝｿﾝ病、ﾊﾟｰｷﾝｿﾝ病、アルツハイマ病、インターフェロン-アルファ、" +
		"アレルギ－性鼻炎、ｱﾚﾙｷﾞ―性鼻炎、アレルギ－、アレルギ－の、サブスタンス－P、アレルギ－－"
	want := []string{
		"パ－キンソン病=[J1]", "パ−キンソン病=[J1]", "パ―キンソン病=[J1]", "ﾊﾟ-ｷﾝｿﾝ病=[J1]", "ﾊﾟｰｷﾝｿﾝ病=[J1]", "アルツハイマ病=[J2]", "インターフェロン-アルファ=[J3]",
		"アレルギ－性鼻炎=[J4]", "ｱﾚﾙｷﾞ―性鼻炎=[J4]", "アレルギ－=[J6]", "アレルギ－=[J6]", "アレルギ=[J6]",
	}
	if diff := cmp.Diff(want, show(tagger.Tag(nil, raw), raw)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestTagJapaneseSpellings has names with other characters, and with numbers in digits, Roman numerals and Kanji.
func TestTagJapaneseSpellings(t *testing.T) {
	tagger := newTestTagger(t, dictionary("J1: ウイルス性肝炎", "J2: 2型糖尿病", "J3: 頚椎症", "J4: 胃癌"), DefaultNameFilter())
	raw := "ウィルス性肝炎、Ⅱ型糖尿病、２型糖尿病、二型糖尿病、II型糖尿病、1型糖尿病、頸椎症、胃がん"
	want := []string{
		"ウィルス性肝炎=[J1]", "Ⅱ型糖尿病=[J2]", "２型糖尿病=[J2]", "二型糖尿病=[J2]", "II型糖尿病=[J2]", "頸椎症=[J3]", "胃がん=[J4]",
	}
	if diff := cmp.Diff(want, show(tagger.Tag(nil, raw), raw)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestTagJapaneseGreek has Greek letters beside Japanese characters, as letters, by their names, and in half-width
// Katakana.
func TestTagJapaneseGreek(t *testing.T) {
	d := dictionary(
		"D1: βサラセミア",
		"D2: インターフェロンα",
		"D3: TNF-α阻害薬",
		"D4: α1-アンチトリプシン欠損症",
		"D5: ガンマ線",
		"D6: アルファ波",
		"D7: タウリン",
		"D8: デルタ", // a letter alone has no variants
	)
	tests := []struct {
		raw  string
		want []string
	}{
		{"βサラセミア、β-サラセミア、ベータサラセミアとﾍﾞｰﾀｻﾗｾﾐｱ", []string{"βサラセミア=[D1]", "β-サラセミア=[D1]", "ベータサラセミア=[D1]", "ﾍﾞｰﾀｻﾗｾﾐｱ=[D1]"}},
		{"αサラセミア、Βサラセミア", []string{"Βサラセミア=[D1]"}}, // a capital beta
		{"インターフェロンアルファ、インターフェロン アルファ、インターフェロン-α", []string{"インターフェロンアルファ=[D2]", "インターフェロン アルファ=[D2]", "インターフェロン-α=[D2]"}},
		{"インターフェロン-aとインターフェロン a群", []string{"インターフェロン-a=[D2]"}},
		{"TNFα阻害薬、ＴＮＦ－α阻害薬、TNFアルファ阻害薬", []string{"TNFα阻害薬=[D3]", "ＴＮＦ－α阻害薬=[D3]", "TNFアルファ阻害薬=[D3]"}},
		{"TNF-アルファ阻害薬", []string{"TNF-アルファ阻害薬=[D3]"}},
		{"α1アンチトリプシン欠損症とアルファ1-アンチトリプシン欠損症", []string{"α1アンチトリプシン欠損症=[D4]", "アルファ1-アンチトリプシン欠損症=[D4]"}},
		{"γ線", []string{"γ線=[D5]"}},
		{"α波、α", []string{"α波=[D6]"}},
		{"τリン酸化、δ", nil},
		{"インターフェロン、α遮断薬、インターフェロン・アルファ", []string{"インターフェロン・アルファ=[D2]"}},
	}
	tagger := newTestTagger(t, d, DefaultNameFilter())
	for _, test := range tests {
		if diff := cmp.Diff(test.want, show(tagger.Tag(nil, test.raw), test.raw)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.raw, diff)
		}
		checkTags(t, tagger, test.raw)
	}
}

// TestAmbiguousVariants has forms that are variants of names of two concepts.
func TestAmbiguousVariants(t *testing.T) {
	d := dictionary("D1: Oedema", "D2: Edemas", "D3: Gout attack", "D4: Ulcers of skin", "D4: Ulcer of skin")
	tagger := newTestTagger(t, d, DefaultNameFilter())
	raw := "oedema, edemas, edema, oedemas, gout attacks"
	want := []string{"oedema=[D1]", "edemas=[D2]", "gout attacks=[D3]"}
	if diff := cmp.Diff(want, show(tagger.Tag(nil, raw), raw)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestManyVariants compares the variants of more names than are made at once with those that a dull rule chooses: of
// each name in turn, the first variant of a form whose names all have the same concepts, and that is no name.
func TestManyVariants(t *testing.T) {
	const names = 3 * 6000
	entries := make([]nameEntry, names)
	for i := range entries {
		concept := kb.ConceptID(fmt.Sprint("D", i%(names/2)))
		number := i % (names / 3) // so that one number is a tumor, a tumour and tumors, of different concepts
		word := []string{"tumor", "tumour", "beta tumors"}[i*3/names]
		entries[i] = nameEntry{name: fmt.Sprintf("%s of organ %d", word, number), concepts: []kb.ConceptID{concept}}
	}
	byForm := make(map[string][]variant)
	var forms []string
	isName := make(map[string]bool)
	for i := range entries {
		isName[entries[i].name] = true
		for _, v := range entries[i].variants(int32(i), nil) {
			if byForm[v.form] == nil {
				forms = append(forms, v.form)
			}
			byForm[v.form] = append(byForm[v.form], v)
		}
	}
	var want []variant
	for _, form := range forms {
		all := byForm[form]
		differ := slices.ContainsFunc(all, func(v variant) bool {
			return !slices.Equal(entries[v.entry].concepts, entries[all[0].entry].concepts)
		})
		if !isName[form] && !differ {
			want = append(want, all[0])
		}
	}
	got := findVariants(NameFilter{}, entries)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %d variants, want %d", len(got), len(want))
	}
	if len(want) < names/4 || len(want) == len(forms) {
		t.Errorf("%d of %d forms are wanted: the test shows too little", len(want), len(forms))
	}
}

func TestNoVariants(t *testing.T) {
	filter := DefaultNameFilter()
	filter.Variants = false
	tagger := newTestTagger(t, dictionary("D1: Liver cancer"), filter)
	if got := tagger.Tag(nil, "liver cancers"); got != nil {
		t.Errorf("got %v without variants", got)
	}
}
