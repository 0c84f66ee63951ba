package kbfile

import (
	"regexp"
	"slices"
	"strings"
)

// headerWord is a word of a column's name: "hpo_id" has hpo and id, "MESHName" MESH and Name.
var headerWord = regexp.MustCompile(`\p{Lu}+\p{Ll}*[\p{Ll}\d]*|[\p{Ll}\d]+`)

// ownerOf returns the words of a column's name before the last, in lower case: what the column has the id or the name
// of. "hpo_name" is of hpo, "name" of nothing that is said.
func ownerOf(cell string) []string {
	var words []string
	for _, word := range headerWord.FindAllString(cell, -1) {
		capitals := len(word) - len(strings.TrimLeft(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
		if capitals > 1 && capitals < len(word) { // MESHName
			words = append(words, strings.ToLower(word[:capitals-1]))
			word = word[capitals-1:]
		}
		words = append(words, strings.ToLower(word))
	}
	return words[:max(0, len(words)-1)]
}

// isOf reports whether a name is that of what has an id, by their owners: "gene" of "ncbi gene".
func isOf(name, id []string) bool {
	if len(name) == 0 || len(id) == 0 {
		return false
	}
	shared := min(len(name), len(id))
	return slices.Equal(name[len(name)-shared:], id[len(id)-shared:])
}

// attributes are owners of names that are not those of the row's concept: "type_name".
var attributes = []string{
	"type", "class", "group", "source", "file", "vocabulary", "system", "user", "author", "manufacturer", "labeler",
	"scheme", "ontology", "collection", "module", "chapter", "block", "unit", "list",
}

// organisms are owners of names beside those of the row's concept, if it has others.
var organisms = []string{"organism", "org", "species", "taxon"}

// keepOwn tells the names of a row's concept from those of others, where a table relates two kinds of concepts: of
// gene_id, gene_symbol, hpo_id and hpo_name the last is no name of the gene. A name whose owner has another column of
// ids is used only if the row has no other.
func (c columns) keepOwn(header []string) {
	id := c.first(roleID)
	if id < 0 {
		return
	}
	owner := ownerOf(header[id])
	var foreign []int // columns of names of others
	own, named := -1, false
	for i, cell := range header {
		role := roleOf(cell)
		if role != roleName && role != roleSynonyms {
			continue
		}
		name := ownerOf(cell)
		isOthers := slices.ContainsFunc(header, func(other string) bool {
			return roleOf(other) == roleID && other != header[id] && isOf(name, ownerOf(other))
		})
		switch {
		case isOf(name, owner):
			if role == roleName && own < 0 {
				own = i
			}
			named = true
		case len(name) > 0 && slices.Contains(attributes, name[len(name)-1]):
			c[i] = roleUnused
		case isOthers, len(name) > 0 && slices.Contains(organisms, name[len(name)-1]):
			foreign = append(foreign, i)
		case c[i] != roleUnused:
			named = true
		}
	}
	if !named {
		return
	}
	for _, i := range foreign {
		c[i] = roleUnused
	}
	if own >= 0 && !c.has(roleName) {
		c[own] = roleName
	}
}
