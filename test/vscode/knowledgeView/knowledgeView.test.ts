import assert from "node:assert/strict";
import { test } from "node:test";
import { withExclude } from "../../../src/vscode/knowledgeView/nodeCommands.ts";
import { type KnowledgeNode, rootsOf } from "../../../src/vscode/knowledgeView/tree.ts";
import { signOf } from "../../../src/vscode/knowledgeView/view.ts";
import { assertMapped } from "../../support/assertMapped.ts";

const COUNTS = { documents: 17, passages: 1420, resources: 0, quads: 0, flawed: 0 };
const CONTENTS = { ...COUNTS, skipped: {}, failed: [] };

test("the status bar shows the progress, size, problems and pause of the index", () => {
	const text = (state: Partial<Parameters<typeof signOf>[0]>) =>
		Object.values(signOf({ isPaused: false, ...state })).join(" | ");
	const progress = { done: 500, total: 1000, found: 0, current: "a.md" };
	const flawed = { ...CONTENTS, flawed: 2, failed: [{ path: "a", reason: "b" }] };
	const half = { ...CONTENTS, embedding: { done: 355, total: 1420, leftMs: 170_000 } };
	for (const [state, told] of [
		[{}, "has not been checked yet"],
		[{ progress }, "$(sync~spin) Copilot-LD 50% | 500 of 1,000 files indexed: a.md"],
		[{ contents: CONTENTS }, "$(check) Copilot-LD | The index is up to date: 17 files, 1,420 passages"],
		[{ contents: flawed }, "$(warning) Copilot-LD 3 | 17 files, 1,420 passages; 3 files with problems"],
		[{ contents: half }, "$(sync) Copilot-LD 25% | Vectors: 355 of 1,420 passages, about 3 min left"],
		[{ isPaused: true, contents: CONTENTS }, "Indexing is paused"],
		[{ contents: { ...CONTENTS, documents: 0 } }, "no files that Copilot-LD can read"],
	] as const)
		assert.ok(text(state).includes(told), `${text(state)} says ${told}`);
});

test("excluding a file adds the literal file name to the configuration and changes nothing else", () => {
	const added = '  - "/a.md"\n';
	for (const [before, after, path = "/a.md"] of [
		["", `exclude:\n${added}`],
		["# mine\ninclude: [docs]", `# mine\ninclude: [docs]\nexclude:\n${added}`],
		["exclude: # why\n  - old/ # x\npolicy: []\n", `exclude: # why\n${added}  - old/ # x\npolicy: []\n`],
		['exclude: ["b"]\n', 'exclude: ["/a.md", "b"]\n'],
		["exclude: []\n", 'exclude: ["/a.md"]\n'],
		[`exclude:\n${added}`, `exclude:\n${added}`],
		["", 'exclude:\n  - "/a \\"b\\": c#.md"\n', '/a "b": c#.md'],
		["", 'exclude:\n  - "/notes\\\\[1]\\\\*.md"\n', "/notes[1]*.md"],
	] as const)
		assert.equal(withExclude(before, path), after);
	assert.throws(() => withExclude("exclude:\n  &x\n  - a\n", "/a.md"), /Add "\/a.md" to exclude/);
});

const URI = "file:///kb/lights.html";
const [types, lines] = [["https://x.example/Lighthouse"], { start: 101, end: 120 }];
const RESOURCE = { id: "https://x.example/gannet", label: "Gannet Rock Light", types, lines };
const RECORD = { uri: URI, state: { kind: "indexed" }, passages: 8, resources: 7, problems: [] };
const UNREAD = { kind: "skipped", reason: "no reader for .zip files" };
const SKIPPED = { ...RECORD, uri: "file:///kb/a.zip", resources: 0, state: UNREAD };
const KINDS = [
	{ name: "Lighthouse", count: 900, iri: types[0] },
	{ name: ".html", count: 1 },
];

/** A tree whose queries have fixed answers. */
function treeOf(answer: object) {
	const folders = [{ uri: "file:///kb/data", name: "data", indexed: 5, failed: 1 }];
	const catalog = {
		browse: async (uri: string) => ({ folders: uri.endsWith("kb") ? folders : [], documents: [RECORD] }),
		resources: async () => [RESOURCE],
		documents: async ({ ending }: { ending?: string }) => (ending === undefined ? [SKIPPED] : [RECORD]),
	};
	const found = { ...RESOURCE, place: { uri: URI, lines: RESOURCE.lines } };
	const things = { find: async () => Array(500).fill(found) };
	const worker = { catalog, things, knowledge: { search: async () => ({ answer }) } };
	return rootsOf(worker as never, [{ uri: "file:///kb", name: "kb" }]);
}

/** Accessible labels of the lines, nested ones after dashes; of equal lines only the first. */
async function said(nodes: readonly KnowledgeNode[] = [], depth = 0): Promise<string[]> {
	const lines = nodes.map(async ({ item, children }) => [
		"- ".repeat(depth) + item.accessibilityInformation?.label,
		...(item.collapsibleState ? await said(await children?.(), depth + 1) : []),
	]);
	return [...new Set((await Promise.all(lines)).flat())];
}

test("the Knowledge view lists the overview before the files, with counts in the accessible labels", async () => {
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
	const unknown = await treeOf({ kind: "nothing", quotes: [] });
	const files = ["data, 5 files, 1 failed", "lights.html, 8 passages, 7 resources"];
	assertMapped(unknown, ({ item }) => item.accessibilityInformation?.label, files);
});
