package language

// German, French and Spanish have placeholders, and marks of their names.
var (
	German = Language{
		Name:         "German",
		Placeholders: words("keine unbekannt"),
		Names: Names{
			Marks:    words("der des und mit durch bei ohne im"),
			MarkEnds: []string{"ung", "heit", "keit", "ische", "schmerz", "fieber", "krebs"},
		},
	}
	French = Language{
		Name:         "French",
		Placeholders: words("inconnu aucun"),
		Names:        Names{Marks: words("de du des la le les l d au aux et avec sans")},
	}
	Spanish = Language{
		Name:         "Spanish",
		Placeholders: words("desconocido ninguno"),
		Names:        Names{Marks: words("de del la las los el por con sin y en")},
	}
)
