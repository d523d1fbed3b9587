import assert from "node:assert/strict";
import { readFile, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createLock } from "../../../src/base/files/lock.ts";
import { makeWorkspace } from "../../worker/workspace.ts";

/** No process has this number: Linux ends at 2^22, Windows counts in fours. */
const NO_PROCESS = 2 ** 30 + 1;

function ownerText(pid: number): string {
	return JSON.stringify({ id: "another", pid, host: hostname() });
}

test("one has the lock, the other gets it when it is given back", async (t) => {
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

test("of many at the same time one gets the lock, free or left behind by a dead owner", async (t) => {
	const { root } = await makeWorkspace(t);
	for (const leftBehind of [undefined, ownerText(NO_PROCESS)]) {
		if (leftBehind) await writeFile(join(root, "indexer.lock"), leftBehind);
		const locks = Array.from({ length: 20 }, () => createLock(root));
		const owned = await Promise.all(locks.map((lock) => lock.acquire()));
		assert.equal(owned.filter(Boolean).length, 1);
		await Promise.all(locks.map((lock) => lock.release()));
	}
});

test("the lock of a living process is respected, and left alone", async (t) => {
	const workspace = await makeWorkspace(t, { "indexer.lock": ownerText(process.pid) });
	const lock = createLock(workspace.root);
	assert.equal(await lock.acquire(), false);
	await lock.release();
	assert.equal(await readFile(workspace.path("indexer.lock"), "utf8"), ownerText(process.pid));
});

test("a lock that nobody touched for long is taken over, though its process number is in use", async (t) => {
	const workspace = await makeWorkspace(t, { "indexer.lock": ownerText(process.pid) });
	const longAgo = new Date(Date.now() - 60_000);
	await utimes(workspace.path("indexer.lock"), longAgo, longAgo);
	const lock = createLock(workspace.root);
	assert.equal(await lock.acquire(), true);
	await lock.release();
});

test("who lost the lock while asleep learns of it", async (t) => {
	const workspace = await makeWorkspace(t);
	const lock = createLock(workspace.root);
	assert.equal(await lock.acquire(), true);
	await workspace.write({ "indexer.lock": ownerText(process.pid) });
	assert.equal(await lock.acquire(), false);
	await lock.release();
});

test("a lock that is just being written is somebody's", async (t) => {
	const { root } = await makeWorkspace(t, { "indexer.lock": "" });
	assert.equal(await createLock(root).acquire(), false);
});
