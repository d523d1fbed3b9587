import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import { isBelow, isInside } from "../../../src/base/files/paths.ts";

const cases: readonly [title: string, path: string, folder: string, isIn: boolean][] = [
	["a file in the folder", "/a/b/c.md", "/a/b", true],
	["a file further down", "/a/b/c/d.md", "/a/b/", true],
	["anything in the root", "/etc/passwd", "/", true],
	["a name that begins with two dots", "/a/b/..c", "/a/b", true],
	["a way down and up again", "/a/b/c/../d", "/a/b", true],
	["a sibling whose name begins the same", "/a/bc/d.md", "/a/b", false],
	["a folder above", "/a", "/a/b", false],
	["a way out by steps up", "/a/b/../c", "/a/b", false],
	["a way out through a folder that is not there", "/a/b/x/../../c", "/a/b", false],
	["a relative path, wherever this process works", "a", resolve("."), false],
	["an empty path", "", "/", false],
	["a relative folder", resolve("a/b"), "a", false],
];
for (const [title, path, folder, isIn] of cases)
	test(`${title} is ${isIn ? "inside" : "outside"}`, () => {
		assert.deepEqual([isInside(path, folder), isBelow(path, folder)], [isIn, isIn]);
	});

test("a folder is inside itself, but not below, also by another spelling", () => {
	const spellings = ["/a/b", "/a/b/", "/a/./b", "/a/b/c/.."];
	const found = spellings.map((path) => [isInside(path, "/a/b"), isBelow(path, "/a/b")]);
	assert.deepEqual(
		found,
		spellings.map(() => [true, false]),
	);
});
