import type { ContextPart, ToolCall } from "../../core/agent/agentEvent.ts";
import { MESSAGE_TOKENS, type ToolRound } from "../prompt/promptFacts.ts";
import { type Count, type CutNote, cutTo } from "./tokenCounts.ts";

/** A result that is cut to less than this says nothing: its round goes as a whole. */
const LEAST_RESULT = 48;

interface MeasuredRound {
	readonly round: ToolRound;
	/** What the calls take, and what every message takes beside its words. */
	readonly frame: number;
	readonly results: readonly number[];
}

type Rounds = Awaited<ReturnType<typeof measureRounds>>;

interface Want {
	readonly weight: number;
	readonly want: number;
}

/** The rounds of tools with their costs; `want` is what all of them would take. */
export async function measureRounds(rounds: readonly ToolRound[], count: Count) {
	const measured = await Promise.all(
		rounds.map(async (round): Promise<MeasuredRound> => {
			const counted = round.calls.map((_, index) => count(round.outcomes[index] ?? ""));
			const frame = (await count(round.text)) + (await count(callsText(round.calls)));
			const messages = MESSAGE_TOKENS * (1 + round.calls.length);
			return { round, frame: frame + messages, results: await Promise.all(counted) };
		}),
	);
	return { rounds: measured, want: measured.reduce((sum, one) => sum + one.frame + total(one.results), 0) };
}

/** How calls are counted: as the JSON that they are sent in. */
export function callsText(calls: readonly ToolCall[]): string {
	return calls.length === 0 ? "" : JSON.stringify(calls);
}

/** Rounds stay whole or go, the oldest first; results that are too long for the room are cut to a fair share of it. */
export async function fitRounds(
	{ rounds }: Rounds,
	allowance: number,
	{ count, noteOf }: { readonly count: Count; readonly noteOf: (call: ToolCall) => CutNote },
) {
	const kept = rounds.slice(firstKept(rounds, allowance));
	const frames = total(kept.map(({ frame }) => frame));
	const results = kept.flatMap((one) => one.results);
	const rooms = flow(
		allowance - frames,
		results.map((want) => ({ weight: 1, want })),
	);
	const fitted: ToolRound[] = [];
	let used = frames;
	const parts: ContextPart[] = rounds.slice(0, rounds.length - kept.length).flatMap(leftOut);
	for (const { round, results: costs } of kept) {
		const outcomes: string[] = [];
		for (const [index, call] of round.calls.entries()) {
			const text = await cutTo(round.outcomes[index] ?? "", rooms.shift() ?? 0, count, noteOf(call));
			const given = await count(text);
			used += given;
			outcomes.push(text);
			parts.push(partOf(call, costs[index] ?? 0, given));
		}
		fitted.push({ ...round, outcomes });
	}
	return { rounds: fitted, parts, used };
}

/** Index of the first round from which on all rounds fit with minimal results. */
function firstKept(rounds: readonly MeasuredRound[], allowance: number): number {
	let left = allowance;
	for (let index = rounds.length - 1; index >= 0; index--) {
		const { frame = 0, results = [] } = rounds[index] ?? {};
		left -= frame + total(results.map((cost) => Math.min(cost, LEAST_RESULT)));
		if (left < 0) return index + 1;
	}
	return 0;
}

function partOf(call: ToolCall, tokens: number, given: number): ContextPart {
	const why = given < tokens ? "it was shortened to fit" : "the model asked for it";
	return { section: "results", title: titleOf(call), tokens, given, why };
}

function leftOut({ round, results }: MeasuredRound): ContextPart[] {
	const why = "the oldest calls did not fit";
	return round.calls.map((call, index) => ({
		section: "results",
		title: titleOf(call),
		tokens: results[index] ?? 0,
		given: 0,
		why,
	}));
}

function titleOf({ name, input }: ToolCall): string {
	const text = `${name} ${JSON.stringify(input)}`;
	return text.length > 100 ? `${text.slice(0, 99)}…` : text;
}

function total(numbers: readonly number[]): number {
	return numbers.reduce((sum, number) => sum + number, 0);
}

/**
 * Divides an amount by weights; what one does not need flows to the others (weighted max-min fairness). None gets more
 * than it wants, and nothing is left over while one wants more.
 */
export function flow(amount: number, wants: readonly Want[]): number[] {
	let left = Math.max(0, amount);
	let weights = wants.reduce((sum, { weight }) => sum + weight, 0);
	const given = wants.map(() => 0);
	// The smallest want per weight is satisfied first, so that the rest is available to the others.
	const modestFirst = [...wants.entries()].sort(([, a], [, b]) => a.want / a.weight - b.want / b.weight);
	for (const [index, { weight, want }] of modestFirst) {
		const share = Math.floor(Math.min(want, (left * weight) / weights));
		given[index] = share;
		left -= share;
		weights -= weight;
	}
	return given;
}
