import assert from "node:assert/strict";
import { rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { times } from "../support/times.ts";
import { derivedOf, makeHome, never, openIn, openTemporary } from "./temporarySessions.ts";
import { conversation } from "./turns.ts";

const FOG = conversation([
	["When are the fog horns tested?", "On the last Tuesday of September, one after the other."],
	["Who winds the clock?", "The second keeper, every morning at eight."],
]);

const chatter = (index: number) =>
	conversation([[`What is the price of parcel ${index}?`, `Parcel ${index} costs ${index * 3} crowns.`]]);

test("new questions and answers are found at once by their words and their meaning", async (t) => {
	const { sessions } = await openTemporary(t);
	const secrets = "Rotate the passwords of the database every spring.";
	await sessions.append("fog", FOG, never);
	await sessions.append("secrets", conversation([["What of the secrets?", secrets]]), never);
	const best = async (text: string) => (await sessions.search({ text, limit: 5 }, never))[0];
	const hit = await best("September Tuesday");
	assert.deepEqual([hit?.session.id, hit?.turn, hit?.role], ["fog", 0, "answer"]);
	assert.match(hit?.excerpt ?? "", /last Tuesday of September/);
	const question = await best("winding clocks");
	assert.deepEqual([question?.session.id, question?.turn], ["fog", 1]);
	assert.equal((await best("db credentials"))?.session.id, "secrets");
});
const snapshotIn = (home: string) => join(derivedOf(home), "index", "messages.snapshot");

for (const [what, harm] of [
	["missing", (home: string) => rm(join(derivedOf(home), "index"), { recursive: true })],
	["half gone", async (home: string) => truncate(snapshotIn(home), (await stat(snapshotIn(home))).size / 2)],
	["garbage", (home: string) => writeFile(snapshotIn(home), "?".repeat(5000))],
] as const)
	test(`messages are found with an index that is ${what}, at a start and during work`, async (t) => {
		const home = await makeHome(t);
		const first = openIn(t, home, { mayFail: true });
		for (let index = 0; index < 60; index++)
			await first.sessions.append(`chatter-${index}`, chatter(index), never);
		await first.settle();
		await harm(home);
		for (const { sessions } of [first, openIn(t, home, { mayFail: true })]) {
			const [hit] = await sessions.search({ text: "price of parcel 41", limit: 1 }, never);
			assert.equal(hit?.session.id, "chatter-41");
		}
	});

test("messages of another window are found, and two windows share an index without duplicates", async (t) => {
	const home = await makeHome(t);
	const [one, other] = [openIn(t, home), openIn(t, home)];
	const add = (index: number) =>
		(index % 2 ? one : other).sessions.append(`chatter-${index}`, chatter(index), never);
	await Promise.all(times(80, add));
	await Promise.all([one.settle(), other.settle()]);
	for (const { sessions } of [one, other]) {
		const hits = await sessions.search({ text: "price of parcel 33", limit: 20 }, never);
		const keys = hits.map(({ session, turn, role }) => `${session.id} ${turn} ${role}`);
		assert.equal(hits[0]?.session.id, "chatter-33");
		assert.equal(new Set(keys).size, keys.length);
	}
	await one.sessions.append("late", conversation([["Where is the spare bulb?", "Below the stairs."]]), never);
	const [late] = await other.sessions.search({ text: "spare bulb", limit: 1 }, never);
	assert.equal(late?.session.id, "late");
});
