// Package lists finds the names that a text combines in a list in which they share words: "breast and ovarian cancer".
package lists
