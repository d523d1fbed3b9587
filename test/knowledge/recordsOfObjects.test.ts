import assert from "node:assert/strict";
import { test } from "node:test";
import { statementsOf, testStatements } from "../support/statements.ts";

testStatements([
	{
		title: "one object is the document, and its nested objects have pointers",
		file: "w/package.json",
		text: '{\n "name": "x",\n "files": ["a", "2020-01-01"],\n "empty": null,\n "a/b c": {\n  "n": 1.5,\n  "quoted": "7"\n }\n}',
		states: [
			'2-2 <> key:name "x"',
			'3-3 <> key:files "a"',
			'3-3 <> key:files "2020-01-01"^^xsd:date',
			"5-5 <> key:a%2Fb%20c <#/a~1b%20c>",
			"5-8 <#/a~1b%20c> rdf:type <kind:a%2Fb%20c>",
			'5-5 <#/a~1b%20c> name "a/b c"',
			'6-6 <#/a~1b%20c> key:n "1.5"^^xsd:decimal',
			'7-7 <#/a~1b%20c> key:quoted "7"',
		],
	},
	{
		title: "objects of an array are things of the file's name",
		file: "w/people.json",
		text: '[\n{"id": 1, "first": "Ann"},\n{"id": 2, "first": "Bob"}\n]',
		states: [
			"2-2 <#/0> rdf:type <kind:people>",
			'2-2 <#/0> name "Ann"',
			'2-2 <#/0> key:id "1"^^xsd:integer',
			'2-2 <#/0> key:first "Ann"',
			"3-3 <#/1> rdf:type <kind:people>",
			'3-3 <#/1> name "Bob"',
			'3-3 <#/1> key:id "2"^^xsd:integer',
			'3-3 <#/1> key:first "Bob"',
		],
	},
	{
		title: "an object on a line of JSON Lines has the number of the line",
		file: "w/log.jsonl",
		text: '{"who":"Ann","at":{"city":"Rome"}}\nnot json\n{"who":"Bob"}\n',
		states: [
			"1-1 <#line=1> rdf:type <kind:log>",
			'1-1 <#line=1> name "Ann"',
			'1-1 <#line=1> key:who "Ann"',
			"1-1 <#line=1> key:at <#line=1/at>",
			"1-1 <#line=1/at> rdf:type <kind:at>",
			'1-1 <#line=1/at> name "at"',
			'1-1 <#line=1/at> key:city "Rome"',
			"3-3 <#line=3> rdf:type <kind:log>",
			'3-3 <#line=3> name "Bob"',
			'3-3 <#line=3> key:who "Bob"',
		],
	},
	{
		title: "alike objects of a YAML map are things that their keys name, with what they merge",
		file: "w/services.yaml",
		text: "web: &w\n  port: 80\n  up: true\ndb:\n  <<: *w\n  port: '5432'\n",
		states: [
			"1-3 <#/web> rdf:type <kind:services>",
			'1-1 <#/web> name "web"',
			'2-2 <#/web> key:port "80"^^xsd:integer',
			'3-3 <#/web> key:up "true"^^xsd:boolean',
			"4-6 <#/db> rdf:type <kind:services>",
			'4-4 <#/db> name "db"',
			'6-6 <#/db> key:port "5432"',
			'3-3 <#/db> key:up "true"^^xsd:boolean',
		],
	},
	{
		title: "the tables of TOML are objects",
		file: "w/conf.toml",
		text: 'title = "T" # note\n[owner]\nborn = 1979-05-27\n[[servers]]\nip = "a"\nports = [\n  80, # web\n  443,\n]\n',
		states: [
			'1-1 <> key:title "T"',
			"2-2 <> key:owner <#/owner>",
			"2-3 <#/owner> rdf:type <kind:owner>",
			'2-2 <#/owner> name "owner"',
			'3-3 <#/owner> key:born "1979-05-27"^^xsd:date',
			"4-4 <> key:servers <#/servers/0>",
			"4-9 <#/servers/0> rdf:type <kind:servers>",
			'5-5 <#/servers/0> name "a"',
			'5-5 <#/servers/0> key:ip "a"',
			'6-9 <#/servers/0> key:ports "80"^^xsd:integer',
			'6-9 <#/servers/0> key:ports "443"^^xsd:integer',
		],
	},
]);

test("JSON-LD stays JSON-LD", async () => {
	const text = '{"@context": {"@vocab": "https://schema.org/"}, "@id": "urn:x", "name": "X"}';
	assert.deepEqual(await statementsOf("w/a.json", text), ['1-1 <urn:x> name "X"']);
});
