import assert from "node:assert/strict";
import { chmod, rm, symlink, writeFile } from "node:fs/promises";
import { type TestContext, test } from "node:test";
import { assertMapped } from "../support/assertMapped.ts";
import { NO_RULES, openPolicy } from "./policy/openPolicy.ts";
import { type Files, never } from "./workspace.ts";

const CHANNEL = { channel: "chat" } as const;
const LIGHT = "https://e.org/id/light/1";
const MIXED = "https://e.org/id/mixed1";

const FILES: Files = {
	"mixed.ttl": `\ufeff# one\r\n<${MIXED}> <https://e.org/v#at> 1 .\n# two\r\n<${MIXED}> <https://e.org/v#at> 2 .\n`,
	"lights.ttl": `@prefix l: <https://e.org/id/light/> .
@prefix v: <https://e.org/v#> .
l:1 a v:Light ; v:name "Old Light" ; v:keeper <https://e.org/id/person/anna> .
l:2 a v:Light ; v:near l:1 , [ v:sees l:1 ] .
`,
	"page.html": `<div itemscope itemtype="https://e.org/v#Visit"><a itemprop="light" href="https://e.org/id/light/1">x</a>
<script type="application/ld+json">{"@context": {"l": "https://e.org/id/light/", "at": {"@id": "https://e.org/v#at", "@type": "@id"}}, "at": "l:1"}</script></div>
`,
	"story.md": "---\nabout: https://e.org/id/light/1\n---\n\nSee [[Other]] and [it](Other.md#end).\n",
	"old.adoc": "= Old\n\nSee https://e.org/id/light/2[it].\n",
	"Other.md": "---\ntitle: The other note\n---\n\n# End\n",
	"secret/plan.ttl": `<https://e.org/id/plan> <https://e.org/v#about> <https://e.org/id/light/1> ; <https://e.org/v#name> "Zorkmid" ; <https://e.org/hush#p> 1 .
`,
};

const POLICY = "exclude: [.copilot-ld/]\npolicy:\n  - deny: {paths: [secret/**]}\n    channels: [chat]\n";

const open = (t: TestContext, files = FILES, policy = NO_RULES) => openPolicy(t, policy, files);

test("things from files of several formats", async (t) => {
	const { things, rename, workspace, index, graph } = await open(t);

	await t.test("the description of a thing has a class, places and the number of references", async () => {
		const view = await things.describe({ iri: LIGHT, ...CHANNEL }, never);
		const { label, kind, types = [], pointers } = view ?? {};
		assert.deepEqual([label, kind, types[0]?.label, pointers], ["Old Light", "thing", "Light", 6]);
		assert.deepEqual(view?.places, [{ uri: workspace.uri("lights.ttl"), lines: { start: 3, end: 3 } }]);
		const type = await things.describe({ iri: "https://e.org/v#Light", ...CHANNEL }, never);
		assert.equal(type?.kind, "class");
		assertMapped(type?.usual ?? [], (one) => one.label, ["name", "keeper", "near"]);
		assert.equal(await things.describe({ iri: "https://e.org/nobody", ...CHANNEL }, never), null);
		assert.equal((await things.pointers({ iri: LIGHT, ...CHANNEL }, never)).length, 6);
		const [found] = await things.find({ words: "old li", limit: 5, ...CHANNEL }, never);
		assert.equal(found?.id, LIGHT);
		const classes = await things.find({ words: "", kinds: ["class"], limit: 5, ...CHANNEL }, never);
		assert.deepEqual(classes.map((one) => one.label).sort(), ["Light", "TextDigitalDocument", "Visit"]);
	});

	await t.test("queries and suggestions know the prefixes that documents declare", async () => {
		const sparql = "ASK { ?light a v:Light ; v:near l:1 }";
		const { answer } = await graph.query({ sparql, ...CHANNEL }, never);
		assert.deepEqual(answer, { kind: "boolean", value: true });
		assert.equal((await things.prefixes(CHANNEL, never))["l"], "https://e.org/id/light/");
	});

	await t.test("a rename edits UTF-8 and UTF-16, and fails for other or read-only files", async () => {
		const named = '<https://e.org/id/mixed1> <https://e.org/v#name> "Zo\u00eb" .\n';
		const put = async (bytes: Uint8Array) => {
			await writeFile(workspace.path("coded.ttl"), bytes);
			await index();
		};
		await put(Buffer.from(named, "latin1"));
		await assert.rejects(rename(MIXED, `${MIXED}2`), /coded\.ttl is not in UTF-8/);
		await put(Buffer.from(`\ufeff${named}`, "utf16le"));
		const { files } = await things.rename({ iri: MIXED, to: `${MIXED}2`, open: [], ...CHANNEL }, never);
		const edits = files.flatMap((file) => file.edits);
		const told = edits.map(({ from, to }) => `${from.line}:${from.character}-${to.character}`);
		assert.deepEqual(told.sort(), ["0:0-25", "1:0-25", "3:0-25"]);
		await chmod(workspace.path("coded.ttl"), 0o444);
		await assert.rejects(rename(MIXED, `${MIXED}2`), /coded\.ttl is read-only/);
		await rm(workspace.path("coded.ttl"), { force: true });
		await index();
	});

	await t.test("a rename fails if two things would merge or statements would change", async () => {
		await assert.rejects(rename(LIGHT, "https://e.org/id/light/2"), /name of another thing/);
		const old = workspace.uri("Other.md");
		await assert.rejects(rename(old, workspace.uri("story.md")), /another file story\.md there/);
		// A wikilink cannot contain this name.
		await assert.rejects(rename(old, new URL("C%23.md", old).href), /cannot be written in story\.md/);
		for (const to of ["no iri", "urn:a> . <urn:b", 'urn:"a"', "urn:a\nb", "urn:{a}"])
			await assert.rejects(rename(LIGHT, to), /is not an IRI/, to);
		const second = rename("https://e.org/id/light/2", "urn:two");
		await assert.rejects(second, /old\.adoc, line 3, would mean something else/);
	});

	await t.test("a rename changes a thing in every syntax, and no other statement", async () => {
		const { texts, notice } = await rename(LIGHT, "https://e.org/id/light/one");
		assert.equal(notice, undefined);
		assert.deepEqual(Object.keys(texts).sort(), ["lights.ttl", "page.html", "secret/plan.ttl", "story.md"]);
		assert.match(texts["lights.ttl"] ?? "", /l:one a v:Light[\s\S]*v:near l:one , \[ v:sees l:one \]/);
		assert.match(texts["page.html"] ?? "", /href="https:\/\/e\.org\/id\/light\/one"[\s\S]*"at": "l:one"/);
		await workspace.write(texts);
		await index();
		assert.equal(await things.describe({ iri: LIGHT, ...CHANNEL }, never), null);
		assert.equal((await things.pointers({ iri: "https://e.org/id/light/one", ...CHANNEL }, never)).length, 6);
		// An IRI in another namespace is written in full.
		const { texts: again } = await rename("https://e.org/id/light/one", "urn:light:1");
		assert.match(again["lights.ttl"] ?? "", /<urn:light:1> a v:Light/);
	});

	await t.test("a rename does not follow a file that has become a link", async () => {
		await workspace.move("lights.ttl", "secret/elsewhere.txt");
		await symlink(workspace.path("secret/elsewhere.txt"), workspace.path("lights.ttl"));
		const renamed = await rename("https://e.org/id/light/one", LIGHT).catch(({ message }: Error) => message);
		assert.ok(typeof renamed === "string" || !("lights.ttl" in renamed.texts));
	});
});

const SHAPES = `@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix v: <https://e.org/v#> .
v:LightShape sh:targetClass v:Light ;
  sh:property [ sh:path v:name ; sh:minCount 1 ] , [ sh:path v:keeper ; sh:class v:Person ; sh:severity sh:Warning ] ,
    [ sh:path v:name ; sh:maxLength 4 ; sh:severity sh:Info ; sh:message "A short name is easier to say" ] .
`;

test("a violation of a SHACL shape is reported at its line", async (t) => {
	const { things, workspace, index } = await open(t, FILES);
	const told = async () => {
		const found = (await things.checkShapes(CHANNEL, never)).flatMap(({ problems }) => problems);
		return found.map(({ severity, message, lines }) => `${severity} ${lines.start}: ${message}`);
	};
	assert.deepEqual(await told(), [], "there are no shapes");
	const tellsOf = async (shapes: string) => {
		await workspace.write({ "shapes.ttl": shapes });
		await index();
		return told();
	};
	assert.deepEqual(await tellsOf(SHAPES), [
		"warning 3: Old Light, keeper: It violates sh:class https://e.org/v#Person",
		"info 3: Old Light, name: A short name is easier to say",
		"error 4: 2, name: Less than 1 values",
	]);
	assertMapped(await things.checkShapes(CHANNEL, never), ({ uri }) => uri, [workspace.uri("lights.ttl")]);
	// Constraints beyond SHACL's core are skipped, imports are not fetched, and a value itself may be invalid.
	const more = await tellsOf(`${SHAPES}<> <http://www.w3.org/2002/07/owl#imports> <https://e.org/more> .
v:LightShape sh:sparql [ sh:select "SELECT $this {}" ] .
[] a sh:NodeShape ; sh:targetObjectsOf v:name ; sh:minLength 1000 .
`);
	const unchecked = /: LightShape, sparql: sh:sparql is not checked, because only SHACL Core is supported$/m;
	for (const expected of [/: 2, name: Less than 1 values$/m, unchecked, /: Old Light: .*1000/])
		assert.match(more.join("\n"), expected);
	// Shapes that refer to each other and to themselves.
	const circle = "v:LightShape sh:node v:Round . v:Round sh:node v:LightShape, v:Round ; sh:not v:Round .";
	const round = await tellsOf(`${SHAPES}${circle}\n`);
	assert.ok(round.length > 0 && round.length < 100, JSON.stringify(round));
	const [broken] = await tellsOf(SHAPES.replace("sh:minCount 1", "sh:minCount 1 ; sh:pattern 3, '(('"));
	assert.match(broken ?? "", /: The SHACL shapes were not checked: /);
});

test("a file hidden from the chat keeps the old name, and its references are not counted", async (t) => {
	const { things, rename, workspace } = await openPolicy(t, POLICY, FILES);
	const described = await things.described({ uri: workspace.uri("lights.ttl"), ...CHANNEL }, never);
	const first = described.find(({ id }) => id === LIGHT);
	assert.equal(first?.pointers, 5, "six, with what hidden lines point at");
	const { texts, notice } = await rename(LIGHT, "https://e.org/id/light/one");
	assert.ok(!("secret/plan.ttl" in texts));
	assert.match(notice ?? "", /keeps the old name/);
});
