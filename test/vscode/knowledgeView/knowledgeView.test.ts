import assert from "node:assert/strict";
import { test } from "node:test";
import type { Catalog } from "../../../src/core/knowledge/catalog.ts";
import { signOf } from "../../../src/vscode/knowledgeView/indexSigns.ts";
import { withExclude } from "../../../src/vscode/knowledgeView/nodeCommands.ts";
import { createKnowledgeTree, type KnowledgeNode } from "../../../src/vscode/knowledgeView/tree.ts";

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

test("lines of the tree are read aloud as they are shown, with what is counted, and not by their tooltips", () => {
	const onDidChange = () => ({ dispose: () => undefined });
	const tree = createKnowledgeTree({ catalog: {} as Catalog, folders: () => [], onDidChange });
	const uri = "file:///kb/lights.html";
	const state = { kind: "indexed" } as const;
	const resource = {
		id: "https://x.example/gannet",
		label: "Gannet Rock Light",
		types: [],
		lines: { start: 101, end: 120 },
	};
	const record = { uri, title: "List of lights", state, passages: 8, resources: 7, problems: [] };
	const nodes = [
		{ kind: "folder", entry: { uri: "file:///kb/data", name: "data", indexed: 5, failed: 1 } },
		{ kind: "document", record },
		{ kind: "class", name: "Lighthouse", uri, members: [resource] },
		{ kind: "resource", resource, uri },
	] as unknown as KnowledgeNode[];
	const said = nodes.map((node) => {
		const item = tree.getTreeItem(node);
		return "accessibilityInformation" in item ? item.accessibilityInformation?.label : undefined;
	});
	assert.deepEqual(said, [
		"data, 5 files, 1 failed",
		"lights.html, 8 passages, 7 resources",
		"Lighthouse, 1 resource",
		"Gannet Rock Light, line 101",
	]);
});
