// Package abbrev finds the abbreviations that a text defines, as in "celiac disease (CD)", and expands them.
//
// To expand the abbreviations of mentions, call [NewExpander] with the document's text and [Expander.Expand] for each
// mention. To get the definitions themselves, call [Find]. Package mine collects the definitions of a whole corpus.
package abbrev
