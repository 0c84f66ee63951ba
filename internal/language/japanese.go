package language

import "strings"

// Japanese has the rules of a language without spaces; the names of Greek letters in Katakana are in package normalize.
var Japanese = Language{
	Name:         "Japanese",
	Placeholders: words("なし 不明 無し 未記入 未定"),
	Unspaced: Unspaced{
		Conjunctions: strings.Fields("及び および 並びに ならびに または 又は もしくは 若しくは あるいは 或いは 、 ， ・ ･ と や ／"),
		DiseaseNouns: strings.Fields(`
癌 がん ガン 腫瘍 腫瘤 腫 瘤 肉腫 リンパ腫 潰瘍 炎 症 病 症候群 障害 機能障害 運動障害 機能低下 低下 機能亢進 亢進 不全 機能不全 骨折 出血 梗塞 塞栓 血栓
結石 狭窄 閉塞 閉鎖 感染 麻痺 拘縮 変形 損傷 外傷 膿瘍 結核 痛 疼痛 不整脈 細動 頻拍 脱臼 捻挫 水腫 浮腫 腫大 肥大 萎縮 壊死 穿孔 転移 奇形 欠損 貧血 高血圧
低血圧 糖尿 血尿 下血 吐血 便秘 下痢 嘔吐 悪心 嘔気 発熱 咳 咳嗽 痰 頭痛 めまい しびれ 失神 痙攣 けいれん てんかん 発作 喘息 ヘルニア ポリープ
アレルギー 中毒 依存 不眠 白内障 緑内障 剥離 黄疸 腹水 胸水 倦怠感 不振 困難 減少 増多 増加 疹 湿疹 紅斑 脱毛 心不全 腎不全 瘻 痔 風
`),
		Organisms:      strings.Fields("菌 球菌 桿菌 ウイルス ウィルス"),
		NameHiragana:   strings.Fields("がん うっ くも びまん びらん ぶどう もやもや たこつぼ むずむず てんかん けいれん うつ じん せん"),
		BeforeHiragana: "はがをにのともでやへるたいなくてりうしか",
		AfterHiragana:  "はがをにのともでやへかなだよりしすあま",
		Spellings: [][]string{
			{"ウイ", "ウィ"}, {"頸", "頚"}, {"弯", "彎"}, {"嚢", "囊"}, {"頬", "頰"},
			{"掻", "搔"}, {"癌", "がん"}, {"鬱", "うつ"}, {"痙攣", "けいれん"}, {"麻痺", "まひ"}, {"蛋白", "たんぱく", "タンパク"}, {"骨粗鬆", "骨粗しょう"},
		},
		Counters: "型度期因群級",
		Numerals: "一二三四五六七八九",
		Opposites: [][2]string{
			{"急性", "慢性"}, {"良性", "悪性"}, {"先天", "後天"}, {"陽性", "陰性"}, {"原発", "続発"}, {"亢進", "低下"}, {"増加", "減少"}, {"増多", "減少"},
			{"近位", "遠位"}, {"片側", "両側"}, {"右", "左"}, {"上", "下"}, {"高", "低"}, {"大", "小"}, {"内", "外"}, {"前", "後"}, {"開", "閉"}, {"男", "女"},
		},
	},
}
