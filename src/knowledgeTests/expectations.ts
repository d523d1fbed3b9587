import type { Expectation } from "../core/knowledge/knowledgeTest.ts";
import type { WrittenTest } from "./schema.ts";

/** Line of a part of a test. */
type LineAt = (...path: PropertyKey[]) => number;

/** What a test expects, one by one, each with its line. */
export function expectationsIn(test: WrittenTest, at: LineAt): Expectation[] {
	const { trace = {} } = test;
	const each = (path: readonly PropertyKey[], values: string | readonly string[] | undefined) => {
		if (values === undefined) return [];
		if (typeof values === "string") return [{ value: values, line: at(...path) }];
		return values.map((value, index) => ({ value, line: at(...path, index) }));
	};
	const places = (["cites", "citesNot"] as const).flatMap((kind) =>
		each([kind], test[kind]).map(({ value, line }) => ({ kind, line, place: value })),
	);
	const words = (["says", "saysNot"] as const).flatMap((kind) =>
		each([kind], test[kind]).map(({ value, line }) => ({ kind, line, words: value })),
	);
	const calls = (["calls", "callsNot"] as const).flatMap((kind) =>
		each(["trace", kind], trace[kind]).map(({ value, line }) => ({ kind, line, tool: value })),
	);
	const finds = each(["finds"], test.finds).map(({ value, line }) => ({
		kind: "finds" as const,
		line,
		what: value,
	}));
	const criteria = each(["criteria"], test.criteria).map(({ value, line }) => ({
		kind: "criterion" as const,
		line,
		text: value,
	}));
	return [
		...places,
		...words,
		...finds,
		...countsIn(test, at),
		...rowsIn(test, at),
		...calls,
		...limitsIn(trace, at),
		...criteria,
	];
}

function countsIn({ counts }: WrittenTest, at: LineAt): Expectation[] {
	return counts === undefined ? [] : [{ kind: "counts", line: at("counts"), total: counts }];
}

function rowsIn({ rows }: WrittenTest, at: LineAt): Expectation[] {
	if (rows === undefined) return [];
	if (typeof rows === "number") return [{ kind: "rowCount", line: at("rows"), total: rows }];
	return (Array.isArray(rows) ? rows : [rows]).map((row, index) => ({
		kind: "row",
		line: at("rows", index),
		values: Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value)])),
	}));
}

function limitsIn(trace: NonNullable<WrittenTest["trace"]>, at: LineAt): Expectation[] {
	const { callCount = {} } = trace;
	const limits: Expectation[] = [];
	if (callCount.min !== undefined)
		limits.push({
			kind: "atLeast",
			measure: "calls",
			value: callCount.min,
			line: at("trace", "callCount", "min"),
		});
	if (callCount.max !== undefined)
		limits.push({
			kind: "atMost",
			measure: "calls",
			value: callCount.max,
			line: at("trace", "callCount", "max"),
		});
	for (const measure of ["rounds", "milliseconds", "tokens"] as const) {
		const limit = trace[measure];
		if (limit) limits.push({ kind: "atMost", measure, value: limit.max, line: at("trace", measure, "max") });
	}
	return limits;
}
