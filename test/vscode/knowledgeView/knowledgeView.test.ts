import assert from "node:assert/strict";
import { test } from "node:test";
import { signOf } from "../../../src/vscode/knowledgeView/indexSigns.ts";
import { withExclude } from "../../../src/vscode/knowledgeView/nodeCommands.ts";
import { type OverviewPorts, rootsOf } from "../../../src/vscode/knowledgeView/overview.ts";
import type { KnowledgeNode } from "../../../src/vscode/knowledgeView/tree.ts";

const CONTENTS = {
	...{ documents: 17, passages: 1420, resources: 0, quads: 0, skipped: {}, failed: [], flawed: 0 },
};

test("the status bar says how the index is", () => {
	const text = (state: Parameters<typeof signOf>[0]) => Object.values(signOf(state)).join(" | ");
	assert.match(text({ isPaused: false }), /has not been checked yet/);
	assert.equal(
		text({ isPaused: false, progress: { done: 500, total: 1000, found: 0, current: "a.md" } }),
		"$(sync~spin) Copilot-LD 50% | 500 of 1,000 files indexed: a.md",
	);
	assert.equal(
		text({ isPaused: false, contents: CONTENTS }),
		"$(check) Copilot-LD | The index is up to date: 17 files, 1,420 passages",
	);
	assert.equal(
		text({ isPaused: false, contents: { ...CONTENTS, flawed: 2, failed: [{ path: "a", reason: "b" }] } }),
		"$(warning) Copilot-LD 3 | 17 files, 1,420 passages; 3 files with problems",
	);
	assert.equal(
		text({
			isPaused: false,
			contents: { ...CONTENTS, embedding: { done: 355, total: 1420, leftMs: 170_000 } },
		}),
		"$(sync) Copilot-LD 25% | Vectors: 355 of 1,420 passages, about 3 min left",
	);
	assert.match(text({ isPaused: true, contents: CONTENTS }), /Indexing is paused/);
	assert.match(
		text({ isPaused: false, contents: { ...CONTENTS, documents: 0 } }),
		/no files that Copilot-LD can read/,
	);
});

test("a pattern is added to the configuration, and everything else of it stays", () => {
	const added = '  - "/a.md"\n';
	assert.equal(withExclude("", "/a.md"), `exclude:\n${added}`);
	assert.equal(
		withExclude("# mine\ninclude: [docs]", "/a.md"),
		`# mine\ninclude: [docs]\nexclude:\n${added}`,
	);
	assert.equal(
		withExclude("exclude: # why\n  - old/ # kept\npolicy: []\n", "/a.md"),
		`exclude: # why\n${added}  - old/ # kept\npolicy: []\n`,
	);
	assert.equal(withExclude('exclude: ["b"]\n', "/a.md"), 'exclude: ["/a.md", "b"]\n');
	assert.equal(withExclude("exclude: []\n", "/a.md"), 'exclude: ["/a.md"]\n');
	assert.equal(withExclude(`exclude:\n${added}`, "/a.md"), `exclude:\n${added}`);
	assert.throws(() => withExclude("exclude:\n  &x\n  - a\n", "/a.md"), /Add "\/a.md" to exclude/);
});

test("names that YAML or a glob would read otherwise are excluded as they are", () => {
	assert.equal(withExclude("", '/a "b": c#.md'), 'exclude:\n  - "/a \\"b\\": c#.md"\n');
	assert.equal(withExclude("", "/notes[1]*.md"), 'exclude:\n  - "/notes\\\\[1]\\\\*.md"\n');
});

const URI = "file:///kb/lights.html";
const RESOURCE = {
	id: "https://x.example/gannet",
	label: "Gannet Rock Light",
	types: ["https://x.example/Lighthouse"],
	lines: { start: 101, end: 120 },
};
const RECORD = {
	uri: URI,
	title: "Lights",
	state: { kind: "indexed" },
	passages: 8,
	resources: 7,
	problems: [],
};
const SKIPPED = {
	...RECORD,
	uri: "file:///kb/a.zip",
	resources: 0,
	state: { kind: "skipped", reason: "no reader for .zip files" },
};
const KINDS = [
	{ name: "Lighthouse", count: 900, iri: "https://x.example/Lighthouse" },
	{ name: ".html", count: 1 },
];

/** What the tree asks, with fixed answers. */
function treeOf(answer: object) {
	const folders = [{ uri: "file:///kb/data", name: "data", indexed: 5, failed: 1 }];
	const catalog = {
		browse: async (uri: string) => ({ folders: uri.endsWith("kb") ? folders : [], documents: [RECORD] }),
		resources: async () => [RESOURCE],
		documents: async ({ ending }: { ending?: string }) => (ending === undefined ? [SKIPPED] : [RECORD]),
	};
	const things = {
		find: async () => Array(500).fill({ ...RESOURCE, place: { uri: URI, lines: RESOURCE.lines } }),
	};
	const ports = { catalog, things, search: async () => ({ answer }) } as unknown as OverviewPorts;
	return rootsOf(ports, [{ uri: "file:///kb", name: "kb" }]);
}

/** The lines as they are read aloud, those within them after a dash; of equal ones only the first. */
async function said(nodes: readonly KnowledgeNode[] = [], depth = 0): Promise<string[]> {
	const lines = nodes.map(async ({ item, children }) => [
		"- ".repeat(depth) + item.accessibilityInformation?.label,
		...(item.collapsibleState ? await said(await children?.(), depth + 1) : []),
	]);
	return [...new Set((await Promise.all(lines)).flat())];
}

test("the view shows what is there before the files, with what is counted and not with tooltips", async () => {
	const overview = { kinds: KINDS, questions: ["Who attends it?"] };
	assert.deepEqual(await said(await treeOf({ kind: "overview", quotes: [], overview })), [
		"Kinds of Things",
		"- Lighthouse, 900 resources",
		"- - Gannet Rock Light, lights.html:101",
		"- - and 400 more",
		"- .html, 1 file",
		"- - lights.html, 8 passages, 7 resources",
		"- - - Lighthouse, 1 resource",
		"- - - - Gannet Rock Light, lights.html:101",
		"Questions",
		"- Who attends it?",
		"Not Indexed, 1",
		"- no reader for .zip files, 1",
		"- - a.zip, skipped: no reader for .zip files",
		"Files",
		"- data, 5 files, 1 failed",
		"- lights.html, 8 passages, 7 resources",
		"- - Lighthouse, 1 resource",
		"- - - Gannet Rock Light, lights.html:101",
	]);
});

test("the view shows the files alone if nothing is known of them yet", async () => {
	const nodes = await treeOf({ kind: "nothing", quotes: [] });
	assert.deepEqual(await said(nodes.map(({ item }) => ({ item }))), [
		"data, 5 files, 1 failed",
		"lights.html, 8 passages, 7 resources",
	]);
});
