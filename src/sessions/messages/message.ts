import type { RecordBatch, Schema, Table } from "apache-arrow";
import { readLines } from "../../base/files/jsonLines.ts";
import { type Weighable, wordsOf } from "../../base/words/relevance.ts";
import type { JournalEntry } from "../../core/session/journalEntry.ts";
import {
	type Column,
	doubles,
	integers,
	schemaOf,
	tableOf,
	texts,
	vectors,
} from "../../store/tables/columns.ts";
import { parseEntry } from "../journal/owner.ts";

/** Maximum characters of a piece: about as much as one vector can represent. */
const PIECE = 1000;
/** A line that may be a question or an answer; the others are not worth parsing here. */
const MESSAGE_LINE = /"kind"\s*:\s*"(?:question|answer)"/;

type Role = "question" | "answer";

export interface TurnRef {
	readonly session: string;
	readonly turn: number;
}

export function keyOf({ session, turn }: TurnRef): string {
	return `${session} ${turn}`;
}

/** A piece of what was asked or answered. Long texts are several pieces. */
export interface MessagePiece extends TurnRef {
	readonly workspace: string;
	readonly role: Role;
	/** Milliseconds since 1970. */
	readonly at: number;
	readonly text: string;
	readonly end: number;
}

/** The pieces of a journal whose lines end after that byte, in order. */
export async function readPieces(
	path: string,
	{ session, workspace, after }: { session: string; workspace: string; after: number },
): Promise<MessagePiece[]> {
	const numbers = new Map<number, number>();
	let questions = 0;
	const pieces: MessagePiece[] = [];
	for (const { text: line, end } of (await readLines(path)).lines) {
		const entry = MESSAGE_LINE.test(line) ? parseEntry(line) : undefined;
		if (!isMessage(entry)) continue;
		if (entry.kind === "question") numbers.set(entry.turn, questions++);
		const turn = numbers.get(entry.turn);
		if (turn === undefined || end <= after) continue;
		const about = { session, workspace, turn, role: entry.kind, at: entry.at, end };
		pieces.push(...piecesOf(entry.text).map((text) => ({ ...about, text })));
	}
	return pieces;
}

function isMessage(entry: JournalEntry | undefined): entry is Extract<JournalEntry, { kind: Role }> {
	return entry?.kind === "question" || entry?.kind === "answer";
}

/** Cut at the end of a paragraph, a line or a word. An empty text is one piece, because it records that there was a message. */
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

/** `vector` is empty if there is no embedder, and zeros if it knew no word. */
export interface MessageRow extends MessagePiece {
	readonly vector: Float32Array;
}

export type WeighedRow = MessageRow & Weighable;

export function weigh(row: MessageRow): WeighedRow {
	return { ...row, words: wordsOf(row.text) };
}

/** All columns but the vector: LanceDB takes as long for each column as for many rows of it. */
export const MESSAGE_COLUMNS = ["text", "about"];

type About = readonly [session: string, workspace: string, role: Role, at: number, end: number, turn: number];

function columnsFor(dimensions: number): Column<MessageRow>[] {
	return [
		texts("session", ({ session }) => session),
		texts("workspace", ({ workspace }) => workspace),
		texts("text", ({ text }) => text),
		texts("about", ({ session, workspace, role, at, end, turn }) =>
			JSON.stringify([session, workspace, role, at, end, turn] satisfies About),
		),
		doubles("end", ({ end }) => end),
		integers("turn", ({ turn }) => turn),
		...(dimensions > 0 ? [vectors("vector", dimensions, ({ vector }: MessageRow) => vector)] : []),
	];
}

export function messageSchema(dimensions: number, metadata: ReadonlyMap<string, string>): Schema {
	return schemaOf(columnsFor(dimensions), metadata);
}

export function toMessageTable(rows: readonly MessageRow[], dimensions: number): Table {
	return tableOf(rows, columnsFor(dimensions));
}

/** The rows of a result, in order. A row that was read without a vector has an empty one. */
export function readMessages(result: Table | RecordBatch): MessageRow[] {
	const [texts, abouts] = MESSAGE_COLUMNS.map((name) => result.getChild(name));
	const vectors = result.getChild("vector");
	return Array.from({ length: result.numRows }, (_, index) => {
		const [session, workspace, role, at, end, turn] = JSON.parse(String(abouts?.get(index))) as About;
		const vector = new Float32Array(vectors?.get(index)?.toArray() ?? []);
		return { session, workspace, role, at, end, turn, text: String(texts?.get(index)), vector };
	});
}
