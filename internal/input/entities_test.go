package input

import (
	"fmt"
	"maps"
	"strings"
	"testing"
)

func TestEntities(t *testing.T) {
	chain, ends := `<!ENTITY c0 "end">`, map[string]string{"c0": "end"}
	for i := range 200 {
		chain += fmt.Sprintf(`<!ENTITY c%d "&c%d;">`, i+1, i)
		ends[fmt.Sprintf("c%d", i+1)] = "end"
	}
	tests := map[string]struct {
		directive string
		want      map[string]string
		longest   int64
	}{
		"no declaration":   {`DOCTYPE collection SYSTEM "BioC.dtd"`, nil, 0},
		"another":          {`ELEMENT a [<!ENTITY b "c">]`, nil, 0},
		"plain":            {"DOCTYPE rdf:RDF [\n <!ENTITY obo \"http://purl/\" >\n<!ENTITY b 'it > \"this\"'> ]", map[string]string{"obo": "http://purl/", "b": `it > "this"`}, 12},
		"references":       {`DOCTYPE a [<!ENTITY c "d"><!ENTITY b "&c;&c;&#65;&#x42;">]`, map[string]string{"b": "ddAB", "c": "d"}, 4},
		"predefined":       {`DOCTYPE a [<!ENTITY b "1 &lt; 2 &amp; 3"><!ENTITY lt "&#38;#60;">]`, map[string]string{"b": "1 < 2 & 3", "lt": "<"}, 9},
		"the first counts": {`DOCTYPE a [<!ENTITY b "1"><!ENTITY b "2">]`, map[string]string{"b": "1"}, 1},
		"parameters":       {`DOCTYPE a [<!ENTITY % b SYSTEM "c"><!ENTITY % d "<!ENTITY e 'f'>"><!ATTLIST a b CDATA "<!ENTITY g 'h'>"><!ENTITY i "j">]`, map[string]string{"i": "j"}, 1},
		"a long chain":     {"DOCTYPE a [" + chain + "]", ends, 3},
		"not closed":       {`DOCTYPE a [<!ENTITY b "1`, map[string]string{}, 0},
	}
	for name, test := range tests {
		got, longest, err := Entities([]byte(test.directive))
		if err != nil || !maps.Equal(got, test.want) || longest != test.longest {
			t.Errorf("%s: %q, longest %d, %v; want %q, longest %d", name, got, longest, err, test.want, test.longest)
		}
	}
}

func TestEntitiesRefused(t *testing.T) {
	laughs := `<!ENTITY l0 "ha">`
	for i := range 30 {
		laughs += fmt.Sprintf(`<!ENTITY l%d "&l%d;&l%d;">`, i+1, i, i)
	}
	many := `<!ENTITY m "` + strings.Repeat("x", 4000) + `">`
	for i := range 1000 {
		many += fmt.Sprintf(`<!ENTITY m%d "&m;">`, i)
	}
	var declared strings.Builder
	for i := range maxDeclared + 1 {
		fmt.Fprintf(&declared, `<!ENTITY d%d "">`, i)
	}
	for subset, want := range map[string]string{
		`<!ENTITY secret SYSTEM "file:///etc/passwd">`:    `want entities with their text, got the external entity "secret"`,
		`<!ENTITY p PUBLIC "-//a" "http://example.org/">`: `want entities with their text, got the external entity "p"`,
		`<!ENTITY a "&a;">`:                               `want entities that the file declares before, got a reference to "a" in the entity "a"`,
		declared.String():                                 `want at most 10000 entities, got more`,
		`<!ENTITY a "&b;"><!ENTITY b "">`:                 `want entities that the file declares before, got a reference to "b" in the entity "a"`,
		laughs:                                            `want entities of at most 4096 bytes, got more in the entity "l12"`,
		many:                                              `want entities of at most 1048576 bytes in all, got more`,
	} {
		if _, _, err := Entities([]byte("DOCTYPE a [" + subset + "]")); err == nil || err.Error() != want {
			t.Errorf("%.60s: error %v, want %s", subset, err, want)
		}
	}
}
