import type { ContextPart, ToolCall } from "../../core/agent/agentEvent.ts";
import { MESSAGE_TOKENS, type ToolRound } from "../prompt/promptFacts.ts";
import { fitPieces, type Piece } from "./fitPieces.ts";
import { type Count, type CutNote, clipped } from "./tokenCounts.ts";

/** Minimum tokens of a useful result. If there are fewer, the whole round is dropped. */
const LEAST_RESULT = 48;

type Rounds = Awaited<ReturnType<typeof measureRounds>>;
type MeasuredRound = Rounds["rounds"][number];

export async function measureRounds(rounds: readonly ToolRound[], count: Count) {
	const measured = await Promise.all(
		rounds.map(async (round) => {
			const counted = round.calls.map((_, index) => count(round.outcomes[index] ?? ""));
			const words = (await count(round.text)) + (await count(callsText(round.calls)));
			const frame = words + MESSAGE_TOKENS * (1 + round.calls.length);
			return { round, frame, results: await Promise.all(counted) };
		}),
	);
	return { rounds: measured, want: measured.reduce((sum, one) => sum + one.frame + total(one.results), 0) };
}

/** Returns the JSON in which calls are sent, to count its tokens. */
export function callsText(calls: readonly ToolCall[]): string {
	return calls.length === 0 ? "" : JSON.stringify(calls);
}

/** Drops the oldest rounds until all others fit with minimal results. Cuts long results to a fair share. */
export async function fitRounds(
	{ rounds }: Rounds,
	allowance: number,
	{ count, noteOf }: { readonly count: Count; readonly noteOf: (call: ToolCall) => CutNote },
) {
	const kept = rounds.slice(firstKept(rounds, allowance));
	const gone = rounds.slice(0, rounds.length - kept.length).flatMap(leftOut);
	const frames = total(kept.map(({ frame }) => frame));
	const pieces = kept.flatMap(({ round, results }) =>
		round.calls.map((call, index): Piece => {
			const [text = "", tokens = 0] = [round.outcomes[index], results[index]];
			return { ...named(call), text, tokens, why: "the model asked for it", note: noteOf(call) };
		}),
	);
	const { texts, parts, used } = await fitPieces(pieces, allowance - frames, count);
	const fitted = kept.map(({ round }) => ({
		...round,
		outcomes: round.calls.map(() => texts.shift() ?? ""),
	}));
	return { rounds: fitted, parts: [...gone, ...parts], used: frames + used };
}

/** Returns the index of the oldest round that fits, with minimal results, together with all later rounds. */
function firstKept(rounds: readonly MeasuredRound[], allowance: number): number {
	let left = allowance;
	for (let index = rounds.length - 1; index >= 0; index--) {
		const { frame = 0, results = [] } = rounds[index] ?? {};
		left -= frame + total(results.map((cost) => Math.min(cost, LEAST_RESULT)));
		if (left < 0) return index + 1;
	}
	return 0;
}

function leftOut({ round, results }: MeasuredRound): ContextPart[] {
	const why = "the oldest calls did not fit";
	return round.calls.map((call, index) => ({ ...named(call), tokens: results[index] ?? 0, given: 0, why }));
}

function named({ name, input }: ToolCall) {
	return { section: "results" as const, title: clipped(`${name} ${JSON.stringify(input)}`, 100) };
}

function total(numbers: readonly number[]): number {
	return numbers.reduce((sum, number) => sum + number, 0);
}
