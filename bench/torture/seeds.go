package main

import (
	"os"
	"path/filepath"
	"strings"
)

// Well-formed inputs, which cases mutate and repeat.
const (
	oboSeed  = "format-version: 1.2\ndata-version: releases/2026-01-01\n\n[Term]\nid: A:1\nname: asthma\nsynonym: \"bronchial asthma\" EXACT []\nis_a: A:2 ! lung disease\n\n[Term]\nid: A:2\nname: lung disease\nxref: M:1\n\n[Term]\nid: A:3\nname: gone\nis_obsolete: true\nreplaced_by: A:1\n\n[Typedef]\nid: part_of\nname: part of\n"
	ctdSeed  = "# CTD\n#\n# Fields:\n# DiseaseName\tDiseaseID\tAltDiseaseIDs\tDefinition\tParentIDs\tTreeNumbers\tParentTreeNumbers\tSynonyms\tSlimMappings\n#\nAsthma\tMESH:D001249\tOMIM:600807\tA lung disease.\tMESH:D001982\tC08.1\tC08\tBronchial Asthma|Asthmas\tRespiratory\nBronchial Diseases\tMESH:D001982\t\t\tMESH:D012140\tC08\t\tBronchial Disease\tRespiratory\n"
	rrfSeed  = "C0004096|ENG|P|L0004096|PF|S0015967|Y|A0027331||M0001|D001249|MSH|MH|D001249|Asthma|0|N|256|\nC0004096|ENG|S|L0004097|PF|S0015968|Y|A0027332||M0001|D001249|MSH|EN|D001249|Bronchial Asthma|0|N|256|\nC0004096|FRE|S|L0004098|PF|S0015969|Y|A0027333||M0001|D001249|MSHFRE|EN|D001249|Asthme|0|N|256|\n"
	meshSeed = `<?xml version="1.0"?><!DOCTYPE DescriptorRecordSet SYSTEM "x.dtd"><DescriptorRecordSet LanguageCode="eng">` +
		meshRecord + `<DescriptorRecord><DescriptorUI>D012140</DescriptorUI><DescriptorName><String>Lung Diseases</String></DescriptorName><TreeNumberList><TreeNumber>C08</TreeNumber></TreeNumberList><ConceptList/></DescriptorRecord></DescriptorRecordSet>` + "\n"
	meshRecord = `<DescriptorRecord><DescriptorUI>D001249</DescriptorUI><DescriptorName><String>Asthma</String></DescriptorName><TreeNumberList><TreeNumber>C08.1</TreeNumber></TreeNumberList><ConceptList><Concept><SemanticTypeList><SemanticType><SemanticTypeUI>T047</SemanticTypeUI></SemanticType></SemanticTypeList><TermList><Term><String>Bronchial asthma</String></Term></TermList></Concept></ConceptList></DescriptorRecord>`
	rdfHead    = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:skos="http://www.w3.org/2004/02/skos/core#" xmlns:owl="http://www.w3.org/2002/07/owl#" xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#">`
	rdfConcept = `<skos:Concept rdf:about="http://example.org/c/1"><skos:prefLabel xml:lang="en">asthma</skos:prefLabel><skos:altLabel>bronchial asthma</skos:altLabel><skos:broader rdf:resource="http://example.org/c/2"/></skos:Concept>`
	rdfSeed    = rdfHead + rdfConcept + `<owl:Class rdf:about="http://example.org/c/2"><rdfs:label>lung disease</rdfs:label><rdfs:subClassOf rdf:resource="http://example.org/c/3"/></owl:Class></rdf:RDF>` + "\n"
	graphNode  = `{"id": "http://example.org/A_1", "lbl": "asthma", "type": "CLASS", "meta": {"synonyms": [{"pred": "hasExactSynonym", "val": "bronchial asthma"}]}}`
	graphSeed  = `{"graphs": [{"id": "x", "nodes": [` + graphNode + `, {"id": "http://example.org/A_2", "lbl": "lung disease", "type": "CLASS"}], "edges": [{"sub": "http://example.org/A_1", "pred": "is_a", "obj": "http://example.org/A_2"}]}]}` + "\n"
	sciSeed    = `{"concept_id": "C1", "canonical_name": "asthma", "aliases": ["bronchial asthma"], "types": ["T047"], "definition": "A lung disease."}` + "\n" + `{"concept_id": "C2", "canonical_name": "lung disease", "aliases": [], "types": []}` + "\n"
	fhirHead   = `{"resourceType": "CodeSystem", "url": "x", "status": "active", "concept": [`
	fhirCode   = `{"code": "J45", "display": "Asthma", "designation": [{"language": "en", "value": "Bronchial asthma"}], "property": [{"code": "parent", "valueCode": "J4"}]}`
	fhirSeed   = fhirHead + `{"code": "J4", "display": "Lung disease", "concept": [` + fhirCode + `]}]}` + "\n"

	pubtator     = "1|t|Asthma and hypertension.\n1|a|Bronchial asthma was seen in two patients with high blood pressure.\n1\t0\t6\tAsthma\tDisease\tEX:001\n1\t11\t23\thypertension\tDisease\tEX:013|EX:014\n\n2|t|No mention.\n2|a|None at all.\n\n"
	bioc         = `<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE collection SYSTEM "BioC.dtd"><collection><source>x</source><date>2026</date><key>k</key><document><id>1</id><infon key="a">b</infon><passage><infon key="type">title</infon><offset>0</offset><text>Asthma and hypertension.</text><annotation id="T1"><infon key="type">Disease</infon><infon key="MESH">EX:001</infon><infon key="identifier">EX:001</infon><location offset="0" length="6"/><text>Asthma</text></annotation></passage><passage><offset>25</offset><sentence><offset>25</offset><text>High blood pressure.</text><annotation id="T2"><infon key="identifier">EX:013</infon><location offset="25" length="19"/><text>High blood pressure</text></annotation></sentence></passage></document></collection>` + "\n"
	biocJSONText = `{"id": "1", "passages": [{"offset": 0, "text": "Asthma and hypertension.", "annotations": [{"id": "T1", "infons": {"type": "Disease", "identifier": "EX:001"}, "text": "Asthma", "locations": [{"offset": 0, "length": 6}]}]}]}`
	biocJSONSeed = `{"source": "x", "documents": [` + biocJSONText + `]}` + "\n"
	conllSeed    = "-DOCSTART- (1)\n\nAsthma\tB-Disease\tEX:001\nand\tO\nhigh\tB-Disease\tEX:013\nblood\tI-Disease\tEX:013\n.\tO\n\nNo\tO\nmention\tO\n\n"
	csvTextSeed  = "id,text,start,end,ids\n1,\"Asthma, and so on.\",0,6,EX:001\n2,\"High blood\npressure\",0,19,EX:013\n"
	tsvTextSeed  = "id\tmention\n1\tbronchial asthma\n2\thigh blood pressure\n"
	jatsHead     = `<?xml version="1.0"?><!DOCTYPE article PUBLIC "-//NLM//DTD JATS" "x.dtd"><article><front><article-meta><article-id pub-id-type="pmc">1</article-id><title-group><article-title>Asthma</article-title></title-group><abstract><p>Bronchial asthma.</p></abstract></article-meta></front><body><sec><title>Cases</title>`
	jatsSeed     = jatsHead + `<p>Two patients had <italic>high blood pressure</italic> (<xref>1</xref>).</p><table-wrap><table><tr><td>asthma</td></tr></table></table-wrap></sec></body></article>` + "\n"
	memorySeed   = `{"kind":"name","at":"2026-01-02T03:04:05Z","by":"ann","concept":"EX:013","name":"raised pressure"}` + "\n" + `{"kind":"concept","at":"2026-01-02T03:04:05Z","by":"ann","id":"MY:1","name":"new disease","synonyms":["other new disease"],"parents":["EX:013"]}` + "\n"
	pairsSeed    = "asthma\tbronchial asthma\t9.5\nasthma\thypertension\t2\n"
)

// reader is a command that reads an input in a format.
type reader struct {
	name string
	seed string // a well-formed input
	args func(l *lab, path string) []string
}

// readers returns a reader of each format.
func readers(l *lab) ([]reader, error) {
	files := map[string]string{}
	for _, name := range []string{dictionaryFile, sentencesFile, goldFile, "pubmed/example01.xml", answersFile, workbookFile} {
		data, err := os.ReadFile(l.fixture(name))
		if err != nil && l.lacking == nil {
			return nil, err
		}
		files[name] = string(data)
	}
	// A record is enough of the XML.
	xml := files["pubmed/example01.xml"]
	const recordEnd = "</PubmedArticle>"
	if at := strings.Index(xml, recordEnd); at >= 0 {
		if next := strings.Index(xml[at+1:], recordEnd); next >= 0 {
			xml = xml[:at+1+next+len(recordEnd)] + "\n</PubmedArticleSet>\n"
		}
	}
	return []reader{
		{"dictionary, tsv", files[dictionaryFile], dictAs("")},
		{"dictionary, csv", "id,name,synonyms\nC1,asthma,\"bronchial asthma|a \"\"b\"\"\"\nC2,hypertension,high blood pressure\n", dictAs("csv")},
		{"dictionary, ctd", ctdSeed, dictAs("ctd")},
		{"dictionary, obo", oboSeed, dictAs("")},
		{"dictionary, mrconso", rrfSeed, dictAs("")},
		{"dictionary, biosyn", "C1||asthma\nC1|C9||bronchial asthma\nC2||hypertension\n", dictAs("")},
		{"dictionary, jsonl", `{"id": "C1", "name": "asthma", "synonyms": ["bronchial asthma"], "parents": ["C2"]}` + "\n" + `{"id": "C2", "name": "lung disease"}` + "\n", dictAs("")},
		{"dictionary, json", `{"C1": ["asthma", "bronchial asthma"], "C2": ["hypertension"]}` + "\n", dictAs("")},
		{"dictionary, mesh", meshSeed, dictAs("")},
		{"dictionary, rdf", rdfSeed, dictAs("")},
		{"dictionary, obograph", graphSeed, dictAs("")},
		{"dictionary, scispacy", sciSeed, dictAs("")},
		{"dictionary, fhir", fhirSeed, dictAs("")},
		{"dictionary, xlsx", files[workbookFile], func(l *lab, path string) []string { return append(dictAs("xlsx")(l, path), workbookColumns...) }},
		{"dict check", files[dictionaryFile], func(l *lab, path string) []string {
			return l.ctxnorm("dict", "check", "--corpus", l.fixture(corpusFolder), "--json", path)
		}},
		{"parents", "child\tparent\nEX:001\tEX:002\nEX:003\tEX:002\n", dictFlag("--parents")},
		{"ids", `{"EX:001": ["EX:001", "M:1"], "EX:002": ["M:2"]}` + "\n", dictFlag("--ids")},
		{"stop names", "asthma\nhigh blood pressure\n", dictFlag("--stop-names")},
		{"pmids", "1\n2\n34567\n", excludePMIDs},
		{"PubMed XML", xml, build},
		{"word-vectors", files[sentencesFile], wordVectorsOf},
		{"texts, jsonl", files[sentencesFile], linkOf("")},
		{"texts, marked", "He had [ENT] asthma [/ENT] and [ENT] high blood pressure (HBP) [/ENT].\n[ENT] Crohn's disease [/ENT] was seen.\n", linkOf("")},
		{"texts, PubTator", pubtator, linkOf("")},
		{"texts, BioC", bioc, linkOf("")},
		{"texts, BioC JSON", biocJSONSeed, linkOf("bioc-json")},
		{"texts, CoNLL", conllSeed, linkOf("conll")},
		{"texts, csv", csvTextSeed, linkOf("csv")},
		{"texts, tsv", tsvTextSeed, linkOf("tsv")},
		{"texts, JATS", jatsSeed, tagOf("jats")},
		{"texts, PubMed XML", xml, tagOf("pubmed")},
		{"texts, plain", "He had asthma and high blood pressure (HBP).\nHBP was seen.\n", tagOf("plain")},
		{"texts, to HTML", bioc, func(l *lab, path string) []string { return append(linkOf("")(l, path), "--format", "html") }},
		{"gold, jsonl", files[goldFile], evalOf},
		{"gold, PubTator", pubtator, evalOf},
		{"gold, BioC", bioc, evalOf},
		{"predictions", files[answersFile], comparison},
		{"entries of a memory", memorySeed, importMemory},
		{"settings", "tag:\n  dict: " + l.fixture(dictionaryFile) + "\n  input: [" + l.fixture(sentencesFile) + "]\n", func(l *lab, path string) []string { return l.ctxnorm("tag", "--config", path) }},
		{"calibrate, PubTator", pubtator, func(l *lab, path string) []string {
			return l.ctxnorm("calibrate", "--model", filepath.Join(filepath.Dir(path), "model"), "--gold", path)
		}},
	}, nil
}

// Commands that read an input at a path. Those that write, write beside it.

// dictAs returns the command that reads a dictionary in a format, "" to recognize it.
func dictAs(format string) func(l *lab, path string) []string {
	return func(l *lab, path string) []string {
		args := l.ctxnorm("tag", "--dict", path, "--input", l.fixture(sentencesFile))
		if format != "" {
			args = append(args, "--dict-format", format)
		}
		return args
	}
}

// dictFlag returns the command that reads a file of a flag beside a dictionary.
func dictFlag(flag string) func(l *lab, path string) []string {
	return func(l *lab, path string) []string {
		return l.ctxnorm("tag", "--dict", l.fixture(dictionaryFile), "--input", l.fixture(sentencesFile), flag, path)
	}
}

func excludePMIDs(l *lab, path string) []string {
	return append(l.buildCorpus(filepath.Join(filepath.Dir(path), "corpus"), 1), "--exclude-pmids", path)
}

func build(l *lab, path string) []string {
	return append(l.buildCorpus(filepath.Join(filepath.Dir(path), "corpus")), path)
}

func wordVectorsOf(l *lab, path string) []string {
	return l.wordVectors(filepath.Join(filepath.Dir(path), "vectors"), "--input", path)
}

// linkOf returns a link of texts in a format, "" to recognize it.
func linkOf(format string) func(l *lab, path string) []string {
	return func(l *lab, path string) []string {
		args := l.ctxnorm("link", "--model", l.fixture(stringModel), "--input", path, "--explain")
		if format != "" {
			args = append(args, "--input-format", format)
		}
		return args
	}
}

// tagOf returns a link of the names in texts without mentions.
func tagOf(format string) func(l *lab, path string) []string {
	return func(l *lab, path string) []string { return append(linkOf(format)(l, path), "--tag", "--assertion") }
}

func evalOf(l *lab, path string) []string {
	return l.ctxnorm("eval", "--model", l.fixture(stringModel), "--gold", path, "--json")
}

func comparison(l *lab, path string) []string {
	return append(evalOf(l, l.fixture(goldFile)), "--compare", path)
}

func importMemory(l *lab, path string) []string {
	return l.ctxnorm("memory", "import", "--model", filepath.Join(filepath.Dir(path), "model"), path)
}
