import { mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createLock, type Lock } from "../../base/files/lock.ts";
import { coalesce } from "../../base/jobs/coalesce.ts";
import { createMutex } from "../../base/jobs/mutex.ts";
import { type Embedder, vectorsOf } from "../../core/knowledge/embedder.ts";
import { emptyParts, readSnapshot, writeSnapshot } from "../../search/snapshotFile.ts";
import type { Overview, OverviewOptions } from "../journal/overview.ts";
import { createMessages, type MessageQuery, type Messages, readPieces, type TurnRef } from "./messages.ts";

/** Version of the pieces. Increase this number if a journal yields different pieces. */
const VERSION = 1;
/** Maximum number of sessions that a search waits for; more sessions are indexed in the background. */
const FEW = 100;
/** Below this number of changes, no snapshot is written: the next start reads the changes from the journals. */
const FEW_CHANGES = 500;
const FEW_CHANGES_SHARE = 0.02;

/** In-memory index of questions and answers by words and meaning, with a snapshot. No method rejects. */
export type MessageIndex = ReturnType<typeof createMessageIndex>;

interface MessageIndexOptions extends OverviewOptions {
	readonly overview: Overview;
	readonly embedder: Embedder | undefined;
}

interface State extends MessageIndexOptions {
	readonly closing: AbortSignal;
	/** Lets only one process at a time write or delete derived data. */
	readonly lock: Lock;
	loading?: Promise<Messages> | undefined;
	messages?: Messages | undefined;
	changes: number;
	/** Revision of the overview up to which every session is indexed. */
	wholeAt?: number | undefined;
}

export function createMessageIndex(options: MessageIndexOptions) {
	const { overview, derived, onError } = options;
	const closing = new AbortController();
	const state: State = { ...options, closing: closing.signal, lock: createLock(derived), changes: 0 };
	// Runs one step at a time, because data must not change while it is written.
	const steps = createMutex();
	const advance = coalesce(() => steps.run(() => readAll(state)).catch(onError));
	const save = () => steps.run(() => writeAll(state)).catch(onError);
	return {
		/** Reads new messages. Resolves when all of them can be found, or at once if too many are left. */
		catchUp: async () => {
			const revision = overview.revision();
			// Avoids comparing ten thousand sessions if there are no new messages.
			if (state.wholeAt === revision) return;
			await load(state);
			if (behind(state).length > FEW) return void advance();
			await advance();
			if (behind(state).length === 0) state.wholeAt = revision;
		},
		/** Resolves when the snapshot is up to date, unless another process is writing it. */
		settle: async () => {
			await advance();
			if (state.changes > 0) await save();
		},
		candidates: (text: string, vector: Float32Array, query: MessageQuery) =>
			state.messages?.match(text, vector, query) ?? [],
		rowsOf: (turns: readonly TurnRef[]) => state.messages?.rowsOf(turns) ?? [],
		/** Deletes the folder with derived data. Resolves to `false` if another process is using the folder. */
		discard: async () => {
			await advance();
			const erase = async () => {
				await state.messages?.leaveFile();
				await rm(derived, { recursive: true, force: true, maxRetries: 5 });
				Object.assign(state, { loading: undefined, messages: undefined, changes: 0, wholeAt: undefined });
			};
			return steps.run(() => locked(state, erase));
		},
		close: async () => {
			closing.abort();
			await advance();
			if (isMuch(state)) await save();
			await state.messages?.leaveFile();
		},
	};
}

function behind({ overview, messages }: State): string[] {
	return Array.from(overview.digests()).flatMap(([session, { messagesEnd }]) =>
		messagesEnd === (messages?.endOf(session) ?? 0) ? [] : session,
	);
}

function isMuch({ messages, changes }: State): boolean {
	return changes > Math.max(FEW_CHANGES, FEW_CHANGES_SHARE * (messages?.size() ?? 0));
}

function snapshotOf({ derived, embedder }: State) {
	const { id = "", dimensions = 0 } = embedder ?? {};
	const path = join(derived, "index", "messages.snapshot");
	return { path, kind: { embedder: `${VERSION} ${id}`, dimensions } };
}

async function load(state: State): Promise<Messages> {
	const { path, kind } = snapshotOf(state);
	const read = async () => createMessages((await readSnapshot(path, kind)) ?? emptyParts(kind.dimensions));
	state.loading ??= read();
	state.messages = await state.loading;
	return state.messages;
}

async function readAll(state: State): Promise<void> {
	if (state.closing.aborted) return;
	const messages = await load(state);
	dropGone(state, messages);
	for (const session of behind(state)) {
		if (state.closing.aborted) return;
		await readOn(state, session, messages).catch(state.onError);
	}
	if (isMuch(state)) await writeAll(state);
}

function dropGone(state: State, messages: Messages): void {
	const before = messages.size();
	const digests = state.overview.digests();
	for (const session of [...messages.sessions()])
		if (messages.endOf(session) > (digests.get(session)?.messagesEnd ?? 0)) messages.drop(session);
	state.changes += before - messages.size();
}

async function readOn(state: State, session: string, messages: Messages): Promise<void> {
	const { overview, embedder, journals } = state;
	const { messagesEnd = 0 } = overview.digests().get(session) ?? {};
	const pieces = await readPieces(journals.pathOf(session), session, messages.endOf(session));
	const texts = pieces.map(({ text }) => text);
	const vectors = await vectorsOf(texts, embedder);
	const rows = pieces.map((piece, at) => ({ ...piece, vector: vectors[at] ?? new Float32Array() }));
	await messages.add(session, rows, Math.max(messagesEnd, pieces.at(-1)?.end ?? 0));
	state.changes += rows.length;
}

async function writeAll(state: State): Promise<void> {
	const { path, kind } = snapshotOf(state);
	await locked(state, async () => {
		const { messages } = state;
		if (!messages) return;
		// Do not write sessions that another process deleted.
		await state.overview.refresh();
		dropGone(state, messages);
		// Messages are private, so only the user may read the folder.
		await mkdir(dirname(path), { recursive: true, mode: 0o700 });
		if (await writeSnapshot(path, await messages.pack(), kind)) state.changes = 0;
	});
}

async function locked({ lock }: State, step: () => Promise<void>): Promise<boolean> {
	if (!(await lock.acquire())) return false;
	try {
		await step();
		return true;
	} finally {
		await lock.release();
	}
}
