import assert from "node:assert/strict";
import { test } from "node:test";
import { type Replacing, replaceFile } from "../../../src/base/files/file.ts";

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

test("on Windows a file that somebody reads just now is replaced as soon as it can be", async () => {
	for (const code of ["EPERM", "EACCES", "EBUSY"]) {
		const { asked, pauses, how } = refusing("win32", code, 3);
		await replaceFile("a.new", "a", how);
		assert.deepEqual([asked.length, pauses], [4, [5, 10, 20]]);
	}
});

test("what stays refused is reported, and so is at once what no waiting mends", async () => {
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
