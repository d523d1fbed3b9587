import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createStoredSessions } from "../../src/acp/stored/storedSessions.ts";
import { createCliHistory, readStoredTurns } from "../../src/acp/turn/session/cliHistory.ts";
import type { CliSession } from "../../src/acp/turn/session/cliSession.ts";
import type { AgentEvent } from "../../src/core/agent/agentEvent.ts";
import { assertMapped } from "../support/assertMapped.ts";
import { wholeFile } from "../support/wholeFile.ts";
import { answerOf, askOn, assertFailed, eventsOf, never, startRealCli, untilGone } from "./realCli.ts";
import { commandsIn, type ScriptedReply, type SeenRequest } from "./scriptedModelServer.ts";

function reply(request: SeenRequest): ScriptedReply {
	const run = commandsIn(request);
	if (run) return { text: ["On it. "], ...run };
	return request.question.includes("@@wait") ? { text: ["Half "], wait: true } : { text: ["All well."] };
}

const cli = await startRealCli(wholeFile(), reply);

const setting = () => ({ cwd: cli.work, mcpServers: [] });
const begun = async (question: string, options?: Parameters<typeof askOn>[3]) => {
	const session = await cli.open();
	await askOn(cli, session, question, options);
	return session;
};
const stored = createStoredSessions(cli.files, (path) => `file://${path}`);
const { list } = stored;

/** Loads a session again and asks another question; asserts that the model sees the earlier turns. */
async function assertGoesOn(id: string, said: string) {
	const next = await askOn(cli, await cli.sessions.load(id, setting()), "And?");
	assert.equal(answerOf(next), "All well.");
	assert.ok(cli.model.requests.at(-1)?.whole.includes(said));
}

/** Asks a question and cancels the turn at the first event of a kind. */
async function cancelAt(kind: AgentEvent["kind"], session: CliSession, question: string) {
	const controller = new AbortController();
	const watch = (event: AgentEvent) => void (event.kind === kind && controller.abort());
	const answer = () => "once" as const;
	const shown = await askOn(cli, session, question, { answer, signal: controller.signal, watch });
	assert.equal(shown.thrown, controller.signal.reason);
	return shown;
}

test("a cancelled turn keeps its partial answer, and its session can continue", async () => {
	const session = await cli.open();
	assert.equal(answerOf(await cancelAt("text", session, "@@wait")), "Half ");
	assert.equal(answerOf(await askOn(cli, session, "Again")), "All well.");
});

test("cancelling a turn ends its running shell command and closes the call", async () => {
	const shown = await cancelAt("toolUpdated", await cli.open(), "@@run echo $$ > pid; echo up; sleep 60");
	assert.equal(eventsOf(shown, "toolFinished").length, 1);
	await untilGone(Number(readFileSync(join(cli.work, "pid"), "utf8")));
});

test("a turn cancelled during a permission request runs nothing, even if the user then allows it", async () => {
	const session = await cli.open();
	const controller = new AbortController();
	const answer = () => {
		controller.abort();
		return "once" as const;
	};
	const shown = await askOn(cli, session, "@@run touch late.txt", { answer, signal: controller.signal });
	assert.equal(shown.thrown, controller.signal.reason);
	await askOn(cli, session, "Again");
	assert.equal(existsSync(join(cli.work, "late.txt")), false);
});

test("stored CLI sessions can be listed, read and searched", async () => {
	const session = await begun("@@run echo a-lamp", { answer: () => "once" });
	await askOn(cli, session, "A readable one");
	const history = createCliHistory(cli.sessions, stored);
	const [summary] = await history.list();
	assert.ok(summary);
	const { id, title, workspace } = summary;
	assert.deepEqual([id, title, workspace], [session.id, "@@run echo a-lamp", `file://${cli.work}`]);
	const turns = await history.turns(session.id, never);
	assertMapped(
		turns,
		({ question, answer, outcome, tokens }) => [question, answer, outcome, tokens].join(", "),
		["@@run echo a-lamp, On it. All well., done, 220", "A readable one, All well., done, 110"],
	);
	const finished = turns[0]?.events.find(({ kind }) => kind === "toolFinished");
	const call = { ok: true, text: "a-lamp", exitCode: 0, call: { name: "shell" } };
	assert.partialDeepStrictEqual(finished, call);
	const [hit, ...more] = await history.search("readable ONE", [summary], never);
	assert.partialDeepStrictEqual(hit, { turn: 1, role: "question", excerpt: "A readable one" });
	assert.deepEqual(more, []);
});

test("an unknown session is reported as not found", async () => {
	const id = "11111111-1111-4111-8111-111111111111";
	const { load, rename } = cli.sessions;
	for (const name of [id, "../../etc"]) await assert.rejects(load(name, setting()), { code: "NOT_FOUND" });
	await assert.rejects(rename(id, "Name"), { code: "NOT_FOUND" });
});

test("a session that is open in a process cannot be loaded, renamed or deleted in another process", async () => {
	const { id } = await begun("Mine");
	const other = cli.another();
	await other.client.ensureStarted();
	const { load, rename, delete: remove } = other.sessions;
	for (const refused of [() => load(id, setting()), () => rename(id, "Stolen"), () => remove(id)])
		await assert.rejects(refused, { code: "BUSY" });
	await other.client.stop();
});

test("a renamed session keeps its new name in lists after further turns", async () => {
	const session = await begun("Old name");
	const titleOf = async () => (await list()).find(({ id }) => id === session.id)?.title;
	await cli.sessions.rename(session.id, 'New: "name"');
	assert.equal(await titleOf(), 'New: "name"');
	await askOn(cli, session, "Another question");
	assert.equal(await titleOf(), 'New: "name"');
});

test("a deleted session is not listed, and can be restored", async () => {
	const session = await begun("Delete me");
	await cli.sessions.delete(session.id);
	const isListed = async () => (await list()).some(({ id }) => id === session.id);
	assert.equal(await isListed(), false);
	await cli.sessions.restore(session.id);
	assert.equal(await isListed(), true);
	await assertGoesOn(session.id, "Delete me");
});

test("a closed session can be loaded with its earlier turns, but without an incomplete last line", async () => {
	const session = await begun("Whole");
	await cli.sessions.close(session.id);
	const events = stored.eventsOf(session.id);
	writeFileSync(events, '{"type":"user.message","da', { flag: "a" });
	assertMapped(await readStoredTurns(events), ({ question }) => question, ["Whole"]);
	assert.deepEqual(await readStoredTurns(join(cli.work, "gone.jsonl")), []);
	await assertGoesOn(session.id, "Whole");
});

test("killing the CLI while a tool runs ends the turn with an error, and ends the shell", async () => {
	// The CLI stores a session only after its first turn.
	const session = await begun("Before");
	let pid = 0;
	const shown = await askOn(cli, session, "@@run echo $$ > orphan; echo up; sleep 60", {
		answer: () => "once",
		watch: ({ kind }) => {
			if (kind !== "toolUpdated" || pid !== 0) return;
			pid = Number(readFileSync(join(cli.work, "orphan"), "utf8"));
			process.kill(cli.client.pid() ?? 0, "SIGKILL");
		},
	});
	await assertFailed(shown, { code: "CLI_STOPPED", message: /SIGKILL/ });
	assert.deepEqual([answerOf(shown), eventsOf(shown, "toolFinished").length], ["On it. ", 1]);
	await untilGone(pid);
	const next = await askOn(cli, await cli.sessions.load(session.id, setting()), "Go on");
	assert.match(answerOf(next), /All well\.$/);
});
