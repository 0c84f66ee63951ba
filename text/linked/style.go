package linked

import _ "embed" // for CSS

// CSS is the style sheet of linked mentions: colors, light and dark, and signs of certainty. The page of the server and
// HTML output share it, so that a mention looks the same in both. Its variables, such as --ink and --card, are the
// colors of the whole page.
//
//go:embed mentions.css
var CSS string

// The probabilities from which a link counts as certain and as likely.
const (
	Certain = .8
	Likely  = .5
)
