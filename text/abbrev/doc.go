// Package abbrev finds the abbreviations that a text defines, as in "coeliac disease
// (CD)", and expands them.
//
// To expand the abbreviations of mentions, make a [NewExpander] of the document's text and
// call [Expander.Expand] for each mention. To get the definitions themselves, call [Find].
// Package mine collects the definitions of a whole corpus.
package abbrev
