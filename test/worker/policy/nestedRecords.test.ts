import assert from "node:assert/strict";
import { test } from "node:test";
import { never } from "../workerProcess.ts";
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
		const { knowledge, graph } = await openPolicy(t, config, files);
		const told = async (door: "mcp" | "chat") => {
			const query = { sparql: "SELECT * { ?s ?p ?o }", limit: 1000, door };
			const found = await knowledge.search({ query: "staff pay zorkmid", limit: 50, door }, never);
			const reads = of.map((target) => knowledge.read({ target, door }, never).catch(String));
			return JSON.stringify([found.hits, await graph.query(query, never), await Promise.all(reads)]);
		};
		assert.doesNotMatch(await told("mcp"), hides);
		assert.match(await told("chat"), hides);
	});
