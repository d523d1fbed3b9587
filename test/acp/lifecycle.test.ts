import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { isAlive } from "../../src/acp/link/processTree.ts";
import { createStoredSessions } from "../../src/acp/stored/storedSessions.ts";
import { createCliHistory, readStoredTurns } from "../../src/acp/turn/session/cliHistory.ts";
import type { CliSession } from "../../src/acp/turn/session/cliSession.ts";
import { isFailure } from "../../src/base/failure.ts";
import type { AgentEvent } from "../../src/core/agent/agentEvent.ts";
import { assertMapped } from "../support/assertMapped.ts";
import { wholeFile } from "../support/wholeFile.ts";
import { answerOf, askOn, eventsOf, never, type RealCli, startRealCli, untilGone } from "./realCli.ts";
import { commandsIn, type ScriptedReply, type SeenRequest } from "./scriptedModelServer.ts";

function reply(request: SeenRequest): ScriptedReply {
	const run = commandsIn(request);
	if (run) return { text: ["On it. "], ...run };
	return request.question.includes("@@wait") ? { text: ["Half "], wait: true } : { text: ["All well."] };
}

const cli = await startRealCli(wholeFile(), reply);

describe("the life cycle of sessions and the real CLI", () => {
	const setting = () => ({ cwd: cli.work, mcpServers: [] });
	const create = () => cli.sessions.create(setting());
	/** Creates a session and asks one question in it. */
	const begun = async (question: string, options?: Parameters<typeof askOn>[3]) => {
		const session = await create();
		await askOn(cli, session, question, options);
		return session;
	};
	const stored = createStoredSessions(cli.files, (path) => `file://${path}`);
	const { list } = stored;

	/** Loads a session again and asks another question; asserts that the model sees the earlier turns. */
	async function assertGoesOn(id: string, said: string, { sessions } = cli as Pick<RealCli, "sessions">) {
		const next = await askOn(cli, await sessions.load(id, setting()), "And?");
		assert.equal(answerOf(next), "All well.");
		assert.ok(cli.model.requests.at(-1)?.whole.includes(said));
	}

	async function cancelAt(session: CliSession, question: string, isMeant: (event: AgentEvent) => boolean) {
		const controller = new AbortController();
		const watch = (event: AgentEvent) => void (isMeant(event) && controller.abort());
		const answer = () => "once" as const;
		const shown = await askOn(cli, session, question, { answer, signal: controller.signal, watch });
		return { shown, reason: controller.signal.reason };
	}

	test("a cancelled turn keeps its partial answer, and its session can continue", async () => {
		const session = await create();
		const { shown, reason } = await cancelAt(session, "@@wait", ({ kind }) => kind === "text");
		assert.equal(shown.thrown, reason);
		assert.equal(answerOf(shown), "Half ");
		assert.equal(answerOf(await askOn(cli, session, "Again")), "All well.");
	});

	test("cancelling a turn ends its running shell command and closes the call", async () => {
		const session = await create();
		const isRunning = ({ kind }: AgentEvent) => kind === "toolUpdated";
		const { shown, reason } = await cancelAt(session, "@@run echo $$ > pid; echo up; sleep 60", isRunning);
		assert.equal(shown.thrown, reason);
		assert.equal(eventsOf(shown, "toolFinished").length, 1);
		const pid = Number(readFileSync(join(cli.work, "pid"), "utf8"));
		await untilGone(pid);
	});

	test("a turn cancelled during a permission request runs nothing, even if the user then allows it", async () => {
		const session = await create();
		const controller = new AbortController();
		const answer = () => {
			controller.abort();
			return "always" as const;
		};
		const shown = await askOn(cli, session, "@@run touch late.txt", { answer, signal: controller.signal });
		assert.equal(shown.thrown, controller.signal.reason);
		await askOn(cli, session, "Again");
		assert.equal(existsSync(join(cli.work, "late.txt")), false);
	});

	test("stored CLI sessions can be listed, read and searched like our own", async () => {
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

	test("a closed session can be loaded again with its earlier turns", async () => {
		const session = await begun("Remember this");
		await cli.sessions.close(session.id);
		await assertGoesOn(session.id, "Remember this");
	});

	test("an unknown session is reported as not found", async () => {
		const id = "11111111-1111-4111-8111-111111111111";
		await assert.rejects(cli.sessions.load(id, setting()), { code: "NOT_FOUND" });
		await assert.rejects(cli.sessions.load("../../etc", setting()), { code: "NOT_FOUND" });
		await assert.rejects(cli.sessions.rename(id, "Name"), { code: "NOT_FOUND" });
	});

	test("a session that is open in one process cannot be loaded, renamed or deleted in another", async () => {
		const session = await begun("Mine");
		const other = cli.another();
		await other.client.ensureStarted();
		const { load, rename, delete: remove } = other.sessions;
		await assert.rejects(load(session.id, setting()), { code: "BUSY" });
		await assert.rejects(rename(session.id, "Stolen"), { code: "BUSY" });
		await assert.rejects(remove(session.id), { code: "BUSY" });
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

	test("a session with an incomplete last line is loaded without that line", async () => {
		const session = await begun("Whole");
		await cli.sessions.close(session.id);
		const events = stored.eventsOf(session.id);
		writeFileSync(events, '{"type":"user.message","da', { flag: "a" });
		assertMapped(await readStoredTurns(events), ({ question }) => question, ["Whole"]);
		assert.deepEqual(await readStoredTurns(join(cli.work, "gone.jsonl")), []);
		await assertGoesOn(session.id, "Whole");
	});

	test("killing the CLI while a tool runs ends the turn with an error, and its shell too", async () => {
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
		assert.ok(isFailure(shown.thrown) && shown.thrown.code === "CLI_STOPPED");
		assert.match(shown.thrown.message, /SIGKILL/);
		assert.deepEqual([answerOf(shown), eventsOf(shown, "toolFinished").length], ["On it. ", 1]);
		await untilGone(pid);
		const next = await askOn(cli, await cli.sessions.load(session.id, setting()), "Go on");
		assert.match(answerOf(next), /All well\.$/);
	});

	test("another CLI can load a session after the first CLI has stopped", async () => {
		const session = await begun("Before the restart");
		const pid = cli.client.pid() ?? 0;
		await cli.client.stop();
		assert.equal(isAlive(pid), false);
		await assertGoesOn(session.id, "Before the restart", cli.another());
	});

	test("a stopped CLI starts again on its next use", async () => {
		await create();
		assert.ok(isAlive(cli.client.pid() ?? 0));
	});

	test("the working folder contains only files that were allowed", () => {
		assert.deepEqual(readdirSync(cli.work).sort(), ["orphan", "pid"]);
	});
});
