import assert from "node:assert/strict";
import { test } from "node:test";
import { told } from "./everything.ts";
import { openPolicy } from "./openPolicy.ts";

const STAFF = "staff:\n  - rank: 1\n    pay: zorkmid-1\n  - rank: 2\n    home: {street: zorkmid-2, no: 5}\n";
const DEEP = "staff:\n  - rank: 1\n    who: Pia\n    a: {b: {c: {d: {e: {pay: zorkmid-3}}}}}\n";
const FILES = {
	"a.md": `---\nname: Alfa\ntype: Person\n${STAFF}---\n\nText.\n`,
	"b.yaml": STAFF,
	"c.json":
		'{"name": "Bo", "staff": [\n{"rank": 1,\n"pay": "zorkmid-1"},\n{"home":\n{"street": "zorkmid-2"}}]}',
	"d.toml": "[[staff]]\nrank = 1\npay = 'zorkmid-1'\n[[staff]]\nhome = {street = 'zorkmid-2'}\n",
	"e.jsonl": '{"name": "Ed", "staff": [{"rank": 1, "pay": "zorkmid-1"}]}\n',
	"deep.md": `---\nname: Deep\n${DEEP}---\n\nText.\n`,
	"keys.md": "---\nname: Keys\nstaff:\n  - rank: 1\n    ? [pay]\n    : zorkmid-4\n---\n\nText.\n",
	"lists.md": "---\nname: Lists\nstaff:\n  - rank: 1\n    who: [[{pay: zorkmid-5}]]\n---\n\nText.\n",
	"merged.md": "---\nname: Merged\nbase: &b {pay: zorkmid-6, rank: 3}\nstaff:\n  - *b\n---\n\nText.\n",
	"umlaut.yaml": "name: Uma\nL\u00f6hne: zorkmid-7\n",
	"umlaut.csv": "Name,L\u00f6hne\nAnn,zorkmid-8\nBob,zorkmid-9\n",
};

for (const { deny, of = Object.keys(FILES), hides } of [
	{ deny: "{properties: [staff, base]}", hides: /zorkmid-[1-6]/ },
	{ deny: "{properties: [pay]}", hides: /zorkmid-[13456]/ },
	{ deny: "{properties: [staff.pay, staff.home.street]}", hides: /zorkmid-[12]/ },
	{ deny: "{properties: [home]}", hides: /zorkmid-2/ },
	{ deny: "{properties: [l\u00f6hne]}", hides: /zorkmid-[789]/ },
	{ deny: "{types: [Person]}", of: ["a.md"], hides: /zorkmid/ },
	{ deny: "{types: [Person], properties: [pay, street]}", of: ["a.md"], hides: /zorkmid/ },
])
	test(`objects in a record are hidden with the value that they are in: ${deny}`, async (t) => {
		const config = `exclude: [.copilot-ld/]\npolicy:\n  - deny: ${deny}\n    doors: [mcp]\n`;
		const files = Object.fromEntries(Object.entries(FILES).filter(([path]) => of.includes(path)));
		const opened = await openPolicy(t, config, files);
		const asking = { searches: ["staff pay zorkmid"], targets: of };
		assert.doesNotMatch(await told(opened, "mcp", asking), hides);
		assert.match(await told(opened, "chat", asking), hides);
	});

const PREFIXES = `@prefix s: <https://schema.org/> . @prefix v: <urn:v#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
`;

const turtles = Object.entries({
	reified: `<urn:st> rdf:subject <urn:shown> ; rdf:predicate v:salary ; rdf:object "zorkmid-1" .`,
	annotated: `[] owl:annotatedSource <urn:shown> ; owl:annotatedProperty v:salary ; owl:annotatedTarget "zorkmid-1" .`,
	valueNode: `<urn:a> v:salary <urn:pay> .\n<urn:pay> rdf:value "zorkmid-1" ;\n s:unitText "zorkmid-2" .`,
	subproperty: `v:base rdfs:subPropertyOf v:pay . v:pay rdfs:subPropertyOf v:salary .\n<urn:b> v:base "zorkmid-1" .`,
	equivalentProperty: `v:salary owl:equivalentProperty v:wage .\n<urn:c> v:wage "zorkmid-1" .`,
	subclass: `v:Mole rdfs:subClassOf v:Spy . v:Spy rdfs:subClassOf v:Secret .\n<urn:d> a v:Mole ; s:name "zorkmid-1" .`,
	equivalentClass: `v:Secret owl:equivalentClass v:Hush .\n<urn:e> a v:Hush ; s:name "zorkmid-1" .`,
	unnamedClass: `<urn:f> a [ rdfs:subClassOf v:Secret ] ; s:name "zorkmid-1" .`,
	sameAs: `<urn:g> a v:Secret .\n<urn:h> owl:sameAs <urn:i> .\n<urn:g> owl:sameAs <urn:h> .\n<urn:i> s:name "zorkmid-1" .`,
	tripleTerm: `<< <urn:shown> v:salary "zorkmid-1" >> s:author <urn:shown> .`,
}).map(([name, text]) => [`${name}.ttl`, `${PREFIXES}${text}\n`] as const);

const MEANT: Readonly<Record<string, string>> = {
	...Object.fromEntries(turtles),
	"title.html":
		'<title>zorkmid-1 at home</title>\n<div itemscope itemtype="https://schema.org/Secret" itemid="urn:j">\n<b itemprop="name">zorkmid-1</b></div>\n<p>Lit.</p>\n',
	"person.md": "---\ntype: Secret\n---\n\n# zorkmid-1\n\nzorkmid-2 keeps bees.\n",
	"field.md":
		"# Gus\n\nGus rows. salary:: zorkmid-1\n\nGus (salary:: zorkmid-2) and paints [salary:: zorkmid-3].\n",
	"item.md": "# Gia\n\n- salary:: zorkmid-1\n",
	"section.md": "# Staff\n\n## Otto\n\n- type: Secret\n- name: zorkmid-1\n",
	"people.json":
		'{"people": [{"name": "Ned",\n"salary": "zorkmid-1"},\n{"type": "Secret", "name": "zorkmid-2"}]}\n',
	"anchor.yaml": "pay: &pay\n  amount: 1\nperson:\n  name: Fay\n  salary:\n    - *pay\n    - zorkmid-1\n",
};

const SHOWN = `${PREFIXES}<urn:shown> s:name "Quill" ; s:worksFor <urn:office> .\n<urn:office> s:city "Visby" .\n`;

test("what is the same as what a rule names, narrower than it or a part of it is hidden with it", async (t) => {
	const config = `exclude: [.copilot-ld/]\npolicy:\n  - deny: {properties: [salary]}\n    doors: [mcp]\n  - deny: {types: [Secret]}\n    doors: [mcp]\n`;
	const opened = await openPolicy(t, config, { ...MEANT, "shown.ttl": SHOWN });
	const searches = ["zorkmid-1", "zorkmid-2", "Gus Gia Otto Ned Fay Quill Visby lit bees"];
	const asking = { searches, targets: Object.keys(MEANT) };
	const hidden = await told(opened, "mcp", asking);
	assert.deepEqual(hidden.match(/.{80}zorkmid.{20}/g) ?? [], []);
	for (const name of ["Gus", "Gia", "Ned", "Fay", "Quill", "Visby"]) assert.ok(hidden.includes(name), name);
	const all = await told(opened, "chat", asking);
	assert.ok((all.match(/zorkmid/g) ?? []).length > Object.keys(MEANT).length);
});
