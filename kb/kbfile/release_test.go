package kbfile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

func TestFindRelease(t *testing.T) {
	for _, test := range []struct {
		name, files string // separated by spaces
		release     string
		read        string // dictionaries in order
		parents     string
		err         string // after the folder
	}{
		{
			name:    "RxNorm has a subset in a folder farther below",
			files:   "prescribe/rrf/RXNCONSO.RRF rrf/RXNCONSO.RRF rrf/RXNSTY.RRF rrf/RXNREL.RRF readme.pdf .x/RXNCONSO.RRF",
			release: "RxNorm", read: "rrf/RXNCONSO.RRF rrf/RXNSTY.RRF",
		},
		{
			name:    "UMLS, compressed and in lower case",
			files:   "META/mrconso.rrf META/MRSTY.RRF.gz META/MRREL.RRF META/MRCONSO.RRF.md5",
			release: "UMLS", read: "META/mrconso.rrf META/MRSTY.RRF.gz", parents: "META/MRREL.RRF",
		},
		{
			name:    "LOINC",
			files:   "LoincTable/Loinc.csv LoincTable/MapTo.csv LoincTableCore/LoincTableCore.csv AccessoryFiles/PartFile/Part.csv",
			release: "LOINC", read: "LoincTable/Loinc.csv LoincTable/MapTo.csv",
		},
		{
			name:    "OMOP",
			files:   "CONCEPT.csv CONCEPT_ANCESTOR.csv CONCEPT_SYNONYM.csv CONCEPT_RELATIONSHIP.csv",
			release: "OMOP", read: "CONCEPT.csv CONCEPT_SYNONYM.csv", parents: "CONCEPT_RELATIONSHIP.csv",
		},
		{
			name: "stated relationships and concrete values are no hierarchy",
			files: "T/sct2_Description_Snapshot_GB_1.txt T/sct2_Description_SpanishExtensionSnapshot-es_INT_1.txt " +
				"T/sct2_StatedRelationship_Snapshot_INT_1.txt T/sct2_RelationshipConcreteValues_Snapshot_INT_1.txt " +
				"T/sct2_TextDefinition_Snapshot-en_INT_1.txt T/sct2_Relationship_Snapshot_INT_1.txt " +
				"R/der2_cRefset_AssociationSnapshot_INT_1.txt R/der2_cRefset_AttributeValueSnapshot_INT_1.txt",
			release: "SNOMED CT (RF2)", parents: "T/sct2_Relationship_Snapshot_INT_1.txt",
			read: "T/sct2_Description_Snapshot_GB_1.txt R/der2_cRefset_AssociationSnapshot_INT_1.txt",
		},
		{
			name: "two releases of one vocabulary", files: "2024/MRCONSO.RRF 2025/MRCONSO.RRF",
			err: "has 2024/MRCONSO.RRF and 2025/MRCONSO.RRF, want the folder of one release",
		},
		{
			name: "two vocabularies", files: "META/MRCONSO.RRF tax/names.dmp",
			err: "has releases of UMLS and NCBI Taxonomy, want the folder of one",
		},
		{name: "nothing", files: "sct2_Description_Full-en_INT_1.txt", err: "is a folder without sct2_Description_Snapshot*.txt"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			for name := range strings.FieldsSeq(test.files) {
				path := filepath.Join(dir, filepath.FromSlash(name))
				must.Succeed(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, nil, 0o644)))
			}
			inFolder := func(paths ...string) string {
				return filepath.ToSlash(strings.ReplaceAll(strings.Join(paths, " "), dir+string(filepath.Separator), ""))
			}
			r, err := FindRelease(dir, "")
			if test.err != "" {
				if err == nil || !strings.HasPrefix(inFolder(err.Error()), filepath.ToSlash(dir)+": "+test.err) {
					t.Errorf("got error %v, want %s", err, test.err)
				}
				return
			}
			must.Succeed(t, err)
			if r.Name != test.release || inFolder(r.Dictionaries...) != test.read || inFolder(r.Parents) != test.parents {
				t.Errorf("got %+v, want %s of %q, parents %q", r, test.release, test.read, test.parents)
			}
		})
	}
}
