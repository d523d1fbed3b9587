import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createStoredSessions } from "../../../src/acp/stored/storedSessions.ts";
import { createCliHistory, readStoredTurns } from "../../../src/acp/turn/session/cliHistory.ts";
import { never, requestFor, runnerOn, runToEnd, startRealCli } from "../realCli.ts";
import { commandsIn, type ScriptedReply, type SeenRequest } from "../scriptedModelServer.ts";

function reply(request: SeenRequest): ScriptedReply {
	const run = commandsIn(request);
	return run ? { text: ["On it. "], ...run } : { text: ["All well."] };
}

test("a session is listed, read and searched from the disk as our own are", async (t) => {
	const cli = await startRealCli(t, reply);
	const session = await cli.sessions.create({ cwd: cli.work, mcpServers: [] });
	await runToEnd(runnerOn(cli, session, { answer: () => "once" }), requestFor("@@run echo a-lamp"));
	await runToEnd(runnerOn(cli, session), requestFor("A readable one"));
	const history = createCliHistory(
		cli.sessions,
		createStoredSessions(cli.files, (path) => `file://${path}`),
	);
	const [summary, ...others] = await history.list();
	assert.ok(summary);
	assert.equal(summary.id, session.id);
	assert.equal(summary.title, "@@run echo a-lamp");
	assert.equal(summary.workspace, `file://${cli.work}`);
	assert.deepEqual(await history.list(), [summary, ...others]);
	const turns = await history.turns(session.id, never);
	assert.deepEqual(
		turns.map(({ question, answer, outcome, tokens }) => [question, answer, outcome, tokens]),
		[
			["@@run echo a-lamp", "On it. All well.", "done", 220],
			["A readable one", "All well.", "done", 110],
		],
	);
	const finished = turns[0]?.events.find(({ kind }) => kind === "toolFinished");
	assert.partialDeepStrictEqual(finished, {
		ok: true,
		text: "a-lamp",
		exitCode: 0,
		call: { name: "shell" },
	});

	const [hit, ...more] = await history.search("readable ONE", [summary], never);
	assert.partialDeepStrictEqual(hit, { turn: 1, role: "question", excerpt: "A readable one" });
	assert.deepEqual(more, []);
});

test("a half-written file of events gives what is whole, and one that is gone gives nothing", async (t) => {
	const cli = await startRealCli(t, reply);
	const session = await cli.sessions.create({ cwd: cli.work, mcpServers: [] });
	await runToEnd(runnerOn(cli, session), requestFor("A whole question"));
	const stored = createStoredSessions(cli.files, String);
	writeFileSync(stored.eventsOf(session.id), '{"type":"user.message","da', { flag: "a" });
	const turns = await readStoredTurns(stored.eventsOf(session.id));
	assert.deepEqual(
		turns.map(({ question }) => question),
		["A whole question"],
	);
	assert.deepEqual(await readStoredTurns(join(cli.work, "gone.jsonl")), []);
});
