package sense

// MedicalFields are what a text of medicine speaks of, in a few words each, for an encoder.
var MedicalFields = []string{
	"a patient with a disease",
	"a symptom of an illness",
	"treatment in hospital",
	"a diagnosis by a physician",
	"a side effect of a drug",
	"surgery",
}

// OtherFields are what other texts speak of, in which the name of a disease is a figure of speech or another word: the
// paralysis of a parliament, the anemia of consumer spending, the infection of a laptop.
var OtherFields = []string{
	"a machine, an engine or a vehicle",
	"computers, software and files",
	"money, prices, markets and companies",
	"politics, government, parties and elections",
	"war, soldiers and weapons",
	"wild animals, birds and insects",
	"farms, crops, plants and trees",
	"cooking and food",
	"music, books, films and art",
	"sports, games and races",
	"rain, wind, mountains, rivers and the sea",
	"houses, roads, materials and tools",
	"crime, police and courts",
	"clothes and furniture",
	"planets, stars and space",
	"school, language and mathematics",
	"social life, crowds and moods",
	"physics and chemistry of materials",
}
