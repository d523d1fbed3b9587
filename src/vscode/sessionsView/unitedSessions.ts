import { randomUUID } from "node:crypto";
import { l10n } from "vscode";
import type { CliHistory } from "../../acp/turn/session/cliHistory.ts";
import { mergeTurns } from "../../acp/turn/session/mergeTurns.ts";
import { Failure, ifThere } from "../../base/failure.ts";
import { coalesce } from "../../base/jobs/coalesce.ts";
import type { JournalEntry } from "../../core/session/journalEntry.ts";
import type { SessionQuery, SessionSummary, Sessions, Transcript } from "../../core/session/session.ts";

export interface UnitedSessionsDeps extends KnownSessionsDeps {
	readonly own: Sessions;
	/** The CLI's session for each of our sessions, by id. */
	chats(): ReadonlyMap<string, string>;
}

/** Merges our sessions and the CLI's. A chat in both is listed once, under our id. If one side fails, the other is shown. */
export function createUnitedSessions(deps: UnitedSessionsDeps): Sessions {
	const sides = { ...deps, known: createKnownSessions(deps) };
	const { own, cli, chats, known } = sides;
	return {
		append: async (id, entries, signal) => {
			const title = entries.findLast((entry) => entry.kind === "titled")?.title;
			if (await known.has(id)) {
				if (title === undefined) throw new Failure("BAD_INPUT", NO_ARCHIVE);
				await cli.rename(id, title);
				return known.look();
			}
			const part = unsharedPart(id, chats());
			if (part !== undefined && title !== undefined) await isDone(cli.rename(part, title));
			await own.append(id, entries, signal);
		},
		list: (query, signal) => {
			// Not awaited: our sessions are shown at once, and the CLI's follow as a change.
			known.lookAgain();
			return listBoth(sides, query, signal);
		},
		read: (id, signal) => readEither(sides, id, signal),
		search: (query, signal) => searchBoth(sides, query, signal),
		fork: async (id, turns, signal) => {
			if (!(await known.has(id)) && !chats().has(id)) return own.fork(id, turns, signal);
			const fork = randomUUID();
			await own.append(fork, entriesOf(await readEither(sides, id, signal), turns), signal);
			return fork;
		},
		delete: async (id, signal) => {
			const isCli = await known.has(id);
			if (isCli) await cli.delete(id);
			const hadParts = !isCli && (await deleteOwn(deps, id, signal));
			if (isCli || hadParts) await known.look();
		},
		listDeleted: own.listDeleted,
		restore: async (id, signal) => {
			const part = unsharedPart(id, chats()) ?? id;
			const isOwn = await isDone(own.restore(id, signal));
			// If neither side has the session, the last call rejects.
			if (!isOwn) await cli.restore(part);
			else
				for (const each of [part, ...(await partsBelow(deps, id, signal))]) await isDone(cli.restore(each));
			await known.look();
		},
	};
}

type Sides = UnitedSessionsDeps & { readonly known: KnownSessions };

async function listBoth(sides: Sides, query: SessionQuery, signal: AbortSignal) {
	const isOwn = query.engine === "model" || query.engine === "mcp" || query.steps;
	if (isOwn || sides.known.now().length === 0) return sides.own.list(query, signal);
	const wanted = (await allOf(sides, signal)).filter((session) => isWanted(session, query));
	const { offset = 0, limit } = query;
	return { sessions: wanted.slice(offset, offset + limit), total: wanted.length };
}

async function allOf({ own, chats, known, onError }: Sides, signal: AbortSignal): Promise<SessionSummary[]> {
	const limit = Number.MAX_SAFE_INTEGER;
	const kinds = [{ archived: false }, { archived: true }, { steps: true }];
	const reading = Promise.all(kinds.map((kind) => own.list({ limit, ...kind }, signal)));
	const pages = await orNone(reading, onError, signal);
	const [open = [], archived = [], steps = []] = pages.map(({ sessions }) => sessions);
	// Steps, and the CLI's sessions for them, are shown under their chain.
	const parts = new Set(steps.map(({ id }) => chats().get(id)));
	const others = known.now().filter(({ id }) => !parts.has(id));
	const byId = new Map(others.map((session) => [session.id, session]));
	const left = new Map(byId);
	const merged = [...open, ...archived].map((session) => {
		const linked = chats().get(session.id) ?? "";
		const part = byId.get(linked);
		left.delete(linked);
		// The session may have continued in a terminal.
		return part ? { ...session, updatedAt: Math.max(session.updatedAt, part.updatedAt) } : session;
	});
	return [...merged, ...left.values()].sort((a, b) => b.updatedAt - a.updatedAt);
}

function isWanted(session: SessionSummary, query: SessionQuery): boolean {
	const { engine, workspace, since = 0, archived = false } = query;
	return (
		session.archived === archived &&
		session.updatedAt >= since &&
		(engine === undefined || session.engine === engine) &&
		(workspace === undefined || session.workspace === workspace)
	);
}

async function readEither(sides: Sides, id: string, signal: AbortSignal): Promise<Transcript> {
	const { own, cli, chats, known, onError } = sides;
	const transcript = (await known.has(id)) ? undefined : await ifThere(() => own.read(id, signal));
	if (!transcript) {
		// The session may have started in a terminal since the last look.
		if (!(await known.has(id))) await known.look();
		const ofCli = known.now().find((session) => session.id === id);
		return ofCli ? transcriptOf(ofCli, await cli.turns(id, signal)) : own.read(id, signal);
	}
	const part = chats().get(id);
	if (part === undefined) return transcript;
	const stored = await orNone(cli.turns(part, signal), onError, signal);
	return transcriptOf(transcript.session, mergeTurns(transcript.turns, stored));
}

/** Reports an error and resolves to an empty list instead. Rejects if aborted. */
function orNone<Item>(
	reading: Promise<readonly Item[]>,
	onError: (thrown: unknown) => void,
	signal: AbortSignal,
) {
	return reading.catch((thrown: unknown) => {
		signal.throwIfAborted();
		onError(thrown);
		return [];
	});
}

function transcriptOf(session: SessionSummary, turns: Transcript["turns"]): Transcript {
	const tokens = turns.reduce((sum, turn) => sum + turn.tokens, 0);
	// Some stored turns have no time.
	const timed = turns.map((turn) => (turn.at > 0 ? turn : { ...turn, at: session.updatedAt }));
	return { session: { ...session, turns: turns.length, tokens }, turns: timed };
}

async function searchBoth(
	sides: Sides,
	query: SessionQuery & { readonly text: string },
	signal: AbortSignal,
) {
	const { own, cli, chats, known, onError } = sides;
	const linked = new Set(chats().values());
	const onCli = async () => {
		const others = (await known.all()).filter(({ id }) => !linked.has(id));
		const wanted = others.filter((session) => isWanted(session, query));
		return cli.search(query.text, wanted, signal);
	};
	const found = await Promise.allSettled([own.search(query, signal), onCli()]);
	signal.throwIfAborted();
	const [ours, theirs] = found;
	if (ours.status === "rejected" && (theirs.status === "rejected" || theirs.value.length === 0))
		throw ours.reason;
	for (const side of found) if (side.status === "rejected") onError(side.reason);
	return found
		.flatMap((side) => (side.status === "fulfilled" ? side.value : []))
		.sort((a, b) => b.score - a.score)
		.slice(0, query.limit);
}

const NO_ARCHIVE = l10n.t("A session that exists only in the Copilot CLI cannot be archived.");

/** Deletes the CLI's part first, because the CLI refuses if another process has the session open. */
async function deleteOwn(deps: UnitedSessionsDeps, id: string, signal: AbortSignal) {
	const { own, cli, chats } = deps;
	const gone: string[] = [];
	try {
		for (const each of [unsharedPart(id, chats()) ?? [], await partsBelow(deps, id, signal)].flat())
			if (await isDone(cli.delete(each))) gone.push(each);
		await own.delete(id, signal);
		return gone.length > 0;
	} catch (thrown) {
		for (const each of gone) await cli.restore(each);
		throw thrown;
	}
}

/** The CLI's sessions for the steps of a chain, and for the chains that these steps began. */
async function partsBelow(deps: UnitedSessionsDeps, chain: string, signal: AbortSignal): Promise<string[]> {
	const { own, chats } = deps;
	const { sessions } = await own.list({ steps: true, limit: Number.MAX_SAFE_INTEGER }, signal);
	const below = new Set([chain]);
	// Visits ids added during the loop too, each once.
	for (const id of below) for (const step of sessions) if (step.partOf?.session === id) below.add(step.id);
	return [...below].slice(1).flatMap((id) => chats().get(id) ?? []);
}

/** The CLI's session of one of our sessions, unless another of our sessions uses the CLI's session, too. */
function unsharedPart(id: string, chats: ReadonlyMap<string, string>): string | undefined {
	const linked = chats.get(id);
	return [...chats].some(([chat, session]) => chat !== id && session === linked) ? undefined : linked;
}

/** Resolves to whether the session existed. */
async function isDone(doing: Promise<void>): Promise<boolean> {
	return (await ifThere(() => doing.then(() => true))) ?? false;
}

function entriesOf({ session, turns }: Transcript, count: number): JournalEntry[] {
	const copied = turns.slice(0, count);
	const now = Date.now();
	const { id, workspace, title } = session;
	return [
		{ kind: "session", at: now, engine: "model", workspace, forkOf: { session: id, turns: copied.length } },
		...copied.flatMap(entriesOfTurn),
		{ kind: "titled", at: now, title },
	];
}

function entriesOfTurn(turn: Transcript["turns"][number]): JournalEntry[] {
	const { question: text, command, attachments, events, answer, outcome = "cancelled", error } = turn;
	const when = { at: turn.at, turn: turn.turn };
	const ended = { text: answer, outcome, outputTokens: turn.tokens };
	return [
		{ kind: "question", ...when, text, attachments, ...(command !== undefined && { command }) },
		...events.map((event) => ({ kind: "event", ...when, event }) as const),
		{ kind: "answer", ...when, ...ended, ...(error !== undefined && { error }) },
	];
}

type KnownSessions = ReturnType<typeof createKnownSessions>;

interface KnownSessionsDeps {
	readonly cli: CliHistory;
	onChange(): void;
	/** Called when one side fails and the other answers. */
	onError(thrown: unknown): void;
}

/** Minimum milliseconds between looks for the list, which is requested often while a turn runs. */
const REST = 2_000;

function createKnownSessions({ cli, onChange, onError }: KnownSessionsDeps) {
	let known: readonly SessionSummary[] = [];
	let first: Promise<void> | undefined;
	let lookedAt = 0;
	let isResting = false;
	/** Reads the list. A call during a read starts one more read, because the running read may miss changes. */
	const lookOnce = coalesce(async () => {
		lookedAt = Date.now();
		try {
			const found = await cli.list();
			const isChanged = JSON.stringify(found) !== JSON.stringify(known);
			known = found;
			if (isChanged) onChange();
		} catch (thrown) {
			onError(thrown);
		}
	});
	const look = () => {
		const looking = lookOnce();
		first ??= looking;
		return looking;
	};
	const all = async () => {
		await (first ?? look());
		return known;
	};
	return {
		now: () => known,
		/** The sessions at the last look. Waits for the first look. */
		all,
		has: async (id: string) => (await all()).some((session) => session.id === id),
		look,
		/** Looks now, or after a rest if the last look was recent. */
		lookAgain: () => {
			const rest = lookedAt + REST - Date.now();
			if (rest <= 0) void look();
			if (rest <= 0 || isResting) return;
			isResting = true;
			setTimeout(() => {
				isResting = false;
				void look();
			}, rest).unref();
		},
	};
}
