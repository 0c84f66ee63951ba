package lexical

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
)

// splitUnspaced is [SplitComposite] for a mention in Japanese, without spaces between its words:
//
//	胃癌及び大腸癌           胃癌 · 大腸癌
//	急性または慢性腎不全     急性腎不全 · 慢性腎不全
//	肝・腎機能障害           肝機能障害 · 腎機能障害
//	１型・２型糖尿病         １型糖尿病 · ２型糖尿病
//	B型及びC型肝炎           B型肝炎 · C型肝炎
//	悪心、嘔吐               悪心 · 嘔吐
//
// A member that does not end in a word for a disease takes what follows the modifier of the last member: after the
// character that ends both modifiers (性, 型), or else the longest such word that the last member ends in. ok is
// false if the mention is not Japanese.
func splitUnspaced(surface string) (names []string, ok bool) {
	if !strings.ContainsFunc(surface, normalize.IsUnspacedScript) {
		return nil, false
	}
	members := unspacedConjuncts(surface)
	if len(members) < 2 {
		return nil, true
	}
	last := members[len(members)-1]
	for i, member := range members[:len(members)-1] {
		if unspacedHead(member) == "" {
			members[i] = member + sharedHead(member, last)
		}
	}
	return members, true
}

// unspacedConjunctions join the members of a list. と and や join them only beside
// a character that is not Hiragana, since they may be part of a word.
var unspacedConjunctions = strings.Fields("及び および 並びに ならびに または 又は もしくは 若しくは あるいは 或いは 、 ， ・ ･ と や ／")

// unspacedConjuncts returns the members of a list, and nil if one would be empty.
func unspacedConjuncts(surface string) []string {
	var members []string
	start := 0
	for at := 0; at < len(surface); {
		size := unspacedConjunction(surface, at)
		if size == 0 {
			_, size = utf8.DecodeRuneInString(surface[at:])
			at += size
			continue
		}
		member := strings.TrimSpace(surface[start:at])
		if member == "" && len(members) == 0 {
			return nil
		}
		if member != "" { // "、及び" is one conjunction
			members = append(members, member)
		}
		at += size
		start = at
	}
	last := strings.TrimSpace(surface[start:])
	if last == "" {
		return nil
	}
	return append(members, last)
}

// unspacedConjunction returns the length of the conjunction at surface[at:], or 0.
func unspacedConjunction(surface string, at int) int {
	for _, word := range unspacedConjunctions {
		if !strings.HasPrefix(surface[at:], word) {
			continue
		}
		before, _ := utf8.DecodeLastRuneInString(surface[:at])
		after, _ := utf8.DecodeRuneInString(surface[at+len(word):])
		switch word {
		case "と", "や":
			if unicode.Is(unicode.Hiragana, before) && unicode.Is(unicode.Hiragana, after) {
				return 0 // part of a word: ひとみ
			}
		case "・", "･":
			if unicode.Is(unicode.Katakana, before) && unicode.Is(unicode.Katakana, after) || before == 'ー' {
				return 0 // within a name: ギラン・バレー症候群
			}
		}
		return len(word)
	}
	return 0
}

// sharedHead returns the words of the last member that an earlier one needs.
func sharedHead(member, last string) string {
	ends, size := utf8.DecodeLastRuneInString(member)
	if strings.ContainsRune("性型側期発", ends) {
		if i := strings.IndexRune(last, ends); i >= 0 && i+size < len(last) {
			return last[i+size:]
		}
	}
	if i := strings.IndexRune(last, '型'); i >= 0 && normalize.CountWordRunes(member) == 1 &&
		!strings.ContainsFunc(member, normalize.IsUnspacedScript) {
		return last[i:] // B・C型肝炎
	}
	return unspacedHead(last)
}

// unspacedHead returns the longest word for a disease that a name ends in, "" if there is none. A name that is
// nothing else has a head, too.
func unspacedHead(name string) string {
	head := ""
	for _, word := range unspacedHeads {
		if len(word) > len(head) && strings.HasSuffix(name, word) {
			head = word
		}
	}
	return head
}

// unspacedHeads are the words that Japanese names of diseases and symptoms end in.
var unspacedHeads = strings.Fields(`
癌 がん ガン 腫瘍 腫瘤 腫 瘤 肉腫 リンパ腫 潰瘍 炎 症 病 症候群 障害 機能障害 運動障害 機能低下 低下 機能亢進 亢進 不全 機能不全 骨折 出血 梗塞 塞栓 血栓
結石 狭窄 閉塞 閉鎖 感染 麻痺 拘縮 変形 損傷 外傷 膿瘍 結核 痛 疼痛 不整脈 細動 頻拍 脱臼 捻挫 水腫 浮腫 腫大 肥大 萎縮 壊死 穿孔 転移 奇形 欠損 貧血 高血圧
低血圧 糖尿 血尿 下血 吐血 便秘 下痢 嘔吐 悪心 嘔気 発熱 咳 咳嗽 痰 頭痛 めまい しびれ 失神 痙攣 けいれん てんかん 発作 喘息 ヘルニア ポリープ
アレルギー 中毒 依存 不眠 白内障 緑内障 剥離 黄疸 腹水 胸水 倦怠感 不振 困難 減少 増多 増加 疹 湿疹 紅斑 脱毛 心不全 腎不全 瘻 痔 風
`)
