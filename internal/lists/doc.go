// Package lists finds the names that a text joins in a list, where they share words: "breast and ovarian cancer".
package lists
