package matcher

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTagJapanese(t *testing.T) {
	d := dictionary(
		"D1: 癌 | がん | ガン",
		"D2: 胃癌 | 胃がん",
		"D3: 糖尿病",
		"D4: ２型糖尿病 | Ⅱ型糖尿病",
		"D5: 肺炎",
		"D6: めまい",
		"D7: うつ",
		"D8: インフルエンザ",
		"D9: 咳",
		"D10: 糖尿病性網膜症",
		"D11: HIV感染症",
		"D12: 痔",
		"D13: を",
	)
	tests := []struct {
		raw  string
		want []string
	}{
		{"胃癌と診断した。", []string{"胃癌=[D2]"}},
		{"胃がんは、がんの一種である", []string{"胃がん=[D2]", "がん=[D1]"}},
		{"癌の既往", []string{"癌=[D1]"}},
		{"肺癌", nil}, // a kanji in a longer word
		{"発癌性", nil},
		{"痔瘻を認めた", nil},
		{"痔を認めた", []string{"痔=[D12]"}},
		{"咳、痰", []string{"咳=[D9]"}},
		{"スローガン", nil},
		{"ガンマ線、ガン", []string{"ガン=[D1]"}},
		{"がんばる", nil},
		{"激しいめまいがある", []string{"めまい=[D6]"}},
		{"めまいあり", []string{"めまい=[D6]"}},
		{"うつる、うつ状態", []string{"うつ=[D7]"}},
		{"インフルエンザウイルス", nil},
		{"インフルエンザの流行", []string{"インフルエンザ=[D8]"}},
		{"糖尿病患者", []string{"糖尿病=[D3]"}},
		{"糖尿病性網膜症", []string{"糖尿病性網膜症=[D10]"}},
		{"2型糖尿病、ＩＩ型糖尿病、Ⅱ型糖尿病", []string{"2型糖尿病=[D4]", "ＩＩ型糖尿病=[D4]", "Ⅱ型糖尿病=[D4]"}},
		{"肺炎球菌による肺炎", []string{"肺炎=[D5]"}},
		{"ＨＩＶ感染症とhiv感染症", []string{"ＨＩＶ感染症=[D11]", "hiv感染症=[D11]"}},
	}
	tagger := newTestTagger(t, d, DefaultNameFilter())
	for _, test := range tests {
		if diff := cmp.Diff(test.want, show(tagger.Tag(nil, test.raw), test.raw)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.raw, diff)
		}
		checkTags(t, tagger, test.raw)
	}
}
