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
] as const)
	test(`a workspace of ${folders.length} folders shows ${uri} as ${path}`, () =>
		assert.equal(pathOf(uri, folders), path));

for (const [names, expected] of [
	["kb|kb|kb (2)|kb/notes|..||kb", "kb|kb (2)|kb (2) (2)|kb-notes|folder|folder (2)|kb (3)"],
	["kb|notes|kb", "kb|notes|kb (2)"],
] as const)
	test(`folders named ${names} get unique names that are not paths of each other`, () => {
		const folders = names.split("|").map((name) => ({ uri: "file:///x", name }));
		const unique = withUniqueNames(folders).map(({ name }) => name);
		assert.equal(unique.join("|"), expected);
	});
