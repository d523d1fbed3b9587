import assert from "node:assert/strict";
import { test } from "node:test";
import { pathOf, withUniqueNames } from "../../../src/core/knowledge/path.ts";

const one = [{ uri: "file:///home/kb", name: "kb" }];
const two = [...one, { uri: "file:///home/kb2", name: "notes" }];

for (const [uri, folders, path] of [
	["file:///home/kb/docs/a.md", one, "docs/a.md"],
	["file:///home/kb/two%20words.md", one, "two words.md"],
	["file:///home/kb/docs/a.md", two, "kb/docs/a.md"],
	["file:///home/kb2/a.md", two, "notes/a.md"],
	["file:///elsewhere/a.md", one, "file:///elsewhere/a.md"],
] as const) {
	test(`${uri} among ${folders.length} folders is shown as ${path}`, () => {
		assert.equal(pathOf(uri, folders), path);
	});
}

test("no name of a folder is that of another, or reads as a folder in another", () => {
	const folders = ["kb", "kb", "kb (2)", "kb/notes", "..", "", "kb"].map((name) => ({
		uri: "file:///x",
		name,
	}));
	const names = withUniqueNames(folders).map(({ name }) => name);
	assert.deepEqual(names, ["kb", "kb (2)", "kb (2) (2)", "kb-notes", "folder", "folder (2)", "kb (3)"]);
});

test("folders of one name are told apart", () => {
	const folders = ["a", "b", "c"].map((at) => ({
		uri: `file:///${at}/kb`,
		name: at === "b" ? "notes" : "kb",
	}));
	assert.deepEqual(
		withUniqueNames(folders).map(({ name }) => name),
		["kb", "notes", "kb (2)"],
	);
});
