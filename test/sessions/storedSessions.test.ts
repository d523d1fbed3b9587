import assert from "node:assert/strict";
import { readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { NewFact } from "../../src/core/session/memory.ts";
import { derivedOf, makeHome, never, openIn } from "./temporarySessions.ts";
import { BERIT, conversation, WORKSPACE } from "./turns.ts";

const OIL: NewFact = {
	text: "The lamp burns oil.",
	scope: "workspace",
	owner: WORKSPACE,
	source: { by: "person" },
};

async function allText(folder: string): Promise<string> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	const files = entries.filter((entry) => entry.isFile());
	const texts = files.map(({ parentPath, name }) => readFile(join(parentPath, name), "latin1"));
	return (await Promise.all(texts)).join("\n");
}

test("cleared sessions are gone for good with those in the bin and all that was made of them, and those of others stay", async (t) => {
	const home = await makeHome(t);
	const [own, other] = [openIn(t, home), openIn(t, home, { reader: [BERIT] })];
	await own.sessions.append("clock", conversation([["Who winds the brasswork?", "Nobody."]]), never);
	await own.sessions.append("bell", conversation([["Who polishes the brasswork?", "Nobody."]]), never);
	await own.sessions.delete("bell", never);
	await other.sessions.append("horn", conversation([["Who sounds the horn?", "Berit."]]), never);
	await own.settle();
	const { sessions: before } = await own.sessionData.sizes(never);
	assert.deepEqual([before.items, before.bytes > 1000], [2, true]);
	await own.sessionData.clear("sessions", never);
	assert.deepEqual((await own.sessionData.sizes(never)).sessions, { items: 0, bytes: 0 });
	assert.equal((await own.sessions.list({ limit: 9 }, never)).total, 0);
	assert.deepEqual(await own.sessions.listDeleted(never), []);
	assert.deepEqual(await own.sessions.search({ text: "brasswork", limit: 9 }, never), []);
	assert.doesNotMatch(await allText(home), /brasswork/);
	assert.equal((await other.sessions.list({ limit: 9 }, never)).total, 1);
	await own.sessions.append("new", conversation([["Who is new?", "I am."]]), never);
	assert.equal((await own.sessions.search({ text: "new", limit: 9 }, never)).length > 0, true);
});

test("a clearing whose process died is ended at the next start, and spares what was said since", async (t) => {
	const home = await makeHome(t);
	const first = openIn(t, home);
	await first.sessions.append("old", conversation([["Old?", "Yes."]]), never);
	await first.sessions.append("bin", conversation([["Old, too?", "Yes."]]), never);
	await first.sessions.delete("bin", never);
	await first.close();
	await writeFile(`${derivedOf(home)}.clearing`, "begun\n");
	const before = new Date(Date.now() - 60_000);
	await utimes(join(home, "journals", "old.jsonl"), before, before);
	await utimes(join(home, "trash", "bin.jsonl"), before, before);
	const later = new Date(Date.now() + 60_000);
	const since = join(home, "journals", "since.jsonl");
	await writeFile(since, '{"kind":"session","at":1,"engine":"model","workspace":""}\n');
	await utimes(since, later, later);
	const again = openIn(t, home);
	await again.settle();
	const [left, ...others] = (await again.sessions.list({ limit: 9 }, never)).sessions;
	assert.deepEqual([left?.id, others], ["since", []]);
	assert.ok(!(await readdir(join(home, "derived"))).some((name) => name.endsWith(".clearing")));
});

test("a cleared memory holds no fact and no word of one, also of those forgotten or edited before, and that of others stays", async (t) => {
	const home = await makeHome(t);
	const [own, other] = [openIn(t, home), openIn(t, home, { reader: [BERIT] })];
	const { fact } = await own.memory.remember(OIL, never);
	await own.memory.edit(fact.id, "The lamp burns whale oil.", never);
	await own.memory.remember({ text: "I like whales.", scope: "user", source: { by: "person" } }, never);
	await other.memory.remember({ text: "I like herring.", scope: "user", source: { by: "person" } }, never);
	assert.equal((await own.sessionData.sizes(never)).memory.items, 2);
	await own.sessionData.clear("memory", never);
	assert.deepEqual((await own.sessionData.sizes(never)).memory, { items: 0, bytes: 0 });
	for (const { memory } of [own, openIn(t, home)])
		assert.deepEqual(await memory.facts({ workspace: WORKSPACE }, never), []);
	const text = await readFile(join(home, "facts.jsonl"), "utf8");
	assert.doesNotMatch(text, /oil|whale/);
	assert.equal((await other.memory.facts({ workspace: WORKSPACE }, never)).length, 1);
});
