import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Channel } from "../../../src/core/permission/permission.ts";
import { foldersChanged } from "../../../src/protocol/worker.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { listed } from "../../support/listed.ts";
import { type Files, never } from "../workspace.ts";
import { CONFIG, everything, openPolicy, told } from "./openPolicy.ts";

const FILES: Files = {
	"crew.ttl": '<urn:anna>\n<urn:v#salary> "sesterces-4711" ;\n<https://schema.org/name> "Anna" .\n',
	"hr/plan.md": "# Plan\n\nThe shekel-12 plan is to hire a keeper.\n",
	"notes.md": "# Notes\n\nOil for the lamp of Gannet Rock.\n",
};

const open = (t: TestContext, policy: string, files = FILES) => openPolicy(t, policy, files);

/** All answers that a channel can get, including error messages. */
async function allAnswers(opened: Awaited<ReturnType<typeof open>>, channel: Channel): Promise<string> {
	const searches = listed("salary|sesterces|shekel plan|Gannet Rock|who is Anna|list all notes");
	const asking = { searches, targets: [...Object.keys(FILES), "hr/plan", "Anna"], iris: ["urn:anna"] };
	return [...(await everything(opened, channel, asking)).values()].join("\n");
}

test("a partly hidden file keeps its line numbers, and cannot be read after a change", async (t) => {
	const { knowledge, workspace } = await open(t, "policy: [{deny: {properties: [salary]}}]\n");
	const { parts } = await knowledge.read({ target: "crew.ttl:2-3", channel: "chat" }, never);
	const text = '(hidden by policy)\n<https://schema.org/name> "Anna" .';
	assertMapped(parts, (part) => [part.text, part.lines], [[text, { start: 2, end: 3 }]]);
	await workspace.write({ "crew.ttl": `\n\n${FILES["crew.ttl"]}` });
	const reading = knowledge.read({ target: "crew.ttl", channel: "chat" }, never);
	await assert.rejects(reading, { code: "NOT_FOUND", message: /changed after/ });
});

test("an invalid policy hides the folder from all channels with a message, and a fix works at once", async (t) => {
	const opened = await open(t, "policy: [{deny: {path: [hr]}}]\n");
	const { workspace } = opened;
	for (const channel of ["chat", "tools", "cli", "mcp"] as const) {
		const answers = await allAnswers(opened, channel);
		for (const secret of ["sesterces-4711", "shekel-12", "Oil for the lamp"])
			assert.ok(!answers.includes(secret), `${secret} is told`);
		assert.match(answers, /Nothing in this folder is shown, because the policy/);
	}
	const [problem] = await opened.catalog.problems("files", never);
	assert.deepEqual([problem?.uri, problem?.problems[0]?.lines.start], [workspace.uri(CONFIG), 1]);
	await workspace.write({ [CONFIG]: "policy: [{deny: {paths: [hr/]}}]\n" });
	const answers = await allAnswers(opened, "chat");
	assert.deepEqual([answers.includes("sesterces-4711"), answers.includes("shekel-12")], [true, false]);
});

test("the text of a partly unreadable file is hidden if a rule could apply", async (t) => {
	const script = '{"salary": "sesterces-4711", }{';
	const broken = `<p>Hello</p>\n<script type="application/ld+json">${script}</script>\n<p>World</p>\n`;
	const policy = "policy: [{deny: {properties: [salary]}, channels: [mcp]}]\n";
	const opened = await open(t, policy, { "broken.html": broken });
	const read = async (channel: Channel) =>
		(await opened.knowledge.read({ target: "broken.html", channel }, never)).parts[0]?.text;
	assert.match((await read("chat")) ?? "", /sesterces/);
	assert.doesNotMatch((await read("mcp")) ?? "", /sesterces|World/);
});

test("the rules of a folder apply only to files of the folder", async (t) => {
	const files = { "one/a.md": "# A\n\nThe shekel-12.\n", "two/a.md": "# B\n\nThe drachma-42.\n" };
	const opened = await open(t, "", { ...files, [`one/${CONFIG}`]: "policy: [{deny: {paths: [a.md]}}]\n" });
	const folders = ["one", "two"].map((name) => ({ uri: opened.workspace.uri(name), name }));
	await opened.connection.sendNotification(foldersChanged, folders);
	await opened.index();
	const { hits } = await opened.search("shekel drachma");
	assertMapped(hits, ({ path }) => path, ["two/a.md"]);
});

test("a resource is hidden as soon as a document states a denied class for the resource", async (t) => {
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
	"a.md": `---\nname: Alfa\ntype: Person\n${NESTED.replaceAll("mid-", "mid-a")}---\n\nText.\n`,
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

test("objects in a record are hidden with the value that contains the objects", async (t) => {
	const opened = await open(t, "", RECORDS);
	const asking = { searches: ["staff pay zorkmid"], targets: Object.keys(RECORDS) };
	for (const [deny, hides] of [
		["{properties: [staff, base]}", /zorkmid-a?[1-6]/],
		["{properties: [pay]}", /zorkmid-a?[13456]/],
		["{properties: [staff.pay, staff.home.street]}", /zorkmid-a?[12]/],
		["{properties: [home]}", /zorkmid-a?2/],
		["{properties: [l\u00f6hne]}", /zorkmid-[789]/],
		["{types: [Person]}", /zorkmid-a/],
		["{types: [Person], properties: [pay, street]}", /zorkmid-a/],
	] as const) {
		await opened.workspace.write({ [CONFIG]: `policy:\n  - deny: ${deny}\n    channels: [mcp]\n` });
		assert.doesNotMatch(await told(opened, "mcp", asking), hides, deny);
		assert.match(await told(opened, "chat", asking), hides, deny);
	}
});

const CLUB = {
	"ada.html": `<section itemscope itemid="https://club.example/ada" itemtype="https://schema.org/Person">
	<h2 itemprop="name">Ada Berg</h2>
	<p>Born <time itemprop="birthDate" datetime="1970-08-21">21 August 1970</time> on <a itemprop="birthPlace" href="https://club.example/hallin">Hallin</a>.</p>
</section>
`,
	"fay.md": "---\nid: urn:fay\ntype: Person\nname: Fay Holt\nbirthDate: 1944-07-06\n---\n\nFay sails.\n",
};

/** Example from the README. */
const README_POLICY = "policy: [{deny: {types: [Person], properties: [birthDate]}, channels: [mcp]}]\n";
const APPLIES = "A policy applies: hidden statements are not counted.";
const NAMES = ["Ada Berg", "Fay Holt"];

test("a policy for a property keeps things in counts, lists and the graph, and adds a notice", async (t) => {
	const { knowledge, graph } = await openPolicy(t, README_POLICY, CLUB, { embedding: { provider: "none" } });
	const search = (query: string, channel: Channel) => knowledge.search({ query, channel }, never);
	const count = "How many persons are there?";
	const counted = await search(count, "mcp");
	assert.equal(counted.listing?.total, NAMES.length);
	assertMapped(counted.listing?.items, ({ label }) => label, NAMES);
	assert.deepEqual([counted.notices[0], counted.extent], [APPLIES, "visible"]);
	assert.equal((await search(count, "chat")).extent, undefined);
	for (const channel of ["mcp", "chat"] as const) {
		const isDated = channel === "chat";
		const totals = [(await search("Ada Berg", channel)).total, (await search("Ada 1970", channel)).total];
		assert.deepEqual(totals, [1, isDated ? 1 : 0], channel);
		const dates = { sparql: "ASK { ?p <https://schema.org/birthDate> ?o }", channel };
		assert.deepEqual((await graph.query(dates, never)).answer, { kind: "boolean", value: isDated });
	}
	const sparql = "SELECT ?name { ?p a <https://schema.org/Person> ; <https://schema.org/name> ?name }";
	const { answer, notices, isPartial } = await graph.query({ sparql, channel: "mcp" }, never);
	assert.ok(answer.kind === "rows" && answer.total === NAMES.length);
	assert.deepEqual([notices, isPartial], [[APPLIES], true]);
	const birthPlace = "ASK { ?p <https://schema.org/birthPlace> ?o }";
	const place = await graph.query({ sparql: birthPlace, channel: "mcp" }, never);
	assert.deepEqual(place.answer, { kind: "boolean", value: true });
});
