import assert from "node:assert/strict";
import { readFile, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { type Replacing, replaceFile } from "../../../src/base/files/file.ts";
import { createLock } from "../../../src/base/files/lock.ts";
import { isBelow, isInside, uriOfPath } from "../../../src/base/files/paths.ts";
import { folderPath } from "../../../src/permissions/arguments/pattern.ts";
import { makeWorkspace } from "../../worker/workspace.ts";

test("isInside and isBelow compare absolute paths by segment", () => {
	for (const [path, folder, isIn] of [
		["/a/b/c.md", "/a/b", true],
		["/a/b/c/d.md", "/a/b/", true],
		["/etc/passwd", "/", true],
		["/a/b/..c", "/a/b", true],
		["/a/b/c/../d", "/a/b", true],
		["/a/bc/d.md", "/a/b", false],
		["/a", "/a/b", false],
		["/a/b/../c", "/a/b", false],
		["/a/b/x/../../c", "/a/b", false],
		["a", resolve("."), false],
		["", "/", false],
		[resolve("a/b"), "a", false],
	] as const)
		assert.deepEqual([isInside(path, folder), isBelow(path, folder)], [isIn, isIn], `${path} in ${folder}`);
	for (const itself of ["/a/b", "/a/b/", "/a/./b", "/a/b/c/.."])
		assert.deepEqual([isInside(itself, "/a/b"), isBelow(itself, "/a/b")], [true, false], itself);
});

test("a path has one URI, whatever the case of its drive and its kind of slashes", () => {
	for (const [isWindows, path, uri] of [
		[true, "C:\\notes\\a b#1.md", "file:///c:/notes/a%20b%231.md"],
		[true, "c:/notes/a b#1.md", "file:///c:/notes/a%20b%231.md"],
		[true, "\\\\server\\share\\Été.md", "file://server/share/%C3%89t%C3%A9.md"],
		[true, "\\\\?\\C:\\notes\\a.md", "file:///c:/notes/a.md"],
		[true, "\\\\?\\UNC\\server\\share\\a.md", "file://server/share/a.md"],
		[false, "/home/anna/a b.md", "file:///home/anna/a%20b.md"],
		[false, "/home/anna/back\\slash", "file:///home/anna/back%5Cslash"],
		[false, "/C:/odd", "file:///C:/odd"],
	] as const)
		assert.equal(uriOfPath(path, isWindows), uri);
});

test("rules find workspace folders on a drive, on a share, in WSL and on a remote machine", () => {
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

/** No process has this ID: Linux ends at 2^22, and on Windows IDs are multiples of four. */
const NO_PROCESS = 2 ** 30 + 1;

function ownerText(pid: number): string {
	return JSON.stringify({ id: "another", pid, host: hostname() });
}

test("only one process has the lock; another gets it after its release", async (t) => {
	const { root } = await makeWorkspace(t);
	const [first, second] = [createLock(root), createLock(root)];
	assert.equal(await first.acquire(), true);
	assert.equal(await first.acquire(), true);
	assert.equal(await second.acquire(), false);
	await first.release();
	assert.equal(await second.acquire(), true);
	assert.equal(await first.acquire(), false);
	await second.release();
});

test("of many concurrent attempts one gets the lock, whether it is free or its owner is dead", async (t) => {
	const { root } = await makeWorkspace(t);
	for (const leftBehind of [undefined, ownerText(NO_PROCESS)]) {
		if (leftBehind) await writeFile(join(root, "indexer.lock"), leftBehind);
		const locks = Array.from({ length: 20 }, () => createLock(root));
		const owned = await Promise.all(locks.map((lock) => lock.acquire()));
		assert.equal(owned.filter(Boolean).length, 1);
		await Promise.all(locks.map((lock) => lock.release()));
	}
});

for (const [whose, text, ageMs, isFree] of [
	["of a living process", ownerText(process.pid), 0, false],
	["that is just being written", "", 0, false],
	["untouched for a minute, although its process ID is in use,", ownerText(process.pid), 60_000, true],
] as const)
	test(`a lock ${whose} is ${isFree ? "taken over" : "respected, and left alone"}`, async (t) => {
		const { root, path } = await makeWorkspace(t, { "indexer.lock": text });
		const touched = new Date(Date.now() - ageMs);
		await utimes(path("indexer.lock"), touched, touched);
		const lock = createLock(root);
		assert.equal(await lock.acquire(), isFree);
		await lock.release();
		if (!isFree) assert.equal(await readFile(path("indexer.lock"), "utf8"), text);
	});

test("an owner that lost the lock notices it", async (t) => {
	const workspace = await makeWorkspace(t);
	const lock = createLock(workspace.root);
	assert.equal(await lock.acquire(), true);
	await workspace.write({ "indexer.lock": ownerText(process.pid) });
	assert.equal(await lock.acquire(), false);
	await lock.release();
});

function refusing(platform: NodeJS.Platform, code: string, times: number) {
	const asked: string[] = [];
	const pauses: number[] = [];
	const how: Replacing = {
		platform,
		rename: async (from, to) => {
			asked.push(`${from} ${to}`);
			if (asked.length <= times) throw Object.assign(new Error(code), { code });
		},
		pause: async (milliseconds) => pauses.push(milliseconds),
	};
	return { asked, pauses, how };
}

test("on Windows, a file in use is replaced as soon as possible", async () => {
	for (const code of ["EPERM", "EACCES", "EBUSY"]) {
		const { asked, pauses, how } = refusing("win32", code, 3);
		await replaceFile("a.new", "a", how);
		assert.deepEqual([asked.length, pauses], [4, [5, 10, 20]]);
	}
});

test("replaceFile gives up after several tries, and at once for other errors", async () => {
	const held = refusing("win32", "EPERM", 99);
	await assert.rejects(replaceFile("a.new", "a", held.how), { code: "EPERM" });
	assert.equal(held.asked.length, 8);
	for (const [platform, code] of [
		["win32", "ENOENT"],
		["linux", "EPERM"],
		["darwin", "EACCES"],
	] as const) {
		const { asked, how } = refusing(platform, code, 1);
		await assert.rejects(replaceFile("a.new", "a", how), { code });
		assert.equal(asked.length, 1);
	}
});
