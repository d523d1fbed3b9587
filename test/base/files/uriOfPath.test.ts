import assert from "node:assert/strict";
import { test } from "node:test";
import { uriOfPath } from "../../../src/base/files/paths.ts";
import { folderPath } from "../../../src/permissions/arguments/folderPath.ts";
import { withExclude } from "../../../src/vscode/knowledgeView/nodeCommands.ts";

test("a path has one URI on each system, whatever the case of its drive and the kind of its slashes", () => {
	for (const [path, uri] of [
		["C:\\notes\\a b#1.md", "file:///c:/notes/a%20b%231.md"],
		["c:/notes/a b#1.md", "file:///c:/notes/a%20b%231.md"],
		["\\\\server\\share\\Été.md", "file://server/share/%C3%89t%C3%A9.md"],
		["\\\\?\\C:\\notes\\a.md", "file:///c:/notes/a.md"],
		["\\\\?\\UNC\\server\\share\\a.md", "file://server/share/a.md"],
	] as const)
		assert.equal(uriOfPath(path, true), uri);
	for (const [path, uri] of [
		["/home/anna/a b.md", "file:///home/anna/a%20b.md"],
		["/mnt/c/notes", "file:///mnt/c/notes"],
		["/home/anna/back\\slash", "file:///home/anna/back%5Cslash"],
		["/C:/odd", "file:///C:/odd"],
	] as const)
		assert.equal(uriOfPath(path, false), uri);
});

test("rules find the folder of a workspace on a drive, on a share, in WSL and on a remote machine", () => {
	for (const [uri, path] of [
		["file:///c%3A/data/atlas", "c:/data/atlas"],
		["file:///C:/data/atlas", "c:/data/atlas"],
		["file://server/share/atlas", "//server/share/atlas"],
		["file://wsl.localhost/Ubuntu/home/anna", "//wsl.localhost/Ubuntu/home/anna"],
		["file:///home/anna/a%20b", "/home/anna/a b"],
		["vscode-remote://ssh-remote+box/home/anna", "/home/anna"],
		["", ""],
	] as const)
		assert.equal(folderPath(uri), path);
});

test("what is excluded is named with slashes, and the signs of globs in a name are only letters", () => {
	assert.equal(withExclude("", "/notes/[a] b*.md"), 'exclude:\n  - "/notes/\\\\[a] b\\\\*.md"\n');
});
