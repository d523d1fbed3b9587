import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { CliHistory } from "../../../src/acp/turn/session/cliHistory.ts";
import { Failure } from "../../../src/base/failure.ts";
import type { JournalEntry } from "../../../src/core/session/journalEntry.ts";
import type { SessionSummary, Transcript } from "../../../src/core/session/session.ts";
import { createUnitedSessions } from "../../../src/vscode/sessionsView/unitedSessions.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { FakeSessions, oneTurn } from "../../webview/fakeSessions.ts";

const { signal } = new AbortController();

test("both sides are one list, used last first; a chat and its session of the CLI are one entry", async () => {
	const { sessions, cli } = await unitedOf({
		own: [transcript("chat", { engine: "cli", updatedAt: 10 }), transcript("model", { updatedAt: 30 })],
		cli: [summary("linked", { updatedAt: 40 }), summary("terminal", { updatedAt: 20 })],
		chats: [["chat", "linked"]],
	});
	assert.equal(cli.listed, 1);
	const page = await sessions.list({ limit: 10 }, signal);
	assert.deepEqual(idsOf(page.sessions), ["chat", "model", "terminal"]);
	assert.equal(page.total, 3);
	assert.equal(page.sessions[0]?.updatedAt, 40, "it went on in a terminal");
});

test("a page is cut out of the whole", async () => {
	const { sessions } = await unitedOf({
		own: [0, 2, 4].map((at) => transcript(`own${at}`, { updatedAt: at })),
		cli: [1, 3, 5].map((at) => summary(`cli${at}`, { updatedAt: at })),
	});
	const page = await sessions.list({ offset: 2, limit: 3 }, signal);
	assert.deepEqual(idsOf(page.sessions), ["cli3", "own2", "cli1"]);
	assert.equal(page.total, 6);
});

test("the filters hold for both sides, and an archived chat stays archived with its session of the CLI", async () => {
	const { sessions } = await unitedOf({
		own: [transcript("kept", { archived: true }), transcript("own", {})],
		cli: [summary("linked", {}), summary("here", { workspace: "file:///isles" }), summary("there", {})],
		chats: [["kept", "linked"]],
	});
	const of = async (query: object) => idsOf((await sessions.list({ limit: 9, ...query }, signal)).sessions);
	assert.deepEqual(await of({ archived: true }), ["kept"]);
	assert.deepEqual(await of({ engine: "cli" }), ["here", "there"]);
	assert.deepEqual(await of({ engine: "model" }), ["own"]);
	assert.deepEqual(await of({ workspace: "file:///isles" }), ["here"]);
});

test("our own sessions come at once, and those of the CLI follow as a change", async () => {
	const cli = new FakeCli([summary("slow", {})]);
	const { promise, resolve } = Promise.withResolvers<void>();
	const changed = Promise.withResolvers<void>();
	const list = cli.list.bind(cli);
	cli.list = async () => {
		await promise;
		return list();
	};
	const own = new FakeSessions([transcript("own", {})]);
	const parts = { own, cli, chats: () => new Map(), onError: assert.fail };
	const sessions = createUnitedSessions({ ...parts, onChange: changed.resolve });
	assert.deepEqual(idsOf((await sessions.list({ limit: 9 }, signal)).sessions), ["own"]);
	resolve();
	await changed.promise;
	assert.equal((await sessions.list({ limit: 9 }, signal)).total, 2);
});

test("a list that is asked for often looks at the CLI once, and once more after a rest", async (t) => {
	const { sessions, cli } = await unitedOf({ own: [], cli: [] });
	t.mock.timers.enable({ apis: ["setTimeout"] });
	for (let at = 0; at < 3; at++) await sessions.list({ limit: 9 }, signal);
	assert.equal(cli.listed, 1);
	t.mock.timers.tick(2_000);
	await setImmediate();
	assert.equal(cli.listed, 2);
});

test("a side that fails does not hide the other, and is told of", async () => {
	const parts = { own: [transcript("own", {})], cli: [summary("cli", {})] };
	const { sessions, own, cli, errors } = await unitedOf(parts);
	const broken = new Failure("WORKER_STOPPED", "The worker stopped.");
	cli.list = async () => Promise.reject(broken);
	assert.equal((await sessions.list({ limit: 9 }, signal)).total, 2, "what was known stays");
	own.list = async () => Promise.reject(broken);
	own.search = async () => Promise.reject(broken);
	assert.deepEqual(idsOf((await sessions.list({ limit: 9 }, signal)).sessions), ["cli"]);
	const hits = await sessions.search({ text: "lamp", limit: 9 }, signal);
	assert.deepEqual(idsOf(hits.map(({ session }) => session)), ["cli"]);
	assert.ok(errors.length >= 2);
});

test("where nothing else is found, the failure of our side is told", async () => {
	const { sessions, own } = await unitedOf({});
	own.list = async () => Promise.reject(new Failure("WORKER_STOPPED", "The worker stopped."));
	await assert.rejects(sessions.list({ limit: 9 }, signal), { code: "WORKER_STOPPED" });
});

test("a search gives the best of both sides, without the CLI's part of a chat of ours", async () => {
	const { sessions } = await unitedOf(chatOnCli("Where is the lamp?", "terminal"));
	const hits = await sessions.search({ text: "lamp", limit: 9 }, signal);
	assert.deepEqual(idsOf(hits.map(({ session }) => session)), ["chat", "terminal"]);
});

test("a chat is read with the turns that were made in a terminal", async () => {
	const { sessions, cli } = await unitedOf(chatOnCli("One"));
	cli.stored = ["One", "Two"];
	const { session, turns } = await sessions.read("chat", signal);
	assertMapped(turns, ({ question }) => question, ["One", "Two"]);
	assert.equal(session.turns, 2);
	cli.turns = async () => Promise.reject(new Error("EACCES"));
	assert.equal((await sessions.read("chat", signal)).turns.length, 1);
});

test("a session of a terminal is read with its turns, tokens and times, as far as they are stored", async () => {
	const { sessions, cli } = await unitedOf({ cli: [summary("terminal", { updatedAt: 50 })] });
	cli.turns = async () => [oneTurn(0, { at: 40, tokens: 3 }), oneTurn(1, { at: 0, tokens: 4 })];
	const { session, turns } = await sessions.read("terminal", signal);
	assert.partialDeepStrictEqual(session, { turns: 2, tokens: 7 });
	assertMapped(turns, ({ at }) => at, [40, 50]);
});

test("a session that began in a terminal since the last look is read", async () => {
	const { sessions, cli } = await unitedOf({ own: [], cli: [] });
	cli.list = async () => [summary("new", { title: "New" })];
	assert.equal((await sessions.read("new", signal)).session.title, "New");
	await assert.rejects(sessions.read("none", signal), { code: "NOT_FOUND" });
});

test("renaming and deleting a chat reaches the CLI's part of it, and undoing brings both back", async () => {
	const { sessions, own, cli } = await unitedOf(chatOnCli());
	await sessions.append("chat", [titled("The lamp")], signal);
	assert.equal(cli.sessions[0]?.title, "The lamp");
	assert.equal(own.transcripts[0]?.session.title, "The lamp");
	await sessions.delete("chat", signal);
	assert.deepEqual([...own.deleted, ...cli.deleted], ["chat", "linked"]);
	assert.equal((await sessions.list({ limit: 9 }, signal)).total, 0);
	await sessions.restore("chat", signal);
	assert.deepEqual([...own.deleted, ...cli.deleted], []);
});

test("what another process has open is deleted on neither side", async () => {
	const { sessions, own, cli } = await unitedOf(chatOnCli());
	cli.delete = async () => Promise.reject(new Failure("BUSY", "Process 7 has this session open."));
	await assert.rejects(sessions.delete("chat", signal), { code: "BUSY" });
	assert.equal(own.deleted.size, 0);
});

test("a session of a terminal is renamed, deleted and brought back; it has no archive", async () => {
	const { sessions, cli } = await unitedOf({ cli: [summary("terminal", {})] });
	await sessions.append("terminal", [titled("The lamp")], signal);
	assert.equal((await sessions.list({ limit: 9 }, signal)).sessions[0]?.title, "The lamp");
	const archived: JournalEntry = { kind: "archived", at: 1, archived: true };
	await assert.rejects(sessions.append("terminal", [archived], signal), { code: "BAD_INPUT" });
	await sessions.delete("terminal", signal);
	assert.ok(cli.deleted.has("terminal"));
	await sessions.restore("terminal", signal);
	assert.equal((await sessions.list({ limit: 9 }, signal)).total, 1);
});

test("a fork of a session of a terminal is a session of ours with its first turns", async () => {
	const { sessions, own, cli } = await unitedOf({ cli: [summary("terminal", { title: "Lamps" })] });
	cli.stored = ["One", "Two"];
	const written: JournalEntry[] = [];
	own.append = async (_, entries) => void written.push(...entries);
	await sessions.fork("terminal", 1, signal);
	const [first] = written;
	assert.partialDeepStrictEqual(first, { kind: "session", forkOf: { session: "terminal", turns: 1 } });
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

async function unitedOf(parts: Sides) {
	const own = new OwnSessions(parts.own ?? []);
	const cli = new FakeCli(parts.cli ?? []);
	const errors: unknown[] = [];
	const changed = Promise.withResolvers<void>();
	const sessions = createUnitedSessions({
		...{ own, cli, chats: () => new Map(parts.chats), onChange: changed.resolve },
		onError: (thrown) => void errors.push(thrown),
	});
	if (cli.sessions.length > 0) {
		await sessions.list({ limit: 1 }, signal);
		await changed.promise;
	}
	return { sessions, own, cli, errors };
}

/** Ours say where there is nothing to restore. */
class OwnSessions extends FakeSessions {
	override async restore(id: string): Promise<void> {
		if (!this.deleted.has(id)) throw new Failure("NOT_FOUND", "There is no such session.");
		await super.restore(id);
	}
}

class FakeCli implements CliHistory {
	readonly deleted = new Set<string>();
	sessions: readonly SessionSummary[];
	stored: readonly string[] = [];
	listed = 0;

	constructor(sessions: readonly SessionSummary[]) {
		this.sessions = sessions;
	}

	async list(): Promise<readonly SessionSummary[]> {
		this.listed++;
		return this.sessions.filter(({ id }) => !this.deleted.has(id));
	}

	async turns() {
		return this.stored.map((question, turn) => oneTurn(turn, { question }));
	}

	async search(text: string, sessions: readonly SessionSummary[]) {
		const hit = { turn: 0, role: "answer" as const, excerpt: text, score: 0.5 };
		return sessions.map((session) => ({ session, ...hit }));
	}

	async rename(id: string, title: string): Promise<void> {
		this.sessions = this.sessions.map((session) => (session.id === id ? { ...session, title } : session));
	}

	async delete(id: string): Promise<void> {
		this.deleted.add(id);
	}

	async restore(id: string): Promise<void> {
		if (!this.deleted.delete(id)) throw new Failure("NOT_FOUND", "The CLI has no such session.");
	}
}

function summary(id: string, part: Partial<SessionSummary>): SessionSummary {
	const never = { createdAt: 0, updatedAt: 0, turns: 0, tokens: 0, archived: false };
	return { id, title: id, engine: "cli", workspace: "", ...never, ...part };
}

function transcript(id: string, part: Partial<SessionSummary>, question = "Who?"): Transcript {
	return { session: summary(id, { engine: "model", ...part }), turns: [oneTurn(0, { question })] };
}

function titled(title: string): JournalEntry {
	return { kind: "titled", at: 1, title };
}

function idsOf(sessions: readonly SessionSummary[]): string[] {
	return sessions.map(({ id }) => id);
}
