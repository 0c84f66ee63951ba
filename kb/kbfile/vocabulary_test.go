package kbfile

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctxnorm/ctxnorm/kb"
)

// vocabularyTests are a few rows of each known vocabulary, written by hand in the form of the publisher, with invented
// names.
var vocabularyTests = []struct {
	text     string
	opts     Options
	concepts []kb.Concept
	report   Report // without the columns
}{
	{
		text: `id	effectiveTime	active	moduleId	conceptId	languageCode	typeId	term	caseSignificanceId
100013	20200101	1	900000000000207008	2001003	en	900000000000003001	Glass bone state (disorder)	900000000000448009
100014	20200101	1	900000000000207008	2001003	en	900000000000013009	Glass bone; brittle "bone"	900000000000448009
100015	20210101	0	900000000000207008	2001003	en	900000000000013009	Stone fever	900000000000448009
100016	20210101	1	900000000000207008	2002005	en	900000000000013009	River fever	900000000000448009
100017	20210101	1	900000000000207008	2002005	de	900000000000013009	Flussfieber	900000000000448009
100018	20210101	1	900000000000207008	2002005	en	900000000000550004	A fever of rivers.	900000000000448009
`,
		concepts: []kb.Concept{
			{ID: "2001003", Name: "Glass bone state", Synonyms: []string{`Glass bone; brittle "bone"`}, Types: []string{"disorder"}},
			{ID: "2002005", Synonyms: []string{"River fever"}},
		},
		report: Report{
			Format: TSV, Vocabulary: "SNOMED CT descriptions (RF2)", Rows: 6, Concepts: 2, Names: 3, Obsolete: 1,
			OtherLanguages: map[string]int{"de": 1}, ListLike: 1, ListLikes: []string{`Glass bone; brittle "bone"`},
		},
	},
	{
		text: "id\teffectiveTime\tactive\tmoduleId\tdefinitionStatusId\n2001003\t20200101\t1\t9\t9\n2002005\t20210101\t0\t9\t9\n",
		concepts: []kb.Concept{
			{ID: "2001003"},
		},
		report: Report{
			Format: TSV, Vocabulary: "SNOMED CT concepts (RF2)", Rows: 2, Concepts: 1, Obsolete: 1,
			Retired: map[kb.ConceptID]bool{"2002005": true},
		},
	},
	{
		text: `"LOINC_NUM","COMPONENT","PROPERTY","TIME_ASPCT","SYSTEM","SCALE_TYP","METHOD_TYP","CLASS","STATUS","SHORTNAME","LONG_COMMON_NAME","RELATEDNAMES2","MAP_TO"
"1-8","Acyclotest","Susc","Pt","Isolate","OrdQn",,"ABXBACT","ACTIVE","Acyclotest Susc Islt","Acyclotest [Susceptibility]","ACV; Susceptibility",
"2-6","Gammatest","Susc","Pt","Isolate","OrdQn",,"ABXBACT","DISCOURAGED","Gammatest Susc Islt","Gammatest [Susceptibility]","GTV",
"9-9","Betatest","Susc","Pt","Isolate","OrdQn",,"ABXBACT","DEPRECATED","Betatest Susc Islt","Betatest [Susceptibility]","BTV","1-8"
`,
		concepts: []kb.Concept{
			{ID: "1-8", Name: "Acyclotest [Susceptibility]", Synonyms: []string{"Acyclotest Susc Islt"}, AltIDs: ids{"9-9"}, Types: []string{"ABXBACT"}},
			{ID: "2-6", Name: "Gammatest [Susceptibility]", Synonyms: []string{"Gammatest Susc Islt"}, Types: []string{"ABXBACT"}},
		},
		report: Report{
			Format: CSV, Vocabulary: "LOINC", Rows: 3, Concepts: 2, Names: 4, AltIDs: 1, Obsolete: 1, Replaced: 1,
			Retired: map[kb.ConceptID]bool{"9-9": true},
		},
	},
	{
		text: `CUI,LAT,TS,LUI,STT,SUI,ISPREF,AUI,SAUI,SCUI,SDUI,SAB,TTY,CODE,STR,SRL,SUPPRESS,CVF
C0000001,ENG,S,L2,PF,S2,N,A2,,M1,D1,MSH,ET,D001,"Kedani fever, old",0,N,
C0000001,ENG,P,L1,PF,S1,Y,A1,,M1,D1,MSH,MH,D001,River fever,0,N,
C0000001,FRE,S,L3,PF,S3,N,A3,,M1,D1,MSHFRE,ET,D001,Fièvre du fleuve,3,N,
C0000002,ENG,P,L4,PF,S4,Y,A4,,,,SNOMEDCT_US,PT,99,Stone fever,0,O,
`,
		concepts: []kb.Concept{
			{ID: "C0000001", Name: "River fever", Synonyms: []string{"Kedani fever, old"}, Xrefs: ids{"MSH:D001"}},
		},
		report: Report{
			Format: CSV, Vocabulary: "MRCONSO with a header", Rows: 4, Concepts: 1, Names: 2, Xrefs: 1, Obsolete: 1,
			OtherLanguages: map[string]int{"FRE": 1},
		},
	},
	{
		text: `tax_id	Org_name	GeneID	CurrentID	Status	Symbol	Aliases	description	other_designations
9606	Homo sapiens	9901	0	live	QRX1	QX, QRXA	quasi receptor, X1	quasi receptor|QR, old
9606	Homo sapiens	9909	9901	secondary	QRX9		quasi receptor X9	
`,
		concepts: []kb.Concept{
			{ID: "9901", Name: "QRX1", Synonyms: []string{"QX", "QRXA", "quasi receptor, X1", "quasi receptor", "QR, old"}, AltIDs: ids{"9909"}},
		},
		report: Report{
			Format: TSV, Vocabulary: "NCBI Gene, results of a search", Rows: 2, Concepts: 1, Names: 6, AltIDs: 1, Obsolete: 1, Replaced: 1,
			Retired: map[kb.ConceptID]bool{"9909": true},
		},
	},
	{
		text: `code,description,coding_system,concept_id,concept_version_id,concept_name,phenotype_id,phenotype_version_id,phenotype_name
G20..,River fever,Read codes v2,C1,1,Fevers - primary care,PH1,2,Fevers
A75,River fevers,ICD10 codes,C2,1,Fevers - secondary care,PH1,2,Fevers
`,
		concepts: []kb.Concept{{ID: "A75", Name: "River fevers"}, {ID: "G20..", Name: "River fever"}},
		report:   Report{Format: CSV, Vocabulary: "codes of the HDR UK Phenotype Library", Rows: 2, Concepts: 2, Names: 2},
	},
	{
		text: "A750    |0|0|3|FIEVRE FL|Fièvre du fleuve\nA751    |0|0|3|FIEVRE PI|Fièvre des pierres, ancienne\n",
		concepts: []kb.Concept{
			{ID: "A750", Name: "Fièvre du fleuve", Synonyms: []string{"FIEVRE FL"}},
			{ID: "A751", Name: "Fièvre des pierres, ancienne", Synonyms: []string{"FIEVRE PI"}},
		},
		report: Report{Format: CSV, Vocabulary: "CIM-10 of ATIH", Rows: 2, Concepts: 2, Names: 4},
	},
	{
		text: "Foundation URI\tLinearization (release) URI\tCode\tBlockId\tTitle\tClassKind\tDepthInKind\nhttp://x/1\thttp://x/r/1\t1A00\t\t\"- - - River fever, \"\"red\"\"\"\tcategory\t1\n",
		concepts: []kb.Concept{
			{ID: "1A00", Name: `River fever, "red"`, Types: []string{"category"}},
		},
		report: Report{Format: TSV, Vocabulary: "ICD-11", Rows: 1, Concepts: 1, Names: 1},
	},
	{
		text:     "ParentId,ParentLoinc,ParentName,ID,SEQUENCE,Loinc,LoincName\n9,1-8,Rivertests,10,2,2-6,\"Gammatest, old\"\n",
		concepts: []kb.Concept{{ID: "2-6", Synonyms: []string{"Gammatest, old"}, Parents: ids{"1-8"}}},
		report:   Report{Format: CSV, Vocabulary: "LOINC panels and forms", Rows: 1, Concepts: 1, Names: 1},
	},
	{
		text: `"PartNumber","PartTypeName","PartName","PartDisplayName","Status"
"LP1-1","COMPONENT","Acyclotest","Acyclotest","ACTIVE"
"LP2-9","COMPONENT","Betatest","Beta-test","DEPRECATED"
`,
		concepts: []kb.Concept{{ID: "LP1-1", Name: "Acyclotest", Types: []string{"COMPONENT"}}},
		report: Report{
			Format: CSV, Vocabulary: "LOINC parts", Rows: 2, Concepts: 1, Names: 1, DuplicateNames: 1, Obsolete: 1,
			Retired: map[kb.ConceptID]bool{"LP2-9": true},
		},
	},
	{
		text: `concept_id	concept_name	domain_id	vocabulary_id	concept_class_id	standard_concept	concept_code	valid_start_date	valid_end_date	invalid_reason
4001	River fever	Condition	SNOMED	Disorder	S	2002005	19700101	20991231	
4002	Stone fever	Condition	SNOMED	Disorder		3001000	19700101	20200131	D
4003	River lens	Device	ICD10	3-char code		R12	19700101	20991231	
4004	Old lens	Device	ICD10	3-char code		R13	19700101	20200131	
`,
		concepts: []kb.Concept{
			{ID: "4001", Name: "River fever", AltIDs: ids{"SNOMED:2002005"}, Xrefs: ids{"SNOMED:2002005"}, Types: []string{"Condition"}},
			{ID: "4003", Name: "River lens", AltIDs: ids{"ICD10:R12"}, Xrefs: ids{"ICD10:R12"}, Types: []string{"Device"}},
		},
		report: Report{
			Format: TSV, Vocabulary: "OMOP CONCEPT", Rows: 4, Concepts: 2, Names: 2, AltIDs: 2, Xrefs: 2, Obsolete: 2,
			Retired: map[kb.ConceptID]bool{"4002": true, "4004": true},
		},
	},
	{
		text: "concept_id\tconcept_synonym_name\tlanguage_concept_id\n4001\tKedani fever; flood\t4180186\n4001\tFieber am Fluss\t4182504\n",
		concepts: []kb.Concept{
			{ID: "4001", Synonyms: []string{"Kedani fever; flood"}},
		},
		report: Report{
			Format: TSV, Vocabulary: "OMOP CONCEPT_SYNONYM", Rows: 2, Concepts: 1, Names: 1,
			OtherLanguages: map[string]int{"deu": 1}, ListLike: 1, ListLikes: []string{"Kedani fever; flood"},
		},
	},
	{
		text:     "CONCEPT_ID\tCONCEPT_SYNONYM_NAME\tLANGUAGE_CONCEPT_ID\n4001\tKedani fever\t4180186\n4001\tFieber am Fluss\t4182504\n",
		opts:     Options{Language: "de"},
		concepts: []kb.Concept{{ID: "4001", Synonyms: []string{"Fieber am Fluss"}}},
		report: Report{
			Format: TSV, Vocabulary: "OMOP CONCEPT_SYNONYM", Rows: 2, Concepts: 1, Names: 1,
			OtherLanguages: map[string]int{"eng": 1},
		},
	},
	{
		text: `Class ID,Preferred Label,Synonyms,Definitions,Obsolete,CUI,Semantic Types,Parents
http://x.example/T1,river fever,kedani fever|flood fever,"A fever, of rivers",false,C0036472,T047|T033,http://x.example/T9
http://x.example/T2,stone fever,,,true,,,http://x.example/T9
http://x.example/T9,fever,pyrexia,,false,,,http://www.w3.org/2002/07/owl#Thing
`,
		concepts: []kb.Concept{
			{ID: "http://x.example/T1", Name: "river fever", Synonyms: []string{"kedani fever", "flood fever"}, Parents: ids{"http://x.example/T9"}, Types: []string{"T033", "T047"}},
			{ID: "http://x.example/T9", Name: "fever", Synonyms: []string{"pyrexia"}, Parents: ids{"http://www.w3.org/2002/07/owl#Thing"}},
		},
		report: Report{
			Format: CSV, Vocabulary: "BioPortal", Rows: 3, Concepts: 2, Names: 5, Obsolete: 1,
			Retired: map[kb.ConceptID]bool{"http://x.example/T2": true},
		},
	},
	{
		text: `#tax_id	GeneID	Symbol	LocusTag	Synonyms	dbXrefs	chromosome	map_location	description	type_of_gene	Symbol_from_nomenclature_authority	Full_name_from_nomenclature_authority	Nomenclature_status	Other_designations	Modification_date	Feature_type
9606	9901	QRX1	-	QX|QRXA	MIM:1	19	19q13	quasi receptor X1	protein-coding	QRX1	quasi receptor X1	O	quasi receptor|QR	20250101	-
9606	9902	ZLB2	-	-	-	1	1p1	zeta like B2	protein-coding	-	-	-	-	20250101	-
9606	9903	NEWENTRY	-	-	-	-	-	Record to support submission	other	-	-	-	-	20250101	-
`,
		concepts: []kb.Concept{
			{ID: "9901", Name: "QRX1", Synonyms: []string{"QX", "QRXA", "quasi receptor X1", "quasi receptor", "QR"}, Xrefs: ids{"MIM:1"}, Types: []string{"protein-coding"}},
			{ID: "9902", Name: "ZLB2", Synonyms: []string{"zeta like B2"}, Types: []string{"protein-coding"}},
		},
		report: Report{Format: TSV, Vocabulary: "NCBI gene_info", Rows: 3, Concepts: 2, Names: 8, Xrefs: 1, DuplicateNames: 1},
	},
	{
		text: "901\t|\tFluvius rufus\t|\t\t|\tscientific name\t|\n" +
			"901\t|\tred river fly\t|\tred river fly <insects>\t|\tgenbank common name\t|\n" +
			"901\t|\tFluvius rufus Rossi, 1799\t|\t\t|\tauthority\t|\n" +
			"901\t|\tATCC 901\t|\tATCC 901 <type strain>\t|\ttype material\t|\n",
		concepts: []kb.Concept{{ID: "901", Name: "Fluvius rufus", Synonyms: []string{"red river fly"}}},
		report:   Report{Format: TSV, Vocabulary: "NCBI Taxonomy names", Rows: 4, Concepts: 1, Names: 2, OtherScope: 2},
	},
	{
		text:     "900\t|\t901\t|\n899\t|\t901\t|\n",
		concepts: []kb.Concept{{ID: "901", AltIDs: ids{"899", "900"}}},
		report:   Report{Format: TSV, Vocabulary: "merged taxa of NCBI", Rows: 2, Concepts: 1, AltIDs: 2},
	},
	{
		text: `# Copyright (c) of the publisher
# Generated: 2025-01-01
# Prefix	MIM Number	Preferred Title; symbol	Alternative Title(s); symbol(s)	Included Title(s); symbols
Number Sign	900100	RIVER FEVER; RVF	KEDANI FEVER; KDF;; FLOOD FEVER	STONE FEVER, INCLUDED
Asterisk	900200	QUASI RECEPTOR X1; QRX1		
Caret	900300	MOVED TO 900100		
Caret	900400	REMOVED FROM DATABASE		
`,
		concepts: []kb.Concept{
			{ID: "900100", Name: "RIVER FEVER", Synonyms: []string{"RVF", "KEDANI FEVER", "KDF", "FLOOD FEVER"}, AltIDs: ids{"900300"}, Types: []string{"phenotype"}},
			{ID: "900200", Name: "QUASI RECEPTOR X1", Synonyms: []string{"QRX1"}, Types: []string{"gene"}},
		},
		report: Report{
			Format: TSV, Vocabulary: "OMIM mimTitles", Rows: 4, Concepts: 2, Names: 7, AltIDs: 1, Obsolete: 2, Replaced: 1,
			Retired: map[kb.ConceptID]bool{"900300": true, "900400": true},
		},
	},
	{
		text: `hgnc_id	symbol	name	locus_group	locus_type	status	location	alias_symbol	alias_name	prev_symbol	prev_name
HGNC:9001	QRX1	quasi receptor X1	protein-coding gene	gene with protein product	Approved	19q13	"QX|QRXA"	"quasi receptor, fast"		
HGNC:9002	ZLB2	zeta like B2	protein-coding gene	gene with protein product	Entry Withdrawn	1p1				
`,
		concepts: []kb.Concept{
			{ID: "HGNC:9001", Name: "QRX1", Synonyms: []string{"quasi receptor X1", "QX", "QRXA", "quasi receptor, fast"}, Types: []string{"protein-coding gene"}},
		},
		report: Report{
			Format: TSV, Vocabulary: "HGNC", Rows: 2, Concepts: 1, Names: 5, Obsolete: 1,
			Retired: map[kb.ConceptID]bool{"HGNC:9002": true},
		},
	},
	{
		text: "HGNC ID\tApproved symbol\tApproved name\tStatus\tPrevious symbols\tAlias symbols\n" +
			"HGNC:9001\tQRX1\tquasi receptor X1\tApproved\tQRXOLD\tQX, QRXA\nHGNC:9002\tZLB2~withdrawn\tentry withdrawn\tEntry Withdrawn\t\t\n",
		concepts: []kb.Concept{{ID: "HGNC:9001", Name: "QRX1", Synonyms: []string{"quasi receptor X1", "QRXOLD", "QX", "QRXA"}}},
		report: Report{
			Format: TSV, Vocabulary: "HGNC, a custom download", Rows: 2, Concepts: 1, Names: 5, Obsolete: 1,
			Retired: map[kb.ConceptID]bool{"HGNC:9002": true},
		},
	},
	{
		text: "Foundation URI\tLinearization URI\tCode\tBlockId\tTitle\tClassKind\n" +
			"\thttp://l/1\t\tBlockL1-9A0\t\"- Fevers\"\tblock\nhttp://f/2\thttp://l/2\t9A00\t\t\"- - River fever\"\tcategory\n",
		concepts: []kb.Concept{{ID: "9A00", Name: "River fever", Types: []string{"category"}}},
		report:   Report{Format: TSV, Vocabulary: "ICD-11", Rows: 2, Concepts: 1, Names: 1, NoID: 1},
	},
	{
		text: "C901\t<http://ncicb.nci.nih.gov/xml/owl/EVS/Thesaurus.owl#C901>\tC900\tGlass Bone State|Brittle Skeleton Disorder\tA state.\t\t\tDisease or Syndrome\t\n" +
			"C902\t<http://ncicb.nci.nih.gov/xml/owl/EVS/Thesaurus.owl#C902>\tC900\tStone Fever\tA fever.\t\tRetired_Concept\tFinding\t\n",
		concepts: []kb.Concept{
			{ID: "C901", Name: "Glass Bone State", Synonyms: []string{"Brittle Skeleton Disorder"}, Parents: ids{"C900"}, Types: []string{"Disease or Syndrome"}},
		},
		report: Report{
			Format: TSV, Vocabulary: "NCI Thesaurus", Rows: 2, Concepts: 1, Names: 2, Obsolete: 1,
			Retired: map[kb.ConceptID]bool{"C902": true},
		},
	},
	{
		text: "id\teffectiveTime\tactive\tmoduleId\trefsetId\treferencedComponentId\ttargetComponentId\n" +
			"a\t2020\t1\t9\t900000000000526001\t2003001\t2001003\nb\t2020\t1\t9\t900000000000523009\t2004007\t2001003\n" +
			"c\t2020\t0\t9\t900000000000527005\t2005008\t2001003\n",
		concepts: []kb.Concept{{ID: "2001003", AltIDs: ids{"2003001"}}},
		report:   Report{Format: TSV, Vocabulary: "associations of SNOMED CT (RF2)", Rows: 3, Concepts: 1, AltIDs: 1, Obsolete: 1},
	},
	{
		text:     "\"LOINC\",\"MAP_TO\",\"COMMENT\"\n\"9-9\",\"1-8\",\"\"\n",
		concepts: []kb.Concept{{ID: "1-8", AltIDs: ids{"9-9"}}},
		report:   Report{Format: CSV, Vocabulary: "LOINC MapTo", Rows: 1, Concepts: 1, AltIDs: 1},
	},
	{
		text: "#tax_id\tGeneID\tDiscontinued_GeneID\tDiscontinued_Symbol\tDiscontinue_Date\n" +
			"9606\t9901\t9801\tQRXOLD\t20200101\n9606\t-\t9802\tZLB9\t20200101\n",
		concepts: []kb.Concept{{ID: "9901", AltIDs: ids{"9801"}}},
		report:   Report{Format: TSV, Vocabulary: "NCBI gene_history", Rows: 2, Concepts: 1, AltIDs: 1, NoID: 1},
	},
	{
		text:     "90000001$River fever$90000001$$$$$$$Y$$\n90000002$Kedani \"fever\"$90000001$$$$$$$Y$$\n90000003$Stone fever$90000001$$$$$$$N$$\n",
		concepts: []kb.Concept{{ID: "90000001", Name: "River fever", Synonyms: []string{`Kedani "fever"`}, AltIDs: ids{"90000002"}}},
		report:   Report{Format: MedDRA, Rows: 3, Concepts: 1, Names: 2, AltIDs: 1, Obsolete: 1},
	},
	{
		text:     "90000001$River fever$$90009999$$$$$$$\n",
		concepts: []kb.Concept{{ID: "90000001", Name: "River fever"}},
		report:   Report{Format: MedDRA, Rows: 1, Concepts: 1, Names: 1},
	},
	{
		text: `<?xml version="1.0" encoding="ISO-8859-1"?>
<JDBOR date="2025-06-01"><DisorderList count="4">
<Disorder id="1"><OrphaCode>901</OrphaCode><ExpertLink lang="en">http://x</ExpertLink><Name lang="en">River fever</Name>
<SynonymList count="2"><Synonym lang="en">Kedani fever</Synonym><Synonym lang="de">Flussfieber</Synonym></SynonymList>
<DisorderType id="21394"><Name lang="en">Disease</Name></DisorderType></Disorder>
<Disorder id="2"><OrphaCode>902</OrphaCode><Name lang="en">OBSOLETE: Stone fever</Name><SynonymList count="0"/>
<DisorderDisorderAssociationList count="1"><DisorderDisorderAssociation><TargetDisorder id="1"><OrphaCode>901</OrphaCode></TargetDisorder>
<DisorderDisorderAssociationType id="21471"><Name lang="en">Moved to</Name></DisorderDisorderAssociationType></DisorderDisorderAssociation></DisorderDisorderAssociationList></Disorder>
<Disorder id="3"><OrphaCode>903</OrphaCode><Name lang="en">NON RARE IN EUROPE: Flood fever</Name></Disorder>
<Disorder id="4"><Name lang="en">No code</Name></Disorder>
</DisorderList></JDBOR>
`,
		concepts: []kb.Concept{
			{ID: "ORPHA:901", Name: "River fever", Synonyms: []string{"Kedani fever"}, AltIDs: ids{"ORPHA:902"}, Types: []string{"Disease"}},
			{ID: "ORPHA:903", Name: "Flood fever"},
		},
		report: Report{
			Format: Orphanet, Rows: 4, Concepts: 2, Names: 3, AltIDs: 1, Obsolete: 1, Replaced: 1, BadRows: 1,
			OtherLanguages: map[string]int{"de": 1},
		},
	},
	{
		text:     "ID\tCOMPOUND_ID\tTYPE\tSOURCE\tNAME\tADAPTED\tLANGUAGE\n1\t90001\tSYNONYM\tChEBI\tzolaprine\tF\ten\n2\t90001\tNAME\tChEBI\tzolaprina\tF\tes\n",
		concepts: []kb.Concept{{ID: "90001", Synonyms: []string{"zolaprine"}}},
		report:   Report{Format: TSV, Vocabulary: "ChEBI names", Rows: 2, Concepts: 1, Names: 1, OtherLanguages: map[string]int{"es": 1}},
	},
	{
		text: "id\tcompound_id\tname\ttype\tstatus_id\tadapted\tlanguage_code\tascii_name\n" +
			"101\t90001\t&beta;-zolaprine\tSYNONYM\t1\tfalse\ten\tbeta-zolaprine\n102\t90001\tzolaprina\tINN\t1\tfalse\tes\tzolaprina\n",
		concepts: []kb.Concept{{ID: "90001", Synonyms: []string{"beta-zolaprine"}}},
		report:   Report{Format: TSV, Vocabulary: "ChEBI names, since 2025", Rows: 2, Concepts: 1, Names: 1, OtherLanguages: map[string]int{"es": 1}},
	},
	{
		text: "ID\tSTATUS\tCHEBI_ACCESSION\tSOURCE\tPARENT_ID\tNAME\tDEFINITION\n90001\tC\tCHEBI:90001\tChEBI\tnull\tzolaprine\tnull\n" +
			"90002\tC\tCHEBI:90002\tChEBI\t90001\tnull\tnull\n90003\tD\tCHEBI:90003\tChEBI\tnull\tmodaprine\tnull\n",
		concepts: []kb.Concept{{ID: "90001", Name: "zolaprine", AltIDs: ids{"90002", "CHEBI:90001"}}},
		report: Report{
			Format: TSV, Vocabulary: "ChEBI compounds", Rows: 3, Concepts: 1, Names: 1, AltIDs: 2, Obsolete: 2, Replaced: 1,
			Retired: map[kb.ConceptID]bool{"90002": true, "90003": true},
		},
	},
	{
		text: "id\tname\tstatus_id\tsource\tparent_id\tmerge_type\tchebi_accession\tascii_name\n" +
			"90001\t<em>R</em>-zolaprine\t1\tKEGG\t\t\tCHEBI:90001\tR-zolaprine\n",
		concepts: []kb.Concept{{ID: "90001", Name: "R-zolaprine", AltIDs: ids{"CHEBI:90001"}}},
		report:   Report{Format: TSV, Vocabulary: "ChEBI compounds", Rows: 1, Concepts: 1, Names: 1, AltIDs: 1},
	},
	{
		text: "MGI Accession ID\tChr\tMarker Symbol\tStatus\tMarker Name\tMarker Type\tFeature Type\tMarker Synonyms (pipe-separated)\n" +
			"MGI:9001\t5\tQrx1\tO\tquasi receptor X1\tGene\tprotein coding gene\tQx|Qrxa\nMGI:9002\t5\tQrx2\tW\twithdrawn, = Qrx1\tGene\t\t\n",
		concepts: []kb.Concept{{ID: "MGI:9001", Name: "Qrx1", Synonyms: []string{"quasi receptor X1", "Qx", "Qrxa"}, Types: []string{"protein coding gene"}}},
		report: Report{
			Format: TSV, Vocabulary: "MGI markers", Rows: 2, Concepts: 1, Names: 4, Obsolete: 1,
			Retired: map[kb.ConceptID]bool{"MGI:9002": true},
		},
	},
	{
		text: "SNOMED_CID|SNOMED_FSN|SNOMED_CONCEPT_STATUS|UMLS_CUI|OCCURRENCE|USAGE|FIRST_IN_SUBSET|IS_RETIRED_FROM_SUBSET|LAST_IN_SUBSET|REPLACED_BY_SNOMED_CID\n" +
			"2001003|River fever (disorder)|Current|C0000901|7|3.1|200907|False||\n2002005|Kedani fever (disorder)|Duplicate, retired|C0000902|1||200907|True|201001|2001003\n",
		concepts: []kb.Concept{{ID: "2001003", Name: "River fever", AltIDs: ids{"2002005"}, Xrefs: ids{"C0000901"}, Types: []string{"disorder"}}},
		report: Report{
			Format: CSV, Vocabulary: "CORE Problem List Subset of SNOMED CT", Rows: 2, Concepts: 1, Names: 1, AltIDs: 1, Xrefs: 1,
			Obsolete: 1, Replaced: 1, Retired: map[kb.ConceptID]bool{"2002005": true},
		},
	},
	{
		text:     "CAT;CLASSIF;DESCRICAO;DESCRABREV;REFER;EXCLUIDOS;\nA00;;Febre do rio;A00   Febre rio;;;\n",
		concepts: []kb.Concept{{ID: "A00", Name: "Febre do rio"}},
		report:   Report{Format: CSV, Vocabulary: "CID-10 of DATASUS", Rows: 1, Concepts: 1, Names: 1},
	},
	{
		text: "conceptType,conceptUri,preferredLabel,altLabels,hiddenLabels,status,description\n" +
			"Occupation,http://e.example/1,river keeper,\"keeper; of rivers\nriver keepers\",,released,Keeps rivers.\n",
		concepts: []kb.Concept{{ID: "http://e.example/1", Name: "river keeper", Synonyms: []string{"keeper; of rivers", "river keepers"}, Types: []string{"Occupation"}}},
		report:   Report{Format: CSV, Vocabulary: "ESCO", Rows: 1, Concepts: 1, Names: 3, ListLike: 1, ListLikes: []string{"keeper; of rivers"}},
	},
	{
		text: "PRODUCTID\tPRODUCTNDC\tPRODUCTTYPENAME\tPROPRIETARYNAME\tPROPRIETARYNAMESUFFIX\tNONPROPRIETARYNAME\tLABELERNAME\n" +
			"9001-01_a\t9001-01\tHUMAN OTC DRUG\tZola\t\tzolaprine\tRiver Labs\n",
		concepts: []kb.Concept{{ID: "9001-01", Name: "Zola", Synonyms: []string{"zolaprine"}, Types: []string{"HUMAN OTC DRUG"}}},
		report:   Report{Format: TSV, Vocabulary: "FDA, National Drug Code", Rows: 1, Concepts: 1, Names: 2},
	},
	{
		text:     "Name\tTYPE\tUNII\tDisplay Name\nZOLA ACID\tcn\t9001AAAAAA\tZOLAPRINE\nZOLAPRINE\tof\t9001AAAAAA\tZOLAPRINE\n",
		concepts: []kb.Concept{{ID: "9001AAAAAA", Name: "ZOLAPRINE", Synonyms: []string{"ZOLA ACID"}}},
		report:   Report{Format: TSV, Vocabulary: "FDA, names of substances", Rows: 2, Concepts: 1, Names: 2, DuplicateNames: 2},
	},
	{
		text:     "UNII\tPT\tRN\tEC\tNCIT\tRXCUI\tINCHIKEY\n9001AAAAAA\tZOLAPRINE\t\t\tC1\t1001\t\n",
		concepts: []kb.Concept{{ID: "9001AAAAAA", Name: "ZOLAPRINE"}},
		report:   Report{Format: TSV, Vocabulary: "FDA, records of substances", Rows: 1, Concepts: 1, Names: 1},
	},
	{
		text: "9001\tRíverton, Upper\tRiverton, Upper\tRiver Town,Ривертон\t42.5\t-1.65362\tP\tPPL\tAD\t\t02\t\t\t\t10\t\t17\tEurope/Andorra\t2012-11-03\n",
		concepts: []kb.Concept{
			{ID: "9001", Name: "Ríverton, Upper", Synonyms: []string{"River Town", "Ривертон", "Riverton, Upper"}, Types: []string{"PPL"}},
		},
		report: Report{Format: TSV, Vocabulary: "GeoNames", Rows: 1, Concepts: 1, Names: 4, ExtraCells: 6},
	},
	{
		text: "3;N;X;01;A00;A00.-;A00;A00;Cholera;Cholera;;;V;X;1-002\n4;T;X;01;A00;A00.0;A00.0;A000;Cholera, biovar cholerae;Cholera;;;V;V;1-002\n",
		concepts: []kb.Concept{
			{ID: "A00", Name: "Cholera"}, {ID: "A00.0", Name: "Cholera, biovar cholerae"},
		},
		report: Report{Format: CSV, Vocabulary: "ICD-10 of WHO or BfArM", Rows: 2, Concepts: 2, Names: 2, ExtraCells: 8},
	},
	{
		text: `<?xml version="1.0" encoding="UTF-8"?>
<ClaML version="2.0.0"><Title name="ICD-10"/><Class code="I" kind="chapter"><SubClass code="A00"/><Rubric kind="preferred"><Label>Infections</Label></Rubric></Class>
<Class code="A00" kind="category"><SuperClass code="A00-A09"/><Rubric kind="preferred"><Label xml:lang="en">River
 fever</Label></Rubric><Rubric kind="exclusion"><Label>Stone fever <Reference>A01</Reference></Label></Rubric></Class>
<Class code="A00.0" kind="category"><SuperClass code="A00"/><Rubric kind="preferred"><Label>of the lung <Reference class="in brackets">J17</Reference></Label></Rubric>
<Rubric kind="preferredLong"><Label>River fever <Fragment type="item">of the lung</Fragment></Label></Rubric><Rubric kind="inclusion"><Label>Flood lung</Label></Rubric></Class>
</ClaML>
`,
		concepts: []kb.Concept{
			{ID: "A00", Name: "River fever", Parents: ids{"A00-A09"}}, {ID: "A00.0", Name: "River fever of the lung", Parents: ids{"A00"}},
		},
		report: Report{Format: ClaML, Rows: 3, Concepts: 2, Names: 2, NoID: 1, OtherScope: 1},
	},
	{
		text: `----
        UniProt - Swiss-Prot Protein Knowledgebase
  ---------  ------------------------------
  ID         Identifier (Disease name)
  //         Terminator
____
ID   River fever.
AC   DI-90001
AR   RVF.
DE   A fever of rivers; it
DE   floods.
SY   Kedani fever; type I.
SY   Flood fever.
DR   MIM; 900001; phenotype.
//
ID   No accession.
//
ID   2Fe-2R.
AC   KW-9001
SY   Fe2R2; [2Fe-2R]
SY   cluster.
//
ID   RV-1.
AC   CVCL_9001
SY   RV1; R.V. 1
//
`,
		concepts: []kb.Concept{
			{ID: "CVCL_9001", Name: "RV-1", Synonyms: []string{"RV1", "R.V. 1"}},
			{ID: "DI-90001", Name: "River fever", Synonyms: []string{"RVF", "Kedani fever; type I", "Flood fever"}, Xrefs: ids{"MIM:900001"}},
			{ID: "KW-9001", Name: "2Fe-2R", Synonyms: []string{"Fe2R2", "[2Fe-2R] cluster"}},
		},
		report: Report{
			Format: UniProt, Rows: 4, Concepts: 3, Names: 10, Xrefs: 1, BadRows: 1, ListLike: 1, ListLikes: []string{"Kedani fever; type I"},
		},
	},
	{
		text: "CC   ENZYME nomenclature database\nCC\n//\nID   9.1.1.1\nDE   river dehydrogenase.\nAN   stone reductase (NADP\nAN   dependent).\nAN   RDH.\nDR   P07327, ADH1A_HUMAN ;\n//\n" +
			"ID   9.1.1.2\nDE   Transferred entry: 9.1.1.1.\n//\nID   9.1.1.3\nDE   Deleted entry.\n//\n",
		concepts: []kb.Concept{
			{ID: "9.1.1.1", Name: "river dehydrogenase", Synonyms: []string{"stone reductase (NADP dependent)", "RDH"}, AltIDs: ids{"9.1.1.2"}},
		},
		report: Report{Format: UniProt, Rows: 3, Concepts: 1, Names: 3, AltIDs: 1, Obsolete: 2, Replaced: 1},
	},
	{
		text: `{"resourceType": "ValueSet", "url": "http://x", "compose": {"include": [{"system": "http://snomed.info/sct", "concept": [
 {"code": "2001003", "display": "River fever", "designation": [{"language": "de", "value": "Flussfieber"}, {"value": "Kedani fever"}]}]}]},
 "expansion": {"contains": [{"system": "http://snomed.info/sct", "code": "2001003", "display": "River fever", "contains": [{"code": "2002005", "display": "Stone fever"}]},
 {"system": "http://snomed.info/sct", "code": "2003001", "display": "Flood", "inactive": true}]}}`,
		concepts: []kb.Concept{{ID: "2001003", Name: "River fever", Synonyms: []string{"Kedani fever"}}, {ID: "2002005", Name: "Stone fever"}},
		report: Report{
			Format: FHIR, Rows: 4, Concepts: 2, Names: 3, DuplicateNames: 1, Obsolete: 1, OtherLanguages: map[string]int{"de": 1},
		},
	},
	{
		text: "1001|ENG||||||9001|||x|RXNORM|SY|1001|Zolaprin acid||N||\n1001|ENG||||||9002|||x|RXNORM|IN|1001|Zolaprine||N||\n" +
			"1001|ENG||||||9003|||x|MMSL|GN|1001|ZOLAPRINE||O||\n",
		concepts: []kb.Concept{{ID: "1001", Name: "Zolaprine", Synonyms: []string{"Zolaprin acid"}, Types: []string{"IN"}}},
		report:   Report{Format: MRCONSO, Rows: 3, Concepts: 1, Names: 2, Obsolete: 1},
	},
	{
		text:     "C0000901|T047|B2.2.1.2.1|Disease or Syndrome|AT1|256|\nC0000901 |T033|A2.2|Finding|AT2|256|\n",
		concepts: []kb.Concept{{ID: "C0000901", Types: []string{"T033", "T047"}}},
		report:   Report{Format: MRSTY, Rows: 2, Concepts: 1},
	},
	{
		text: "A00     Cholera\nA000    Cholera due to Vibrio cholerae 01, biovar cholerae\nA09     Gastroenteritis, unspecified\n",
		concepts: []kb.Concept{
			{ID: "A00", Name: "Cholera"},
			{ID: "A000", Name: "Cholera due to Vibrio cholerae 01, biovar cholerae", AltIDs: ids{"A00.0"}, Parents: ids{"A00"}},
			{ID: "A09", Name: "Gastroenteritis, unspecified"},
		},
		report: Report{Format: ICD, Rows: 3, Concepts: 3, Names: 3, AltIDs: 1},
	},
	{
		text: "00001 A00     0 Cholera                                                      Cholera\n" +
			"00002 A000    1 Cholera d/t Vibrio cholerae 01, biovar cholerae              Cholera due to Vibrio cholerae 01, biovar cholerae\n",
		concepts: []kb.Concept{
			{ID: "A00", Name: "Cholera"},
			{
				ID: "A000", Name: "Cholera due to Vibrio cholerae 01, biovar cholerae", Parents: ids{"A00"}, AltIDs: ids{"A00.0"},
				Synonyms: []string{"Cholera d/t Vibrio cholerae 01, biovar cholerae"},
			},
		},
		report: Report{Format: ICD, Rows: 2, Concepts: 2, Names: 3, AltIDs: 1, DuplicateNames: 1},
	},
	{
		text: "0016070 Bypass Cerebral Ventricle to Nasopharynx\n0016071 Bypass Cerebral Ventricle to Mastoid Sinus\n",
		concepts: []kb.Concept{
			{ID: "0016070", Name: "Bypass Cerebral Ventricle to Nasopharynx"}, {ID: "0016071", Name: "Bypass Cerebral Ventricle to Mastoid Sinus"},
		},
		report: Report{Format: ICD, Rows: 2, Concepts: 2, Names: 2},
	},
	{
		text:     "0010  Cholera due to vibrio cholerae\n01100 Tuberculosis of lung, unspecified\n",
		concepts: []kb.Concept{{ID: "0010", Name: "Cholera due to vibrio cholerae"}, {ID: "01100", Name: "Tuberculosis of lung, unspecified"}},
		report:   Report{Format: ICD, Rows: 2, Concepts: 2, Names: 2},
	},
	{
		text: `"AnswerListId","AnswerListName","AnswerStringId","LocalAnswerCode","SequenceNumber","DisplayText"
"LL1-9","Fevers","LA13-1","1","1","River fever"
"LL2-7","Others","LA13-1","5","2","Kedani fever"
`,
		concepts: []kb.Concept{{ID: "LA13-1", Synonyms: []string{"River fever", "Kedani fever"}}},
		report:   Report{Format: CSV, Vocabulary: "LOINC answers", Rows: 2, Concepts: 1, Names: 2},
	},
	{
		text:     "\"LoincNumber\",\"ConsumerName\"\n\"1-8\",\"Acyclotest, Blood\"\n",
		concepts: []kb.Concept{{ID: "1-8", Synonyms: []string{"Acyclotest, Blood"}}},
		report:   Report{Format: CSV, Vocabulary: "LOINC consumer names", Rows: 1, Concepts: 1, Names: 1},
	},
	{
		text: "Entry\tReviewed\tEntry Name\tProtein names\tGene Names\tOrganism\n" +
			"P90001\treviewed\tQRX1_HUMAN\tRiverin (beta) kinase, mitochondrial (QRXase) (EC 2.6.1.1) (Stone (A) factor) (Fragment) [Cleaved into: Riverin-1]\tQRX1 RVK\tHuman\n",
		concepts: []kb.Concept{{
			ID: "P90001", Name: "Riverin (beta) kinase, mitochondrial", Synonyms: []string{"QRXase", "Stone (A) factor", "QRX1", "RVK"},
		}},
		report: Report{Format: TSV, Vocabulary: "UniProt", Rows: 1, Concepts: 1, Names: 5},
	},
	{
		text: "norm_text\ttext\tdb\tid\tentry_name\tstatus\tsource\torganism\n" +
			"river fever\tRiver Fever\tDOID\tDOID:1\triver fever\tname\tdoid\t\n" +
			"kedani\tkedani\tDOID\tDOID:1\triver fever\tsynonym\tdoid\t\n" +
			"qrx1\tQRX1\tHGNC\t1\tQRX1\tname\thgnc\t9606\nqrx\tQRX\tEGID\t1\tQRX\tname\tegid\t9606\n",
		concepts: []kb.Concept{
			{ID: "DOID:1", Name: "river fever", Synonyms: []string{"River Fever", "kedani"}}, {ID: "EGID:1", Name: "QRX"},
			{ID: "HGNC:1", Name: "QRX1"},
		},
		report: Report{Format: TSV, Vocabulary: "terms of Gilda", Rows: 4, Concepts: 3, Names: 5, DuplicateNames: 3},
	},
	{
		text: "cui,name,ontologies,name_status,type_ids,description\nC1,kedani|bank fever,SNO,A,T047,\nC1,river fever,SNO,P,T047,\n",
		concepts: []kb.Concept{
			{ID: "C1", Name: "river fever", Synonyms: []string{"kedani", "bank fever"}, Types: []string{"T047"}},
		},
		report: Report{Format: CSV, Vocabulary: "MedCAT", Rows: 2, Concepts: 1, Names: 3},
	},
	{
		text: `{"label": "DISEASE", "pattern": "river fever", "id": "D1"}
{"label": "DISEASE", "pattern": [{"LOWER": "kedani"}, {"lower": "fever"}], "id": "D1"}
{"label": "DISEASE", "pattern": [{"LOWER": "stone"}, {"OP": "?"}], "id": "D2"}
`,
		concepts: []kb.Concept{
			{ID: "D1", Synonyms: []string{"river fever", "kedani fever"}, Types: []string{"DISEASE"}}, {ID: "D2", Types: []string{"DISEASE"}},
		},
		report: Report{Format: JSONL, Vocabulary: "patterns of spaCy", Rows: 3, Concepts: 2, Names: 2},
	},
	{
		text:     "# names of fevers\nname\nriver fever\nRiver Fever\n\nfever, stone\n",
		concepts: []kb.Concept{{ID: "fever, stone", Name: "fever, stone"}, {ID: "river fever", Synonyms: []string{"River Fever"}, Name: "river fever"}},
		report:   Report{Format: Names, Rows: 3, Concepts: 2, Names: 3},
	},
	{
		text:     "Disease name\n\"fever, stone\"\n\"fever, river\"\n",
		opts:     Options{Format: CSV},
		concepts: []kb.Concept{{ID: "fever, river", Name: "fever, river"}, {ID: "fever, stone", Name: "fever, stone"}},
		report:   Report{Format: CSV, Rows: 2, Concepts: 2, Names: 2},
	},
}

func TestVocabularies(t *testing.T) {
	tested := make(map[string]bool)
	for _, test := range vocabularyTests {
		d, report, err := Read(writeFile(t, "file", test.text), test.opts)
		if err != nil {
			t.Errorf("%.60s…: %v", test.text, err)
			continue
		}
		tested[report.Vocabulary] = true
		t.Logf("%s %s: %d rows, %d concepts, %d names, %d retired", report.Format, report.Vocabulary, report.Rows,
			report.Concepts, report.Names, report.Obsolete)
		if diff := cmp.Diff(test.concepts, concepts(d), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: concepts (-want +got):\n%s", report.Vocabulary, diff)
		}
		ignored := cmpopts.IgnoreFields(Report{}, "Delimiter", "Memory", "Columns", "EmptyNames", "Errors")
		if diff := cmp.Diff(&test.report, report, ignored, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: report (-want +got):\n%s", report.Vocabulary, diff)
		}
	}
	for _, v := range vocabularies {
		isFormat := v.format != "" && v.format != dumpFormat
		if v.refused == "" && !isFormat && !tested[v.name] {
			t.Errorf("%s has no test", v.name)
		}
	}
}

// TestTablesWithoutNames refuses tables that are no dictionaries, by what they are.
func TestTablesWithoutNames(t *testing.T) {
	for text, want := range map[string]string{
		"#curie_map:\n#  A: http://a/\nsubject_id\tsubject_label\tpredicate_id\tobject_id\tmapping_justification\nA:1\triver fever\tskos:exactMatch\tB:1\tsemapv:x\n":            "the table is SSSOM: it maps identifiers or wordings to identifiers",
		"# curie_map:\n#   A: http://a/\nsubject_label\tsubject_type\tpredicate_id\tobject_id\nriver fever\trdfs literal\tskos:exactMatch\tA:1\n":                                "the table is SSSOM",
		"subject_id,predicate_id,object_id\nA:1,skos:exactMatch,B:1\n":                                                                                                           "the table is SSSOM",
		"id\teffectiveTime\tactive\tmoduleId\tsourceId\tdestinationId\trelationshipGroup\ttypeId\tcharacteristicTypeId\tmodifierId\n1\t2020\t1\t9\t11\t12\t0\t116680003\t9\t9\n": "the table is SNOMED CT relationships (RF2): it has no names: take sct2_Description_Snapshot, and this file as DictionaryOptions.Parents",
		"id\teffectiveTime\tactive\tmoduleId\trefsetId\treferencedComponentId\tacceptabilityId\nx\t2020\t1\t9\t9\t100014\t9\n":                                                   "the table is a language reference set of SNOMED CT (RF2)",
		"id\teffectiveTime\tactive\tmoduleId\trefsetId\treferencedComponentId\nx\t2020\t1\t9\t9\t100014\n":                                                                       "the table is a reference set of SNOMED CT (RF2)",
		"901\t|\t900\t|\tspecies\t|\tFR\t|\t1\t|\n": "the table is NCBI Taxonomy nodes: it has no names: take names.dmp, and this file as DictionaryOptions.Parents",
		"concept_id_1\tconcept_id_2\trelationship_id\tvalid_start_date\tvalid_end_date\tinvalid_reason\n1\t2\tIs a\t1\t2\t\n": "the table is OMOP CONCEPT_RELATIONSHIP",
		"C0000901|A1|AT1|S1|MSH|A definition.|N||\n": "an RRF file of UMLS or RxNorm other than MRCONSO",
		"id\teffectiveTime\tactive\tmoduleId\tconceptId\tlanguageCode\ttypeId\tterm\n1\t2020\t1\t9\t11\ten\t9\ta\n1\t2021\t0\t9\t11\ten\t9\ta\n": "want the Snapshot file",
		"# Phenotype\tGene/Locus And Other Related Symbols\tMIM Number\tCyto Location\nRiver fever, 901 (3)\tQRX1, QRX\t902\t10q24\n":            "the table is OMIM genemap2 or morbidmap",
		"# MIM Number\tMIM Entry Type (see FAQ 1.3 at https://omim.org/help/faq)\tEntrez Gene ID (NCBI)\n901\tgene\t216\n":                       "take mimTitles.txt",
		`"LoincNumber","LongCommonName","PartNumber","PartName","PartTypeName","LinkTypeName"` + "\n":                                            "it relates terms to parts",
		"4\tT\tX\t01\n4\tT\tX\t02\n":                                           `got ["4" "T" "X" "01"], then ["4" "T" "X" "02"]`,
		"1|I9001|A00.0||||River fever\n1|I9002|A00.1||||Stone\n":               "format not recognized",
		"type_name\tid\nfever\tD1\n":                                           `got ["type_name" "id"]`,
		"ICD-10\nA00\nA01\n":                                                   "", // names of a list, as far as can be told
		"code,\nA00,\nA01,\n":                                                  "want a header that names a column of ids and one of names",
		"Merkmal;Wort\nD1;a\n":                                                 `want a header that names a column of ids and one of names, got ["Merkmal" "Wort"], then ["D1" "a"]`,
		"NUM\tPROPERTY\tCLASS\n1-8\tSusc\tABX\n2-6\tSusc\tABX\n":               `got ["NUM" "PROPERTY" "CLASS"], then ["1-8" "Susc" "ABX"] and ["2-6" "Susc" "ABX"]`,
		"code\tmeaning text\nx\triver fever\ny\tstone fever\nz\tflood fever\n": `got ["code" "meaning text"]`,
	} {
		_, _, err := Read(writeFile(t, "file", text), Options{})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

// TestProse refuses texts whose lines a comma or a semicolon splits.
func TestProse(t *testing.T) {
	for text, refused := range map[string]bool{
		"Asthma and gout are common. Patients with gout rarely wheeze, whereas others do.\n":             true,
		"Seen today. No fever, no chills, no cough.\nHe was well, but tired.\nPlan: rest\n":              true,
		"Gout; flu; and asthma were found.\n":                                                            true,
		"heart attack,myocardial infarction\nstroke,apoplexy\n":                                          false,
		"D1,Pneumonia, n.o.s.\nD2,Gastritis, n.o.s.\n":                                                   false,
		"river fever,flood fever,a fever.\nstone fever,rock fever\nsand fever,dune fever\nmud,bog fever": false,
	} {
		_, _, err := Read(writeFile(t, "file", text), Options{})
		if got := err != nil && strings.Contains(err.Error(), "want a dictionary, got text"); got != refused {
			t.Errorf("%q: error %v, want it refused as text: %t", text, err, refused)
		}
	}
}

// TestJSONForms reads what people make of JSON: lists of objects, and refuses names with ids in place of ids with
// names.
func TestJSONForms(t *testing.T) {
	for text, want := range map[string]string{
		`[{"id": "D1", "name": "asthma", "synonyms": ["wheezing"]},` + "\n" + ` {"id": 2, "name": "gout"}]`: "D1 asthma wheezing|2 gout",
		" [\n {\"id\": \"D1\", \"name\": \"asthma\", \"note\": \"x\"}\n]\n":                                 "D1 asthma",
		`[{"id": "D1", "name": "asthma"}, {"name": "gout"}]`:                                                "D1 asthma",
		`{"D1": ["heart attack"], "D2": ["T2D"]}`:                                                           "D1 heart attack|D2 T2D",
		`{"stomach cancer": ["TP53"], "gout": ["urate"]}`:                                                   "stomach cancer TP53|gout urate",
		`{"heart attack": ["D1"], "gout": ["D2"]}`:                                                          "",
		`[{"id": "D1", "name": "asthma"}`:                                                                   "",
		`[{"id": "D1", "name": "asthma"}, "gout"]`:                                                          "D1 asthma",
	} {
		d, _, err := Read(writeFile(t, "file", text), Options{})
		if err != nil {
			if want != "" {
				t.Errorf("%q: %v", text, err)
			}
			continue
		}
		var got []string
		for _, c := range concepts(d) {
			got = append(got, strings.Join(append([]string{string(c.ID)}, c.Names()...), " "))
		}
		slices.Sort(got)
		wanted := strings.Split(want, "|")
		slices.Sort(wanted)
		if !slices.Equal(got, wanted) {
			t.Errorf("%q: %q, want %q", text, got, wanted)
		}
	}
}

// TestColumnsBesideSynonyms takes a column called after what the concepts are for their names, and says of synonyms
// that are not separated how many have commas.
func TestColumnsBesideSynonyms(t *testing.T) {
	_, report, err := Read(writeFile(t, "file", "ID\tDisease\tDescription\tOther names\nD1\tgout\tIt hurts.\tpodagra, foot gout\n"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []Column{{Name: "ID", Role: "id"}, {Name: "Disease", Role: "name"}, {Name: "Description"},
		{Name: "Other names", Role: "synonyms"}}
	if !slices.Equal(report.Columns, want) || report.Commas != 1 {
		t.Errorf("columns %+v and %d synonyms with commas, want %+v and 1", report.Columns, report.Commas, want)
	}
}

// TestHeaderError names the columns that look like those of identifiers and names.
func TestHeaderError(t *testing.T) {
	_, _, err := Read(writeFile(t, "file", "Wort,Merkmal\nriver fever,D1\nstone fever,D2\n"), Options{})
	header, ok := errors.AsType[*HeaderError](err)
	if !ok || header.ID != 2 || header.Name != 1 || len(header.Rows) != 3 {
		t.Errorf("error %+v, want one with the ids in column 2 and the names in column 1", err)
	}
}

// TestStatusColumns reads tables of any publisher with a column that says which rows are not in use anymore.
func TestStatusColumns(t *testing.T) {
	for text, living := range map[string][]string{
		"id,name,Deprecated\n1,a,false\n2,b,TRUE\n3,c,\n4,d,2019-01-01\n5,e,0\n":                                    {"1", "3", "5"},
		"mondo_id\tlabel\tobsolete_since\n1\ta\t\n2\tb\t2020\n":                                                     {"1"},
		"UMLS_CUI,Preferred_Term,deprecation\n1,a,\n2,b,no\n":                                                       {"1", "2"},
		"id,name,isObsolete\n1,a,No\n2,b,yes\n3,c,N\n":                                                              {"1", "3"},
		"id\tname\tactive\n1\ta\t1\n2\tb\t0\n3\tc\tyes\n4\td\tfalse\n5\te\t\n":                                      {"1", "3", "5"},
		"Code;Bezeichnung;Status\n1;a;active\n2;b;Retired\n3;c;Entry Withdrawn\n4;d;new\n":                          {"1", "4"},
		"id,name,invalid_reason\n1,a,\n2,b,D\n3,c,\\N\n4,d,U\n":                                                     {"1", "3"},
		"id,name,status,replaced_by\n1,a,obsolete,2\n2,b,obsolete,3\n3,c,,\n":                                       {"3"},
		"id,name,Discontinued\n1,a,No\n2,b,Yes\n":                                                                   {"1"},
		"id,name,Record Status\n1,a,A\n2,b,I\n":                                                                     {"1"},
		"id,name,State\n1,a,published\n2,b,withdrawn\n":                                                             {"1"},
		"id,name,Valid\n1,a,Y\n2,b,N\n":                                                                             {"1"},
		"id;name;Gültig\n1;a;ja\n2;b;nein\n":                                                                        {"1"},
		"code;libelle;statut\n1;a;actif\n2;b;inactif\n":                                                             {"1"},
		"id,name,start_date,end_date\n1,a,2001-01-01,\n2,b,2001-01-01,2010-05-05\n3,c,,2999-12-31\n4,d,,20991231\n": {"1", "3", "4"},
		"Code;Bezeichnung;gueltig_bis\n1;a;31.12.9999\n2;b;31.12.2019\n3;c;2019\n4;d;offen\n":                       {"1", "4"},
		"code,name,Gültig bis\n1,a,\n2,b,20191231\n":                                                                {"1"},
		"HCPC,LONG DESCRIPTION,TERM DT\n1,a,\n2,b,20101231\n":                                                       {"1"},
		"Code,Name,Effective To\n1,a,12/31/2999\n2,b,12/31/2019\n3,c,2019-12-31T00:00:00Z\n":                        {"1"},
		"Code;Omschrijving;Einddatum\n1;a;31-12-2999\n2;b;31-12-2019\n":                                             {"1"},
		"id,name,Archived\n1,a,\n2,b,x\n":                                                                           {"1"},
		"id,name,is_deleted\n1,a,0\n2,b,1\n":                                                                        {"1"},
		"id,name,Current\n1,a,TRUE\n2,b,FALSE\n":                                                                    {"1"},
		"id,name,Removed in version\n1,a,\n2,b,3.2\n":                                                               {"1"},
		"id,name,Lifecycle\n1,a,Published\n2,b,Withdrawn\n":                                                         {"1"},
		"id,name\n1,a\n2,DEPRECATED: b\n3,(retired) b\n4,b [obsolete]\n5,Retired (finding)\n6,obsolete\n":           {"1", "5", "6"},
	} {
		d, report, err := Read(writeFile(t, "file", text), Options{})
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		var got []string
		for _, c := range concepts(d) {
			got = append(got, string(c.ID))
		}
		if !slices.Equal(got, living) || report.Obsolete != strings.Count(text, "\n")-1-len(living) {
			t.Errorf("%q: concepts %q, %d obsolete, want %q and the others", text, got, report.Obsolete, living)
		}
		if strings.Contains(text, "replaced_by") {
			// 1 was replaced by 2, which was replaced by 3.
			if c := d.Lookup("1"); c == nil || c.ID != "3" || report.Replaced != 2 {
				t.Errorf("%q: 1 is %v and %d are replaced, want 3 and 2", text, c, report.Replaced)
			}
		}
	}
}

// TestSemanticTags adds names without the semantic tags of SNOMED CT, and no others.
func TestSemanticTags(t *testing.T) {
	d, _, err := Read(writeFile(t, "file", "id\tname\tsynonyms\nS1\tRiver fever (disorder)\tKnee (body structure)|flood (2019)\nS2\tlens (of eye)\t\n"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []kb.Concept{
		{
			ID: "S1", Name: "River fever (disorder)", Synonyms: []string{"Knee (body structure)", "flood (2019)", "River fever", "Knee"},
			Types: []string{"body structure", "disorder"},
		},
		{ID: "S2", Name: "lens (of eye)"},
	}
	if diff := cmp.Diff(want, concepts(d), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("concepts (-want +got):\n%s", diff)
	}
}

// TestSeparatorLine reads tables that begin with the line by which Excel knows the delimiter.
func TestSeparatorLine(t *testing.T) {
	for _, text := range []string{
		"sep=;\nid;name\nD1;river fever\nD2;stone, fever\n", "sep=,\r\nid,name\r\nD1,river fever\r\nD2,\"stone, fever\"\r\n",
		"\"sep=;\"\nid;name\nD1;river fever\nD2;stone, fever\n", "sep=\t\nid\tname\nD1\triver fever\nD2\tstone, fever\n",
		"sep=|\nid|name\nD1|river fever\nD2|stone, fever\n",
	} {
		d, report, err := Read(writeFile(t, "file", text), Options{Strict: true})
		if err != nil || d.Len() != 2 || d.At(0).Name != "river fever" || d.At(1).Name != "stone, fever" || report.Rows != 2 {
			t.Errorf("%q: %v, %v", text, d, err)
		}
	}
}

// TestParentsOfVocabularies reads hierarchies as their publishers distribute them.
func TestParentsOfVocabularies(t *testing.T) {
	for text, want := range map[string][]Edge{
		"id\teffectiveTime\tactive\tmoduleId\tsourceId\tdestinationId\trelationshipGroup\ttypeId\tcharacteristicTypeId\tmodifierId\n" +
			"1\t2020\t1\t9\t11\t12\t0\t116680003\t9\t9\n2\t2020\t0\t9\t11\t13\t0\t116680003\t9\t9\n3\t2020\t1\t9\t11\t14\t0\t363698007\t9\t9\n": {{"11", "12"}},
		"901\t|\t900\t|\tspecies\t|\tFR\t|\t1\t|\n900\t|\t1\t|\tgenus\t|\t\t|\t1\t|\n": {{"900", "1"}, {"901", "900"}},
		"concept_id_1\tconcept_id_2\trelationship_id\tvalid_start_date\tvalid_end_date\tinvalid_reason\n" +
			"1\t2\tIs a\t1\t2\t\n1\t3\tMaps to\t1\t2\t\n1\t4\tIs a\t1\t2\tD\n": {{"1", "2"}},
		"C0000901|A1|AUI|PAR|C0000902|A2|AUI||R1||MSH|MSH|||N||\nC0000902|A2|AUI|CHD|C0000901|A1|AUI||R2||MSH|MSH|||N||\n" +
			"C0000901|A1|AUI|PAR|C0000903|A3|AUI||R3||MSH|MSH|||O||\nC0000901|A1|AUI|PAR|C0000901|A4|AUI||R4||MSH|MSH|||N||\n": {{"C0000901", "C0000902"}},
	} {
		got, err := ReadParents(writeFile(t, "file", text), Options{}.Limits, nil)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %v, %v, want %v", text, got, err, want)
		}
	}
}

func TestWithoutRetired(t *testing.T) {
	d := kb.NewDictionary([]kb.Concept{{ID: "1", Name: "a"}, {ID: "2", Name: "b", AltIDs: ids{"3"}}})
	got, n := WithoutRetired(d, map[kb.ConceptID]bool{"1": true, "3": true})
	if n != 1 || got.Len() != 1 || got.At(0).ID != "2" {
		t.Errorf("%d left out of %v, want 1", n, concepts(got))
	}
}

// TestSpreadsheetValues refuses rows of text files with what a spreadsheet made of identifiers and names.
func TestSpreadsheetValues(t *testing.T) {
	text := "id,name,note\n1-Aug,a,\n2-8,b,1-Aug\n9.00000000000207E+17,c,\n9E+17,d,\nG1,1-Sep,\nG2,SEPT1,\n8E01,e,\n"
	d, report, err := Read(writeFile(t, "file", text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var lines []int
	for _, bad := range report.Errors {
		lines = append(lines, bad.Line)
	}
	if want := []int{2, 4, 5, 6}; !slices.Equal(lines, want) || d.Len() != 3 {
		t.Errorf("malformed rows %v, %d concepts, want %v and 3", report.Errors, d.Len(), want)
	}
}

// TestLanguageReferenceSet reads which descriptions of SNOMED CT are preferred, and names concepts by them.
func TestLanguageReferenceSet(t *testing.T) {
	set := writeFile(t, "set", "id\teffectiveTime\tactive\tmoduleId\trefsetId\treferencedComponentId\tacceptabilityId\n"+
		"a\t2020\t1\t9\t900000000000509007\t100014\t900000000000548007\nb\t2020\t1\t9\t900000000000509007\t100013\t900000000000549004\n"+
		"c\t2020\t0\t9\t900000000000509007\t100013\t900000000000548007\n")
	preferred, err := ReadLanguageReferenceSet(set, Options{}.Limits)
	if err != nil || len(preferred) != 1 || !preferred["100014"] {
		t.Fatalf("%v, %v, want 100014", preferred, err)
	}
	descriptions := writeFile(t, "descriptions", vocabularyTests[0].text)
	if other, err := ReadLanguageReferenceSet(descriptions, Options{}.Limits); other != nil || err != nil {
		t.Errorf("of descriptions: %v, %v, want none", other, err)
	}
	d, _, err := Read(descriptions, Options{PreferredDescriptions: preferred})
	if err != nil {
		t.Fatal(err)
	}
	want := kb.Concept{ID: "2001003", Name: `Glass bone; brittle "bone"`, Synonyms: []string{"Glass bone state"}, Types: []string{"disorder"}}
	if diff := cmp.Diff(want, *d.Lookup("2001003"), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestHeaders finds the header of a table in a comment, below a title, and by descriptions where no column has names.
func TestHeaders(t *testing.T) {
	for text, want := range map[string]string{ // the first concept
		"#CUI|name|source|SUPPRESS|\nC0000001|1,2-fever|X|N|\nC0000002|stone fever|X|Y|\n":                   "C0000001 1,2-fever",
		"# made by hand\n# id;name\nD1;river fever\n":                                                        "D1 river fever",
		"Fevers of the rivers\n\nid,name\nD1,river fever\n":                                                  "D1 river fever",
		"Fevers,,\nid,name,synonyms\nD1,river fever,kedani fever\n":                                          "D1 river fever",
		"Fevers\nid\tname\nD1\triver fever\n":                                                                "D1 river fever",
		"item,itemLabel,itemAltLabel\nD1,river fever,\n":                                                     "D1 river fever",
		"HCPC,SEQNUM,RECID,LONG DESCRIPTION\nA0021,00100,3,River fever\n":                                    "A0021 River fever",
		"ncbi_gene_id\tgene_symbol\thpo_id\thpo_name\tdisease_id\n9901\tQRX1\tHP:1\tfever\tOMIM:1\n":         "9901 QRX1",
		"hpo_id\thpo_name\tncbi_gene_id\tgene_symbol\nHP:1\tfever\t9901\tQRX1\n":                             "HP:1 fever",
		"O*NET-SOC Code\tAlternate Title\n11-1.00\tRiver keeper\n":                                           "11-1.00 River keeper",
		"code,description\nA00,Cholera\n":                                                                    "A00 Cholera",
		"CODE\tSHORT DESCRIPTION (2025)\tLONG DESCRIPTION (2025)\tNF EXCL\nA00\tChol\tCholera of rivers\t\n": "A00 Cholera of rivers",
		"id,name,description\nD1,river fever,A fever.\n":                                                     "D1 river fever",
		"icd10_code,icd10_description\nA75,River fever\n":                                                    "A75 River fever",
		"DiagCode,DiagDesc,ChapterDesc\nA75,River fever,Fevers\n":                                            "A75 River fever",
		"Readcode,ReadcodeDescr,Category,Disease\nG20..,River fever,Diagnosis,Fevers\n":                      "G20.. River fever",
		"icd_code,icd_version,long_title\n0010,9,River fever\n":                                              "0010 River fever",
		"row_id,icd9_code,short_title,long_title\n7,0010,River,River fever\n":                                "0010 River fever",
		"organism_name,gene_id,gene_name\nHomo sapiens,1,QRX1\n":                                             "1 QRX1",
		"id,species_name\n1,Fluvius rufus\n":                                                                 "1 Fluvius rufus",
		"patient_id,diagnosis_code,diagnosis_name\n7,A75,River fever\n":                                      "A75 River fever",
		"department_name,department_id,diagnosis_name,diagnosis_id\nCardiology,7,River fever,A75\n":          "A75 River fever",
		"MONDO_ID,MONDO_label,source_id,source_label\nMONDO:1,river fever,X:1,flood\n":                       "MONDO:1 river fever",
		"id\tname\n1\tD1\triver fever\n":                                                                     "D1 river fever", // of R, with numbers of rows
		"?item\t?itemLabel\n<http://x/D1>\t\"river \\\"red\\\" fever\"@en\n":                                 "http://x/D1 river \"red\" fever",
		"ID,LABEL,SC %,A oboInOwl:hasExactSynonym SPLIT=|\nD1,river fever,D9,kedani\n":                       "D1 river fever",
	} {
		d, report, err := Read(writeFile(t, "file", text), Options{Strict: true})
		if err != nil || d.Len() != 1 || string(d.At(0).ID)+" "+d.At(0).PreferredName() != want {
			t.Errorf("%q: %v, %+v, %v, want %s", text, d, report, err, want)
		}
	}
	for _, text := range []string{ // no lists of names
		"A00 Cholera\nA01 Typhoid fever\n", "name: river fever\nid: D1\n", "*NEWRECORD\nMH = Fever\nUI = D1\n", "He had a fever\nof rivers.\n",
		">seq1\nACGT\n", "river fever (A75)\nflood (A76)\n", "D001|river fever\nD002|stone fever\n",
	} {
		if d, report, err := Read(writeFile(t, "file", text), Options{}); err == nil {
			t.Errorf("%q is read as %s: %v", text, report.Format, concepts(d))
		}
	}
}

// TestSchemes refuses rows with a code that another scheme has in a row above.
func TestSchemes(t *testing.T) {
	text := "code,system,display\n1,http://a,river fever\n1,http://b,femur\n2,http://b,tibia\n1,http://a,kedani fever\n"
	d, report, err := Read(writeFile(t, "file", text), Options{})
	if err != nil || d.Len() != 2 || report.BadRows != 1 || report.Errors[0].Line != 3 || !slices.Equal(d.Lookup("1").Names(), []string{"river fever", "kedani fever"}) {
		t.Errorf("%v, malformed rows %v, %v, want line 3", d, report.Errors, err)
	}
}

// TestTableRows reads the rows of tables by what other columns say of them.
func TestTableRows(t *testing.T) {
	for text, want := range map[string]string{ // ids and names, with bars between concepts
		"id,name\nD1,river fever\n\ufeffid,name\nD2,flood\n":                                                                                                                                   "D1 river fever|D2 flood",
		"id,name,replaced_by\nD1,river fever,\nD2,kedani fever,D1\nD3,flood,D3\nD4,mud,NULL\n":                                                                                                 "D1 river fever|D3 flood|D4 mud",
		"id,lang,label\nD1,en,river fever\nD1,de,Flussfieber\nD2,EN-us,stone fever\nD3,,flood\n":                                                                                               "D1 river fever|D2 stone fever|D3 flood",
		"id,language,label\nD1,English,river fever\nD1,German,Flussfieber\n":                                                                                                                   "D1 river fever",
		"id,language_id,label\nD1,1,river fever\n":                                                                                                                                             "D1 river fever",
		"id,name\nD1,river fever\nD2,#NAME?\n#REF!,flood\n":                                                                                                                                    "D1 river fever",
		"Source,Code,Label\nICD10,A00,river fever\nSNOMED,A00,flood\nICD10,A01,stone fever\n":                                                                                                  "A00 river fever|A01 stone fever",
		"cui,source,name\nC1,MSH,river fever\nC1,OMIM,kedani fever\n":                                                                                                                          "C1 river fever kedani fever",
		"{\"_id\":\"D1\",\"name\":\"river fever\"}\n{\"_id\":\"D2\",\"name\":\"stone fever\"}\n":                                                                                               "D1 river fever|D2 stone fever",
		"{\"id\":\"D1\",\"name\":\"river fever\",\"_id\":\"x\"}\n":                                                                                                                             "D1 river fever",
		"item,itemLabel,itemAltLabel\nhttp://www.wikidata.org/entity/Q1,river fever,\"kedani, bank fever\"\nhttp://www.wikidata.org/entity/Q2,Q2,flood\n":                                      "http://www.wikidata.org/entity/Q1 river fever kedani bank fever|http://www.wikidata.org/entity/Q2 flood",
		`{"head": {"vars": ["d", "dLabel"]}, "results": {"bindings": [{"d": {"type": "uri", "value": "http://x/D1"}, "dLabel": {"xml:lang": "en", "value": "river fever"}}]}}`:                 "http://x/D1 river fever",
		`{"minConceptGroup": {"minConcept": [{"rxcui": "1001", "name": "river fever", "tty": "IN"}]}}`:                                                                                         "1001 river fever",
		`{"pageSize": 25, "result": {"classType": "searchResults", "results": [{"ui": "C1", "rootSource": "MTH", "name": "river fever"}]}}`:                                                    "C1 river fever",
		`{"_embedded": {"terms": [{"iri": "X:1", "label": "river fever", "is_obsolete": false}, {"iri": "X:2", "label": "flood", "is_obsolete": true}]}}`:                                      "X:1 river fever",
		`{"id": "D1", "label": "river fever", "of": {"parts": [{"id": "D2", "label": "flood"}]}}`:                                                                                              "D1 river fever",
		"{\"label\": \"DISEASE\", \"pattern\": \"river fever\"}\n{\"label\": \"DISEASE\", \"pattern\": \"flood\"}\n":                                                                           "flood flood|river fever river fever",
		"Code\tCodelist Code\tCDISC Submission Value\tCDISC Synonym(s)\tNCI Preferred Term\nC1\tC9\tRF\tkedani\tRiver Fever\n":                                                                 "C1 River Fever kedani",
		"Code\tCodelist Code\tCodelist Name\tCDISC Synonym(s)\tNCI Preferred Term\nC1\tC9\tFevers\tkedani\tRiver Fever\n":                                                                      "C1 River Fever kedani",
		"iri,ontology_name,obo_id,label\nhttp://x/1,fevers,X:1,river fever\n":                                                                                                                  "http://x/1 river fever",
		"syn_id,id,name,lname\n1,10,river fever,r\n2,10,kedani fever,k\n":                                                                                                                      "10 river fever kedani fever",
		"id,name,synonyms\nD1,river fever,\"[\"\"kedani\"\", \"\"Li's fever, old\"\"]\"\nD2,flood,[]\n":                                                                                        "D1 river fever kedani Li's fever, old|D2 flood",
		"id,name,synonyms\nD1,river fever,\"['kedani', \"\"Li's fever\"\", 'a \\'b\\' c']\"\nD2,flood,[mud]\n":                                                                                 "D1 river fever kedani Li's fever a 'b' c|D2 flood [mud]",
		"Code CIM;Libellé\nA1;fièvre du fleuve\n":                                                                                                                                              "A1 fièvre du fleuve",
		"code;omschrijving;geldig\nA1;rivierkoorts;ja\nA2;steenkoorts;nee\n":                                                                                                                   "A1 rivierkoorts",
		"疾病编码,疾病名称,附加码\nA00,河热,\n":                                                                                                                                                             "A00 河热",
		"질병분류코드,한글명\nA00,강열병\n":                                                                                                                                                                "A00 강열병",
		"Код;Наименование;Актуально\nA1;речная лихорадка;1\nA2;каменная лихорадка;0\n":                                                                                                         "A1 речная лихорадка",
		"SUBCAT;CLASSIF;RESTRSEXO;CAUSAOBITO;DESCRICAO;DESCRABREV;REFER;EXCLUIDOS;\nA000;;;;Febre do rio;A00.0 Febre;;;\n":                                                                     "A000 Febre do rio",
		"phecode,phenotype,sex\n008,river fever,Both\n":                                                                                                                                        "008 river fever",
		"Ontology ID\tlabel\tparent\talso\told\nID\tA rdfs:label\tSC %\tA oboInOwl:hasExactSynonym SPLIT=|\tA owl:deprecated\nX:1\triver fever\tfever\tRF|kedani\t\nX:2\tmud\tfever\t\ttrue\n": "X:1 river fever RF kedani",
		"IRI,Name,Alt,Kind\nID,AL rdfs:label@en,AT oboInOwl:hasRelatedSynonym^^xsd:string SPLIT=;,TYPE\nX:1,river fever,RF;kedani,owl:Class\n":                                                 "X:1 river fever RF kedani",
		"R-HSA-1\triver fever\tHomo sapiens\nR-HSA-2\tflood\tHomo sapiens\n":                                                                                                                   "R-HSA-1 river fever|R-HSA-2 flood",
		"C01\triver fever\tT047\nC02\tflood\tT047\nC03\tmud\t\n":                                                                                                                               "C01 river fever|C02 flood|C03 mud",
		"D1\triver fever\tRF\nD2\tflood\tFF\nD3\tmud\tRF\n":                                                                                                                                    "D1 river fever RF|D2 flood FF|D3 mud RF",
		`{"id": "X:1", "category": ["Disease"], "name": "river fever", "synonym": ["RF"]}` + "\n" + `{"id": "X:2", "category": ["Disease"], "name": "mud", "deprecated": true}`:                "X:1 river fever RF",
		"Code (ICD-10);Bezeichnung (deutsch)\nA75;Flussfieber\n":                                                                                                                               "A75 Flussfieber",
		"chapter,chapter_title,code,code_title\nI,Fevers,A75,River fever\n":                                                                                                                    "A75 River fever",
		"id,name,abbreviation,full_name,short name\n1,river fever,RF,kedani river fever,river\n":                                                                                               "1 river fever RF kedani river fever river",
		"id,name,exact_synonym,related_synonym,broad_synonym,narrow_synonym\n1,river fever,RF,kedani,fever,x\n":                                                                                "1 river fever RF kedani",
		"id,name,synonyms\n1,river fever,RF /// kedani / red\n2,flood,\n":                                                                                                                      "1 river fever RF kedani / red|2 flood",
		"id,name,synonyms\n1,river fever,RF // kedani\n2,flood,FF • mud\n":                                                                                                                     "1 river fever RF kedani|2 flood FF • mud",
		"id\tname\tsynonyms\n1\triver fever\t{RF,\"kedani, old\"}\n2\tflood\t{}\n":                                                                                                             "1 river fever RF kedani, old|2 flood",
		"id,name\n'00123,river fever\n":                                    "00123 river fever",
		"- river fever\n- flood\n":                                         "flood flood|river fever river fever",
		"code,term,is_preferred\nA1,RF,0\nA1,river fever,1\nA1,kedani,0\n": "A1 river fever RF kedani",
		"code,term,term type\nA1,RF,Synonym\nA1,river fever,Preferred\n":   "A1 river fever RF",
		"cui,str,tty\nC1,RF,SY\nC1,river fever,PT\nC1,kedani,LLT\n":        "C1 river fever RF kedani",
		"id\tname\n1\triver fever\tRF\n2\tflood\tF\n":                      "1 river fever|2 flood",
	} {
		d, _, err := Read(writeFile(t, "file", text), Options{})
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		var got []string
		for _, c := range concepts(d) {
			got = append(got, string(c.ID)+" "+strings.Join(c.Names(), " "))
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestFewIDs tells a column that has hardly any other value from one of ids.
func TestFewIDs(t *testing.T) {
	rows := func(id func(row int) string) string {
		var b strings.Builder
		b.WriteString("REC_ID,NAME\n")
		for i := range 120 {
			fmt.Fprintf(&b, "%s,river fever %d\n", id(i), i)
		}
		return b.String()
	}
	for text, want := range map[string]string{
		rows(func(int) string { return "3" }):                           "REC_ID",
		rows(func(row int) string { return fmt.Sprintf("D%d", row/4) }): "",
	} {
		_, report, err := Read(writeFile(t, "file", text), Options{})
		if err != nil || report.FewIDs() != want {
			t.Errorf("%.30q: %q, %v, want %q", text, report.FewIDs(), err, want)
		}
	}
}
