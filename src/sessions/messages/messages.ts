import { readLines } from "../../base/files/jsonLines.ts";
import { createPacer } from "../../base/jobs/pacer.ts";
import { type Weighable, wordsOf } from "../../base/words/relevance.ts";
import { createPassageIndex } from "../../search/passageIndex.ts";
import type { IndexParts } from "../../search/snapshotFile.ts";
import { unitOf } from "../../search/vectorMemory.ts";
import { isMessage, numberTurns, parseEntry } from "../journal/transcript.ts";

/** Maximum number of characters of a piece, about as much as a vector can represent. */
const PIECE = 1000;
/** Finds lines that may be a question or answer, so that other lines need no parsing. */
const MESSAGE_LINE = /"kind"\s*:\s*"(?:question|answer)"/;

export interface TurnRef {
	readonly session: string;
	readonly turn: number;
}

export function keyOf({ session, turn }: TurnRef): string {
	return `${session} ${turn}`;
}

/** A piece of a question or answer. Long texts are split into several pieces. */
export interface Message extends TurnRef {
	readonly role: "question" | "answer";
	/** Milliseconds since 1970. */
	readonly at: number;
	readonly text: string;
}

export type WeighedMessage = Message & Weighable;

type MessagePiece = Message & { readonly end: number };

/** Returns the pieces of lines that end after byte `after`, in the order of the journal. */
export async function readPieces(path: string, session: string, after: number): Promise<MessagePiece[]> {
	const numberOf = numberTurns();
	const pieces: MessagePiece[] = [];
	for (const { text: line, end } of (await readLines(path)).lines) {
		const entry = MESSAGE_LINE.test(line) ? parseEntry(line) : undefined;
		if (!entry || !isMessage(entry)) continue;
		const turn = numberOf(entry);
		if (turn === undefined || end <= after) continue;
		const about = { session, turn, role: entry.kind, at: entry.at, end };
		pieces.push(...piecesOf(entry.text).map((text) => ({ ...about, text })));
	}
	return pieces;
}

/** Splits at the end of a paragraph, line or word. An empty text is one piece, which records the message. */
function piecesOf(text: string): string[] {
	const pieces: string[] = [];
	let rest = text.trim();
	while (rest.length > PIECE) {
		const head = rest.slice(0, PIECE);
		const cuts = ["\n\n", "\n", " "].map((mark) => head.lastIndexOf(mark));
		const cut = cuts.find((at) => at > PIECE / 2) ?? PIECE;
		pieces.push(rest.slice(0, cut).trim());
		rest = rest.slice(cut).trim();
	}
	return [...pieces, rest];
}

/** Maximum number of characters of a query; more characters take time without better results. */
const LONGEST_QUERY = 1000;

export interface MessageQuery {
	readonly sessions?: Iterable<string>;
	readonly limit: number;
}

/** The indexed part of a journal. Pieces that were read together have one revision. */
interface ReadSession {
	readonly revisions: Set<number>;
	end: number;
}

type EmbeddedPiece = MessagePiece & { readonly vector: Float32Array };

/** Metadata of a piece, kept as the resource of its passage. The passage's first line is the turn. */
type About = readonly [session: string, role: Message["role"], at: number];

export type Messages = ReturnType<typeof createMessages>;

type State = ReturnType<typeof createState>;

/** The ordinal of a row is the end of its piece; the class of a row is its session. */
function createState(parts: IndexParts) {
	const read = readIn(parts);
	const revisions = Array.from(read.values(), (session) => Math.max(...session.revisions));
	const index = createPassageIndex(parts, { base: 0, uriOf: String });
	return { index, vectors: parts.vectors, read, revision: Math.max(0, ...revisions) };
}

/** Takes ownership of `parts`. */
export function createMessages(parts: IndexParts) {
	const state = createState(parts);
	const { index, read, vectors } = state;
	return {
		size: () => index.documents.passages,
		sessions: () => read.keys(),
		endOf: (session: string) => read.get(session)?.end ?? 0,
		add: (session: string, pieces: readonly EmbeddedPiece[], end: number) => add(state, session, pieces, end),
		drop: (session: string) => {
			for (const revision of revisionsOf(state, session)) index.documents.drop(revision);
			read.delete(session);
		},
		match: (text: string, vector: Float32Array, { sessions, limit }: MessageQuery) => {
			const revisions = sessions && [...sessions].flatMap((session) => revisionsOf(state, session));
			const filter = { limit, ...(revisions && { revisions }) };
			const isDirected = vector.length === vectors?.dimensions && vector.some((value) => value !== 0);
			const near = isDirected ? index.matchVector(vector, filter) : [];
			const found = [...index.matchText(text.slice(0, LONGEST_QUERY), filter).matches, ...near];
			return [...new Set(found.map(({ row }) => row))].flatMap((row) => weighedAt(state, row));
		},
		rowsOf: (turns: readonly TurnRef[]) => {
			const wanted = new Set(turns.map(keyOf));
			const sessions = new Set(turns.map(({ session }) => session));
			const revisions = [...sessions].flatMap((session) => revisionsOf(state, session));
			const rows = revisions.flatMap((revision) => [...index.documents.rowsOf(revision)]);
			return rows.flatMap((row) => messageAt(state, row)).filter((message) => wanted.has(keyOf(message)));
		},
		pack: index.pack,
		leaveFile: index.leaveFile,
	};
}

function revisionsOf({ read }: State, session: string): number[] {
	return [...(read.get(session)?.revisions ?? [])];
}

async function add(state: State, session: string, pieces: readonly EmbeddedPiece[], end: number) {
	const { index, read } = state;
	const pacer = createPacer();
	const revision = ++state.revision;
	for (const { role, at, turn, text, vector, end: ordinal } of pieces) {
		if (pacer.isDue) await pacer.rest();
		const resource = JSON.stringify([session, role, at] satisfies About);
		const passage = { title: "", text, lines: { start: turn, end: turn }, resource };
		index.add({ revision, ordinal, passage, types: [session], vector });
	}
	index.documents.show(revision);
	const revisions = read.get(session)?.revisions ?? new Set();
	read.set(session, { revisions: revisions.add(revision), end });
}

/** Returns an empty array if the text of the message is unreadable. */
function messageAt({ index }: State, row: number): Message[] {
	const passage = index.passageAt(row);
	if (!passage?.resource) return [];
	const [session, role, at] = JSON.parse(passage.resource) as About;
	return [{ session, turn: passage.lines.start, role, at, text: passage.text }];
}

function weighedAt(state: State, row: number): WeighedMessage[] {
	const vector = unitOf(state.vectors?.rowAt(row).codes ?? new Int8Array());
	return messageAt(state, row).map((message) => ({ ...message, vector, words: wordsOf(message.text) }));
}

function readIn({ size, columns, typeSets }: IndexParts): Map<string, ReadSession> {
	const read = new Map<string, ReadSession>();
	const sets = typeSets.all();
	for (let row = 0; row < size; row++) {
		const [session = ""] = sets[columns.typeSets[row] ?? 0] ?? [];
		const known = read.get(session) ?? { revisions: new Set(), end: 0 };
		known.revisions.add(columns.owners[row] ?? 0);
		known.end = Math.max(known.end, columns.ordinals[row] ?? 0);
		read.set(session, known);
	}
	return read;
}
