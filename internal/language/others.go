package language

// German, French and Spanish have placeholders alone.
var (
	German  = Language{Placeholders: words("keine unbekannt")}
	French  = Language{Placeholders: words("inconnu aucun")}
	Spanish = Language{Placeholders: words("desconocido ninguno")}
)
