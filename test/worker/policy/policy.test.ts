import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Door } from "../../../src/core/permission/permission.ts";
import { foldersChanged } from "../../../src/protocol/worker.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { listed } from "../../support/listed.ts";
import { never } from "../workerProcess.ts";
import type { Files } from "../workspace.ts";
import { everything, told } from "./everything.ts";
import { CONFIG, openPolicy } from "./openPolicy.ts";

const STAFF = `<!doctype html>
<html><head><title>Staff of Gannet Rock</title></head><body>
<article itemscope itemtype="https://schema.org/Person" itemid="https://example.org/anna">
	<h2 itemprop="name">Anna Holm</h2>
	<p itemprop="jobTitle">Keeper of the lamp</p>
	<p>Her pay is <span itemprop="salary">sesterces-4711</span> a year.</p>
	<div itemprop="bonus" itemscope itemtype="https://schema.org/MonetaryAmount">
		<b itemprop="value">denarii-815</b>
	</div>
</article>
<p>The lamp of Gannet Rock is lit at dusk.</p>
</body></html>
`;

const CREW = `@prefix ex: <https://example.org/> .
@prefix schema: <https://schema.org/> .

ex:rock a schema:Place ;
	schema:name "Gannet Rock" ;
	schema:employee ex:anna , ex:bob .

ex:anna ex:salary "sesterces-4711" ;
	schema:award """Medal of
the drachma-42 order""" .

ex:bob a schema:Person ;
	schema:name "Bob Krone-99" ;
	schema:address [ schema:streetAddress "Guilder-7 Street" ] .
`;

const BOOK = `{
	"@context": { "ex": "https://example.org/" },
	"@id": "ex:book",
	"ex:title": "Book of the rock",
	"ex:salary": [
		"sesterces-4711"
	]
}
`;

const FILES: Files = {
	"staff.html": STAFF,
	"crew.ttl": CREW,
	"book.jsonld": BOOK,
	"hr/plan.md": "# Plan for shekel-12\n\nThe shekel-12 plan is to hire a keeper.\n",
	"notes.md": "# Notes\n\nOil for the lamp of Gannet Rock.\n",
};

const open = (t: TestContext, policy: string, files = FILES) => openPolicy(t, policy, files);

const IRIS = ["anna", "bob", "rock", "book"].map((name) => `https://example.org/${name}`);
const TARGETS = [
	...Object.keys(FILES).flatMap((path) => [path, `${path}:1-99`]),
	...listed("staff.html:6|staff.html:8|crew.ttl:9|crew.ttl:10|hr/plan.md:3|hr/plan|Plan|salaries of staff"),
	...["Anna Holm", "Bob Krone-99", "Gannet Rock", ...IRIS],
];

const SEARCHES = listed(`
	Anna Holm salary | sesterces | denarii bonus | medal award | Bob | shekel plan | street | Gannet Rock
	how many persons are there | list all persons of Gannet Rock | who is Bob Krone-99 of example.org bob
`);

const KEEPERS = [
	{ query: "keeper", types: ["Person"] },
	{ query: "keeper", sources: ["hr/"] },
];

/** All that a door is told, whatever it asks. What fails tells its words. */
async function allAnswers(opened: Awaited<ReturnType<typeof open>>, door: Door): Promise<string> {
	const asking = { searches: [...SEARCHES, ...KEEPERS], targets: TARGETS, iris: IRIS };
	return [...(await everything(opened, door, asking)).values()].join("\n");
}

/** Rules, what the denied door is never told (secrets), and what it is told all the same (kept). */
const cases = [
	{
		name: "a path",
		deny: "{paths: ['hr/**']}",
		secrets: ["shekel-12", "hr/plan"],
		kept: ["sesterces-4711", "Krone-99", "Oil for the lamp"],
	},
	{
		name: "a property",
		deny: "{properties: [salary]}",
		secrets: ["sesterces-4711"],
		kept: ["denarii-815", "Anna Holm", "Keeper of the lamp", "drachma-42", "Book of the rock", "lit at dusk"],
	},
	{
		name: "properties with a nameless value, over several lines, and with a name",
		deny: "{properties: [bonus, award, address, 'https://schema.org/name']}",
		secrets: ["denarii-815", "drachma-42", "Guilder-7", "Anna Holm", "Krone-99"],
		kept: ["sesterces-4711", "Keeper of the lamp", "lit at dusk"],
	},
	{
		name: "a class, also where another document states it",
		deny: "{types: [person]}",
		secrets: [
			...["Anna Holm", "denarii-815", "drachma-42", "Krone-99", "Guilder-7", "example.org/anna", "ex:anna"],
			'schema.org/Person"',
		],
		kept: ["Book of the rock", "lit at dusk", "Gannet Rock", "shekel-12"],
	},
	{
		name: "a property of a class in a path",
		deny: "{paths: ['*.html'], types: [Person], properties: [bonus]}",
		secrets: ["denarii-815"],
		kept: ["sesterces-4711", "drachma-42", "Anna Holm"],
	},
];

test("a rule hides from its door what it says, whatever is asked, and from no other", async (t) => {
	const opened = await open(t, "");
	const rule = async (policy: string) => opened.workspace.write({ [CONFIG]: policy });
	for (const { name, deny, secrets, kept } of cases)
		await t.test(`one for ${name}`, async () => {
			await rule(`policy:\n  - deny: ${deny}\n    doors: [mcp]\n`);
			const [denied, allowed] = [await allAnswers(opened, "mcp"), await allAnswers(opened, "chat")];
			const lamp = await opened.knowledge.search({ query: "lamp Gannet Rock", door: "mcp" }, never);
			assert.ok(lamp.hits.some(({ path }) => path === "notes.md"));
			for (const secret of secrets) assert.ok(!denied.includes(secret), `${secret} is told`);
			for (const text of kept) assert.ok(denied.includes(text), `${text} is not told`);
			for (const text of [...secrets, ...kept])
				assert.ok(allowed.includes(text), `${text} is hidden from an allowed door`);
		});

	await t.test("a file of which a part is hidden is read with its other lines at their places", async () => {
		await rule("policy: [{deny: {properties: [salary]}}]\n");
		const { parts } = await opened.knowledge.read({ target: "staff.html:5-7", door: "chat" }, never);
		const lines = ['\t<p itemprop="jobTitle">Keeper of the lamp</p>', "(hidden by policy)"];
		assert.deepEqual(parts[0]?.text.split("\n").slice(0, 2), lines);
		assert.deepEqual(parts[0]?.lines, { start: 5, end: 7 });
	});
});

test("a file that has changed since it was indexed is not read where a part of it may be hidden", async (t) => {
	const { knowledge, workspace } = await open(t, "policy: [{deny: {properties: [salary]}}]\n");
	await workspace.write({ "crew.ttl": `\n\n${CREW}` });
	const reading = knowledge.read({ target: "crew.ttl", door: "chat" }, never);
	await assert.rejects(reading, { code: "NOT_FOUND", message: /changed after/ });
});

test("a policy that cannot be read hides its folder from all doors and says why; mended, it counts at once", async (t) => {
	const opened = await open(t, "policy: [{deny: {path: [hr]}}]\n");
	const { workspace } = opened;
	for (const door of ["chat", "tools", "cli", "mcp"] as const) {
		const answers = await allAnswers(opened, door);
		for (const secret of ["sesterces-4711", "shekel-12", "Oil for the lamp", "lit at dusk"])
			assert.ok(!answers.includes(secret), `${secret} is told`);
		assert.match(answers, /Nothing in this folder is shown, because the policy/);
	}
	const [problem] = await opened.catalog.problems("files", never);
	assert.deepEqual([problem?.uri, problem?.problems[0]?.lines.start], [workspace.uri(CONFIG), 1]);
	await workspace.write({ [CONFIG]: "policy: [{deny: {paths: [hr/]}}]\n" });
	const answers = await allAnswers(opened, "chat");
	assert.deepEqual([answers.includes("sesterces-4711"), answers.includes("shekel-12")], [true, false]);
});

test("a file of which a part could not be read may say anything: its text is hidden where a rule could hold", async (t) => {
	const script = '{"salary": "sesterces-4711", }{';
	const broken = `<p>Hello</p>\n<script type="application/ld+json">${script}</script>\n<p>World</p>\n`;
	const policy = "policy: [{deny: {properties: [salary]}, doors: [mcp]}]\n";
	const opened = await open(t, policy, { "broken.html": broken });
	const read = async (door: Door) =>
		(await opened.knowledge.read({ target: "broken.html", door }, never)).parts[0]?.text;
	assert.match((await read("chat")) ?? "", /sesterces/);
	assert.doesNotMatch((await read("mcp")) ?? "", /sesterces|World/);
});

test("of several folders each has the rules for its own files", async (t) => {
	const files = { "one/a.md": "# A\n\nThe shekel-12.\n", "two/a.md": "# B\n\nThe drachma-42.\n" };
	const opened = await open(t, "", { ...files, [`one/${CONFIG}`]: "policy: [{deny: {paths: [a.md]}}]\n" });
	const folders = ["one", "two"].map((name) => ({ uri: opened.workspace.uri(name), name }));
	await opened.connection.sendNotification(foldersChanged, folders);
	await opened.index();
	const { hits } = await opened.search("shekel drachma");
	assertMapped(hits, ({ path }) => path, ["two/a.md"]);
});

test("a resource is hidden as soon as a document says that it belongs to a denied class", async (t) => {
	const files = { "pay.ttl": '<https://example.org/eva> <https://example.org/pay> "sesterces-4711" .\n' };
	const opened = await open(t, "policy: [{deny: {types: [Person]}}]\n", files);
	assert.ok((await allAnswers(opened, "chat")).includes("sesterces-4711"));
	await opened.workspace.write({ "eva.ttl": "<https://example.org/eva> a <https://schema.org/Person> .\n" });
	await opened.index();
	assert.ok(!(await allAnswers(opened, "chat")).includes("sesterces-4711"));
	await opened.workspace.remove("eva.ttl");
	await opened.index();
	assert.ok((await allAnswers(opened, "chat")).includes("sesterces-4711"));
});

const NESTED = "staff:\n  - rank: 1\n    pay: zorkmid-1\n  - rank: 2\n    home: {street: zorkmid-2, no: 5}\n";
const DEEP = "staff:\n  - rank: 1\n    who: Pia\n    a: {b: {c: {d: {e: {pay: zorkmid-3}}}}}\n";
const RECORDS = {
	"a.md": `---\nname: Alfa\ntype: Person\n${NESTED}---\n\nText.\n`,
	"b.yaml": NESTED,
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

test("objects in a record are hidden with the value that they are in", async (t) => {
	const [all, one] = [Object.keys(RECORDS), ["a.md"]];
	const [openedAll, openedOne] = [await open(t, "", RECORDS), await open(t, "", { "a.md": RECORDS["a.md"] })];
	for (const { deny, of = all, hides } of [
		{ deny: "{properties: [staff, base]}", hides: /zorkmid-[1-6]/ },
		{ deny: "{properties: [pay]}", hides: /zorkmid-[13456]/ },
		{ deny: "{properties: [staff.pay, staff.home.street]}", hides: /zorkmid-[12]/ },
		{ deny: "{properties: [home]}", hides: /zorkmid-2/ },
		{ deny: "{properties: [l\u00f6hne]}", hides: /zorkmid-[789]/ },
		{ deny: "{types: [Person]}", of: one, hides: /zorkmid/ },
		{ deny: "{types: [Person], properties: [pay, street]}", of: one, hides: /zorkmid/ },
	]) {
		const opened = of === one ? openedOne : openedAll;
		await opened.workspace.write({ [CONFIG]: `policy:\n  - deny: ${deny}\n    doors: [mcp]\n` });
		const asking = { searches: ["staff pay zorkmid"], targets: of };
		assert.doesNotMatch(await told(opened, "mcp", asking), hides, deny);
		assert.match(await told(opened, "chat", asking), hides, deny);
	}
});
