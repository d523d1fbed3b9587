import type { ContextPart } from "../../core/agent/agentEvent.ts";
import { type Count, type CutNote, cutTo } from "./tokenCounts.ts";

export interface Piece {
	readonly section: ContextPart["section"];
	readonly title: string;
	readonly text: string;
	readonly tokens: number;
	readonly frame?: number;
	readonly why: string;
	readonly note?: CutNote;
}

/**
 * Cuts pieces to a fair share of `room` tokens. `texts` keeps the order of the pieces, with "" for omitted ones.
 */
export async function fitPieces(pieces: readonly Piece[], room: number, count: Count) {
	const wants = pieces.map(({ tokens }) => ({ weight: 1, want: tokens }));
	const rooms = flow(room, wants);
	const fitted = await Promise.all(pieces.map((piece, index) => fitPiece(piece, rooms[index] ?? 0, count)));
	return {
		texts: fitted.map(({ text }) => text),
		parts: fitted.map(({ part }) => part),
		used: fitted.reduce((sum, { part }) => sum + part.given, 0),
	};
}

async function fitPiece({ text: whole, frame = 0, note, ...piece }: Piece, room: number, count: Count) {
	const { section, title, tokens } = piece;
	const text = tokens <= room ? whole : await cutTo(whole, room - frame, count, note);
	const given = text === "" ? 0 : frame + (await count(text));
	const whyCut = text === "" ? "it did not fit" : "it was shortened to fit";
	const part: ContextPart = { section, title, tokens, given, why: text === whole ? piece.why : whyCut };
	return { text, part };
}

/** Divides an amount by weights with max-min fairness: no share exceeds its `want`. */
export function flow(amount: number, wants: readonly { readonly weight: number; readonly want: number }[]) {
	let left = Math.max(0, amount);
	let weights = wants.reduce((sum, { weight }) => sum + weight, 0);
	const given = wants.map(() => 0);
	// Serving the smallest want per weight first leaves more for the others.
	const modestFirst = [...wants.entries()].sort(([, a], [, b]) => a.want / a.weight - b.want / b.weight);
	for (const [index, { weight, want }] of modestFirst) {
		const share = Math.floor(Math.min(want, (left * weight) / weights));
		given[index] = share;
		left -= share;
		weights -= weight;
	}
	return given;
}
