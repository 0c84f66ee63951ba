package language

// German, French and Spanish have placeholders, and the marks and forms of their names.
var (
	German = Language{
		Name:         "German",
		Placeholders: words("keine unbekannt"),
		Names: Names{
			Marks:    words("der des und mit durch bei ohne im"),
			MarkEnds: []string{"ung", "heit", "keit", "ische", "schmerz", "fieber", "krebs"},
			Nouns: []Inflection{
				{"ung", []string{"ungen"}}, {"heit", []string{"heiten"}}, {"keit", []string{"keiten"}},
				{"schaft", []string{"schaften"}}, {"ion", []string{"ionen"}}, {"tat", []string{"taten"}},
				{"or", []string{"oren"}}, {"e", []string{"en"}},
				{"s", nil}, {"x", nil}, {"z", nil}, {"a", nil},
				{"er", []string{"ers", "ern"}}, {"el", []string{"els", "eln"}}, {"en", []string{"ens"}},
				{"", []string{"e", "en", "s", "es"}},
			},
			AdjectivesBefore: []Inflection{{"e", []string{"en", "er", "es", "em"}}},
		},
	}
	French = Language{
		Name:         "French",
		Placeholders: words("inconnu aucun"),
		Names: Names{
			Marks: words("de du des la le les l d au aux et avec sans"),
			Nouns: []Inflection{
				{"s", nil}, {"x", nil}, {"z", nil},
				{"al", []string{"aux"}}, {"eau", []string{"eaux"}}, {"eu", []string{"eux"}}, {"", []string{"s"}},
			},
		},
	}
	Spanish = Language{
		Name:         "Spanish",
		Placeholders: words("desconocido ninguno"),
		Names: Names{
			Marks: words("de del la las los el por con sin y en"),
			Nouns: []Inflection{
				{"s", nil}, {"x", nil}, {"z", []string{"ces"}},
				{"a", []string{"as"}}, {"e", []string{"es"}}, {"i", []string{"is"}}, {"o", []string{"os"}},
				{"u", []string{"us"}}, {"", []string{"es"}},
			},
		},
	}
)
