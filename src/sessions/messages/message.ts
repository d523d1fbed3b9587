import { readLines } from "../../base/files/jsonLines.ts";
import type { Weighable } from "../../base/words/relevance.ts";
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

export type MessagePiece = Message & { readonly end: number };

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
