import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { assertNone } from "../support/assertNone.ts";
import { KILLS } from "../support/kills.ts";
import { makeHome, never, openIn } from "./temporarySessions.ts";

test(`a process killed at any point loses no turn reported as saved, ${KILLS} times`, async (t) => {
	const home = await makeHome(t);
	const saved: string[] = [];
	for (let kill = 0; kill < KILLS; kill++) {
		// Three runs share sessions and continue after torn lines; the third run also fills the index.
		const name = `run${kill - (kill % 3)}`;
		const mode = kill % 3 === 2 ? "indexed" : "journals";
		const lines = mode === "indexed" ? 60 + ((kill * 7) % 80) : (kill * 7) % 40;
		saved.push(...(await runUntil(lines, { home, name, run: kill, mode })));
	}
	assert.ok(saved.length >= KILLS);
	const { sessions, settle } = openIn(t, home, { mayFail: true });
	for (const [id, texts] of bySession(saved)) {
		const { turns } = await sessions.read(id, never);
		const answered = new Set(turns.filter(({ answer }) => answer !== "").map(({ question }) => question));
		assertNone(texts.filter(([, text = ""]) => !answered.has(text)));
	}
	const { total } = await sessions.list({ limit: 1 }, never);
	assert.equal(total, (await readdir(join(home, "journals"))).length);
	await settle();
	const [id, text = ""] = saved.at(-1)?.split("\t") ?? [];
	const hits = await sessions.search({ text, limit: 500 }, never);
	assert.ok(hits.some(({ session, excerpt }) => session.id === id && excerpt === text));
});

test("two processes that write the same sessions concurrently keep all lines intact", async (t) => {
	const home = await makeHome(t);
	const runs = [1, 2].map((run) => runUntil(150, { home, name: "shared", run, mode: "journals" }));
	const saved = (await Promise.all(runs)).flat();
	const { sessions } = openIn(t, home);
	for (const [id, lines] of bySession(saved)) {
		const questions = (await sessions.read(id, never)).turns.map(({ question }) => question);
		assertNone(lines.filter(([, text = ""]) => !questions.includes(text)));
		for (const question of questions)
			assert.match(question, new RegExp(`^question \\d+ of run [12] in ${id}$`));
		assert.deepEqual([...new Set(questions)], questions);
	}
});

function bySession(saved: readonly string[]) {
	const parts = saved.map((line) => line.split("\t"));
	return Map.groupBy(parts, ([id = ""]) => id);
}
async function runUntil(
	lines: number,
	{ home, name, run, mode }: { home: string; name: string; run: number; mode: "journals" | "indexed" },
): Promise<string[]> {
	const program = new URL("./appendProgram.ts", import.meta.url);
	const child = fork(program, [home, name, String(run), mode], { silent: true });
	let output = "";
	for await (const chunk of child.stdout?.setEncoding("utf8") ?? []) {
		output += chunk;
		if (output.split("\n").length > lines) child.kill("SIGKILL");
	}
	// Ignores a line torn by the kill.
	return output.split("\n").slice(0, -1);
}
