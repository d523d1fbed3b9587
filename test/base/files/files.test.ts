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

test("a path is in a folder, or below the folder, by segments of absolute paths", () => {
	const placeOf = (path: string, folder = "/a/b") => [isInside(path, folder), isBelow(path, folder)];
	for (const path of ["/a/b/c.md", "/a/b/c/d.md", "/a/b/..c", "/a/b/c/../d"])
		for (const folder of ["/a/b", "/a/b/", "/"]) assert.deepEqual(placeOf(path, folder), [true, true], path);
	for (const path of ["/a/bc/d.md", "/a", "/a/b/../c", "/a/b/x/../../c"])
		assert.deepEqual(placeOf(path), [false, false], path);
	for (const path of ["/a/b", "/a/b/", "/a/./b", "/a/b/c/.."])
		assert.deepEqual(placeOf(path), [true, false], path);
	for (const [path, folder] of [
		["a", resolve(".")],
		["", "/"],
		[resolve("a/b"), "a"],
	] as const)
		assert.deepEqual(placeOf(path, folder), [false, false], `${path} in ${folder}`);
});

test("a path has one URI for any case of its drive and any kind of slashes", () => {
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

test("a workspace URI on a drive, a share, in WSL or on a remote machine has a folder path", () => {
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

const ownerText = (pid: number) => JSON.stringify({ id: "another", pid, host: hostname() });

test("only one process has the lock, and another process gets the lock after its release", async (t) => {
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

test("one of many concurrent attempts gets a lock that is free or whose owner is dead", async (t) => {
	const { root } = await makeWorkspace(t);
	for (const leftBehind of [undefined, ownerText(NO_PROCESS)]) {
		if (leftBehind) await writeFile(join(root, "indexer.lock"), leftBehind);
		const locks = Array.from({ length: 20 }, () => createLock(root));
		const owned = await Promise.all(locks.map((lock) => lock.acquire()));
		assert.equal(owned.filter(Boolean).length, 1);
		await Promise.all(locks.map((lock) => lock.release()));
	}
});

for (const [owner, text, ageMs, isFree] of [
	["of a living process is kept", ownerText(process.pid), 0, false],
	["that a process is writing is kept", "", 0, false],
	["untouched for a minute is taken over, even from a living process", ownerText(process.pid), 60_000, true],
] as const)
	test(`a lock ${owner}`, async (t) => {
		const { root, path } = await makeWorkspace(t, { "indexer.lock": text });
		const touched = new Date(Date.now() - ageMs);
		await utimes(path("indexer.lock"), touched, touched);
		const lock = createLock(root);
		assert.equal(await lock.acquire(), isFree);
		await lock.release();
		if (!isFree) assert.equal(await readFile(path("indexer.lock"), "utf8"), text);
	});

test("an owner notices the loss of its lock", async (t) => {
	const workspace = await makeWorkspace(t);
	const lock = createLock(workspace.root);
	assert.equal(await lock.acquire(), true);
	await workspace.write({ "indexer.lock": ownerText(process.pid) });
	assert.equal(await lock.acquire(), false);
	await lock.release();
});

function refusing(platform: NodeJS.Platform, code: string, times: number) {
	let attempts = 0;
	const pauses: number[] = [];
	const how: Replacing = {
		platform,
		rename: async () => {
			if (++attempts <= times) throw Object.assign(new Error(code), { code });
		},
		pause: async (milliseconds) => pauses.push(milliseconds),
	};
	return { attempts: () => attempts, pauses, how };
}

test("replaceFile waits 5, 10 and 20 ms for a file in use on Windows", async () => {
	for (const code of ["EPERM", "EACCES", "EBUSY"]) {
		const { attempts, pauses, how } = refusing("win32", code, 3);
		await replaceFile("a.new", "a", how);
		assert.deepEqual([attempts(), pauses], [4, [5, 10, 20]]);
	}
});

test("replaceFile fails after eight attempts for a file in use, and at once for other errors", async () => {
	for (const [platform, code, expected] of [
		["win32", "EPERM", 8],
		["win32", "ENOENT", 1],
		["linux", "EPERM", 1],
		["darwin", "EACCES", 1],
	] as const) {
		const { attempts, how } = refusing(platform, code, 99);
		await assert.rejects(replaceFile("a.new", "a", how), { code });
		assert.equal(attempts(), expected);
	}
});
