import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JournalEntry } from "../../src/core/session/journalEntry.ts";
import type { SessionStore } from "../../src/sessions/openSessions.ts";
import { step } from "../step.ts";
import type { SessionsMeasurement } from "./measurement.ts";
import { openHome } from "./openHome.ts";
import { reportToParent } from "./program.ts";
import { createRandom } from "./random.ts";
import { type Latency, residentMb, timed, timeEach } from "./timing.ts";

/** Number of turns of a session, with a question and an answer each. */
const TURNS = 10;
const WORKSPACES = 20;
const QUERIES = 100;
const APPENDS = 200;
const DAY_MS = 86_400_000;

const signal = new AbortController().signal;

/** Measures listing, searching, recalling and appending with this many sessions in a temporary folder. */
async function measureSessions(sessions: number): Promise<SessionsMeasurement> {
	const home = await mkdtemp(join(tmpdir(), "bench-sessions-"));
	try {
		const random = createRandom(5);
		const vocabulary = await readWords();
		await step(`writing ${sessions} sessions`, () =>
			writeSessions(home, sessions, () => sentence(vocabulary, random)),
		);
		const queries = Array.from({ length: QUERIES }, () => words(3, vocabulary, random).join(" "));
		return { sessions, messages: sessions * TURNS * 2, ...(await measure(home, queries)) };
	} finally {
		await rm(home, { recursive: true, force: true });
	}
}

async function measure(
	home: string,
	queries: readonly string[],
): Promise<Omit<SessionsMeasurement, "sessions" | "messages">> {
	const first = await openHome(home);
	const list = () => first.sessions.list({ limit: 50 }, signal);
	const listFromJournals = await msOf(list);
	const indexing = await msOf(() => step("indexing", () => first.settle()));
	await first.close();
	const store = await openHome(home);
	const listAtStart = await msOf(() => store.sessions.list({ limit: 50 }, signal));
	await store.settle();
	const workspace = workspaceOf(1);
	return {
		listFromJournals,
		listAtStart,
		list: await timeEach(queries, () => store.sessions.list({ limit: 50 }, signal)),
		indexing,
		search: await timeEach(queries, (text) => store.sessions.search({ text, limit: 20 }, signal)),
		searchInWorkspace: await timeEach(queries, (text) =>
			store.sessions.search({ text, workspace, limit: 20 }, signal),
		),
		recall: await timeEach(queries, (query) =>
			store.memory.recall({ query, workspace, channel: "chat" }, signal),
		),
		append: await measureAppends(store),
		recallAfterAppends: await timeEach(queries, (query) =>
			store.memory.recall({ query, workspace, channel: "chat" }, signal),
		),
		residentMb: residentMb(),
		closing: await msOf(() => store.close()),
	};
}

async function measureAppends({ sessions }: SessionStore): Promise<Latency> {
	const turns = Array.from({ length: APPENDS }, (_, turn) => turn);
	const at = Date.now();
	await sessions.append(
		"appended",
		[{ kind: "session", at, engine: "model", workspace: workspaceOf(1) }],
		signal,
	);
	return timeEach(turns, (turn) =>
		sessions.append(
			"appended",
			turnLines(turn, at, () => `text ${turn}`),
			signal,
		),
	);
}

async function writeSessions(home: string, sessions: number, text: () => string): Promise<void> {
	const folder = join(home, "journals");
	await mkdir(folder, { recursive: true });
	for (let index = 0; index < sessions; index++) {
		const at = Date.now() - (index % 365) * DAY_MS;
		const workspace = workspaceOf(index % WORKSPACES);
		const turns = Array.from({ length: TURNS }, (_, turn) => turnLines(turn, at, text));
		const lines = [{ kind: "session", at, engine: "model", workspace }, ...turns.flat()];
		await writeFile(
			join(folder, `s${index}.jsonl`),
			lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
		);
	}
}

function turnLines(turn: number, at: number, text: () => string): JournalEntry[] {
	return [
		{ kind: "question", at, turn, text: `${text()}?`, attachments: [] },
		{ kind: "event", at, turn, event: { kind: "progress", text: "Searching" } },
		{
			kind: "answer",
			at,
			turn,
			text: [text(), text(), text(), text()].join(". "),
			outcome: "done",
			inputTokens: 900,
			outputTokens: 120,
		},
	];
}

function workspaceOf(index: number): string {
	return `file:///projects/project-${index}`;
}

function sentence(vocabulary: readonly string[], random: () => number): string {
	return words(8 + Math.floor(random() * 12), vocabulary, random).join(" ");
}

/** Draws words so that few are frequent and many are rare, as in a language. */
function words(count: number, vocabulary: readonly string[], random: () => number): string[] {
	return Array.from({ length: count }, () => vocabulary[Math.floor(vocabulary.length * random() ** 3)] ?? "");
}

/** The words of the built-in embedder's vocabulary. */
async function readWords(): Promise<string[]> {
	const { model } = JSON.parse(await readFile("media/model/tokenizer.json", "utf8"));
	return Object.keys(model.vocab).filter((word) => /^[a-z]{3,}$/.test(word));
}

async function msOf(run: () => Promise<unknown>): Promise<number> {
	return (await timed(run)).ms;
}

await reportToParent(measureSessions(Number(process.argv[2] ?? 10_000)));
