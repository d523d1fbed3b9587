import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { CliHistory } from "../../../src/acp/turn/session/cliHistory.ts";
import { Failure } from "../../../src/base/failure.ts";
import type { JournalEntry } from "../../../src/core/session/journalEntry.ts";
import type { SessionQuery, SessionSummary, Transcript } from "../../../src/core/session/session.ts";
import { createUnitedSessions } from "../../../src/vscode/sessionsView/unitedSessions.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { createFakeSessions, oneTurn } from "../../webview/fakeSessions.ts";

const { signal } = new AbortController();

test("our and the CLI's sessions are one paged list, most recent first; a chat and its CLI session are one entry", async () => {
	const { list, cli } = await unitedOf({
		own: [transcript("chat", { engine: "cli", updatedAt: 10 }), transcript("model", { updatedAt: 30 })],
		cli: [summary("linked", { updatedAt: 40 }), summary("terminal", { updatedAt: 20 })],
		chats: [["chat", "linked"]],
	});
	assert.equal(cli.listed, 1);
	assert.deepEqual(await list({}), ["chat 40", "model 30", "terminal 20"]);
	assert.deepEqual(await list({ offset: 1, limit: 1 }), ["model 30", "… of 3"]);
});

test("filters apply to our and the CLI's sessions; an archived chat hides its CLI session", async () => {
	const { list } = await unitedOf({
		own: [transcript("kept", { archived: true }), transcript("own", {})],
		cli: [summary("linked", {}), summary("here", { workspace: "file:///isles" }), summary("there", {})],
		chats: [["kept", "linked"]],
	});
	assert.deepEqual(await list({ archived: true }), ["kept 0"]);
	assert.deepEqual(await list({ engine: "cli" }), ["here 0", "there 0"]);
	assert.deepEqual(await list({ engine: "model" }), ["own 0"]);
	assert.deepEqual(await list({ workspace: "file:///isles" }), ["here 0"]);
});

test("our sessions are listed at once, and the CLI's after a change event; the CLI is read again only after a pause", async (t) => {
	t.mock.timers.enable({ apis: ["setTimeout"] });
	const { list, cli, changed } = open({ own: [transcript("own", {})], cli: [summary("slow", {})] });
	const { promise, resolve } = Promise.withResolvers<void>();
	cli.isReady = promise;
	assert.deepEqual(await list({}), ["own 0"]);
	resolve();
	await changed;
	for (let at = 0; at < 3; at++) assert.deepEqual(await list({}), ["own 0", "slow 0"]);
	assert.equal(cli.listed, 1);
	t.mock.timers.tick(2_000);
	await setImmediate();
	assert.equal(cli.listed, 2);
});

const broken = () => Promise.reject(new Failure("WORKER_STOPPED", "The worker stopped."));

test("if reading our or the CLI's sessions fails, the others are shown and the error reported; without others, the call rejects", async () => {
	const sides = { own: [transcript("own", {})], cli: [summary("cli", {})] };
	const { list, search, own, cli, errors } = await unitedOf(sides);
	cli.list = broken;
	assert.deepEqual(await list({}), ["own 0", "cli 0"], "sessions that were read before stay");
	Object.assign(own, { list: broken, search: broken });
	assert.deepEqual([await list({}), await search("lamp")], [["cli 0"], ["cli"]]);
	assert.ok(errors.length >= 2);
	const alone = await unitedOf({});
	alone.own.list = broken;
	await assert.rejects(alone.list({}), { code: "WORKER_STOPPED" });
});

test("a chat is found once, and includes the turns of its CLI session unless these are unreadable", async () => {
	const { sessions, search, cli } = await unitedOf(chatOnCli("One", "terminal"));
	assert.deepEqual(await search("One"), ["chat", "terminal"]);
	cli.stored = ["One", "Two"];
	const { session, turns } = await sessions.read("chat", signal);
	assertMapped(turns, ({ question }) => question, ["One", "Two"]);
	assert.equal(session.turns, 2);
	cli.turns = async () => Promise.reject(new Error("EACCES"));
	assert.equal((await sessions.read("chat", signal)).turns.length, 1);
});

test("a terminal session is read with the stored turns, tokens and times", async () => {
	const { sessions, cli } = await unitedOf({ cli: [summary("terminal", { updatedAt: 50 })] });
	cli.turns = async () => [oneTurn(0, { at: 40, tokens: 3 }), oneTurn(1, { at: 0, tokens: 4 })];
	const { session, turns } = await sessions.read("terminal", signal);
	assert.partialDeepStrictEqual(session, { turns: 2, tokens: 7 });
	assertMapped(turns, ({ at }) => at, [40, 50]);
	cli.sessions = [summary("new", { title: "New" })];
	assert.equal((await sessions.read("new", signal)).session.title, "New", "it began after the last reading");
	await assert.rejects(sessions.read("none", signal), { code: "NOT_FOUND" });
});

test("renaming, deleting and restoring a chat includes its CLI session; chats open elsewhere stay", async () => {
	const { sessions, list, own, cli } = await unitedOf(chatOnCli());
	await sessions.append("chat", [titled("The lamp")], signal);
	assert.deepEqual([cli.sessions[0]?.title, own.transcripts[0]?.session.title], ["The lamp", "The lamp"]);
	await sessions.delete("chat", signal);
	assert.deepEqual([...own.deleted, ...cli.deleted], ["chat", "linked"]);
	assert.deepEqual(await list({}), []);
	await sessions.restore("chat", signal);
	assert.deepEqual([...own.deleted, ...cli.deleted], []);
	cli.delete = async () => Promise.reject(new Failure("BUSY", "Process 7 has this session open."));
	await assert.rejects(sessions.delete("chat", signal), { code: "BUSY" });
	assert.equal(own.deleted.size, 0);
});

test("a terminal session can be renamed, deleted and restored, but not archived", async () => {
	const { sessions, list, cli } = await unitedOf({ cli: [summary("terminal", {})] });
	await sessions.append("terminal", [titled("The lamp")], signal);
	assert.equal(cli.sessions[0]?.title, "The lamp");
	const archived: JournalEntry = { kind: "archived", at: 1, archived: true };
	await assert.rejects(sessions.append("terminal", [archived], signal), { code: "BAD_INPUT" });
	await sessions.delete("terminal", signal);
	assert.ok(cli.deleted.has("terminal"));
	await sessions.restore("terminal", signal);
	assert.deepEqual(await list({}), ["terminal 0"]);
});

test("a fork of a terminal session is our session with the first turns of the original", async () => {
	const { sessions, own, cli } = await unitedOf({ cli: [summary("terminal", { title: "Lamps" })] });
	cli.stored = ["One", "Two"];
	const written: JournalEntry[] = [];
	own.append = async (_, entries) => void written.push(...entries);
	await sessions.fork("terminal", 1, signal);
	assert.partialDeepStrictEqual(written[0], { kind: "session", forkOf: { session: "terminal", turns: 1 } });
	const questions = written.flatMap((entry) => (entry.kind === "question" ? entry.text : []));
	assert.deepEqual(questions, ["One"]);
	assert.partialDeepStrictEqual(written.at(-1), { kind: "titled", title: "Lamps" });
});

interface Sides {
	readonly own?: readonly Transcript[];
	readonly cli?: readonly SessionSummary[];
	readonly chats?: readonly (readonly [string, string])[];
}

function chatOnCli(question?: string, ...others: readonly string[]): Sides {
	const cli = ["linked", ...others].map((id) => summary(id, {}));
	return { own: [transcript("chat", {}, question)], cli, chats: [["chat", "linked"]] };
}

function open(parts: Sides) {
	const [own, cli] = [createFakeSessions(parts.own), createFakeCli(parts.cli ?? [])];
	const errors: unknown[] = [];
	const changed = Promise.withResolvers<void>();
	const sessions = createUnitedSessions({
		...{ own, cli, chats: () => new Map(parts.chats), onChange: changed.resolve },
		onError: (thrown) => void errors.push(thrown),
	});
	/** Ids with their times, and the total if there are more. */
	const list = async (query: Partial<SessionQuery>) => {
		const { sessions: page, total } = await sessions.list({ limit: 9, ...query }, signal);
		const rows = page.map(({ id, updatedAt }) => `${id} ${updatedAt}`);
		return total === rows.length ? rows : [...rows, `… of ${total}`];
	};
	const search = async (text: string) =>
		(await sessions.search({ text, limit: 9 }, signal)).map(({ session }) => session.id);
	return { sessions, own, cli, errors, list, search, changed: changed.promise };
}

/** Opens our and the CLI's sessions, and waits for the first reading of the CLI's. */
async function unitedOf(parts: Sides) {
	const opened = open(parts);
	if (opened.cli.sessions.length > 0) {
		await opened.list({});
		await opened.changed;
	}
	return opened;
}

function createFakeCli(given: readonly SessionSummary[]) {
	const deleted = new Set<string>();
	const state = { deleted, sessions: given, stored: [] as string[], listed: 0, isReady: Promise.resolve() };
	const history: CliHistory = {
		list: async () => {
			cli.listed++;
			await cli.isReady;
			return cli.sessions.filter(({ id }) => !deleted.has(id));
		},
		turns: async () => cli.stored.map((question, turn) => oneTurn(turn, { question })),
		search: async (excerpt, sessions) =>
			sessions.map((session) => ({ session, turn: 0, role: "answer", excerpt, score: 0.5 })),
		rename: async (id, title) => {
			cli.sessions = cli.sessions.map((session) => (session.id === id ? { ...session, title } : session));
		},
		delete: async (id) => void deleted.add(id),
		restore: async (id) => {
			if (!deleted.delete(id)) throw new Failure("NOT_FOUND", "The CLI has no such session.");
		},
	};
	const cli = Object.assign(state, history);
	return cli;
}

function summary(id: string, part: Partial<SessionSummary>): SessionSummary {
	const never = { createdAt: 0, updatedAt: 0, turns: 0, tokens: 0, archived: false };
	return { id, title: id, engine: "cli", workspace: "", ...never, ...part };
}

function transcript(id: string, part: Partial<SessionSummary>, question = "Who?"): Transcript {
	return { session: summary(id, { engine: "model", ...part }), turns: [oneTurn(0, { question })] };
}

const titled = (title: string): JournalEntry => ({ kind: "titled", at: 1, title });
