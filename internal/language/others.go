package language

// German, French and Spanish have placeholders alone.
var (
	German  = Language{Name: "German", Placeholders: words("keine unbekannt")}
	French  = Language{Name: "French", Placeholders: words("inconnu aucun")}
	Spanish = Language{Name: "Spanish", Placeholders: words("desconocido ninguno")}
)
