import { messageOf } from "../base/failure.ts";
import { MCP_SERVER } from "../core/agent/tool.ts";
import { type Citation, formatCitation, overlap, splitPlace } from "../core/knowledge/citation.ts";
import type {
	Expectation,
	KnowledgeTest,
	Measure,
	TestFailure,
	TestOutcome,
} from "../core/knowledge/knowledgeTest.ts";
import { type Observed, observe, type TestPorts } from "./observe.ts";

type Criterion = Extract<Expectation, { kind: "criterion" }>;

type Judged = Exclude<Expectation, { kind: "criterion" }>;

type Judges = {
	readonly [Kind in Judged["kind"]]: (
		expected: Extract<Judged, { kind: Kind }>,
		seen: Observed,
	) => string | undefined;
};

/** Asks the question of a test and judges the answer. Rejects only if the signal is aborted. */
export async function runTest(
	test: KnowledgeTest,
	ports: TestPorts,
	signal: AbortSignal,
): Promise<TestOutcome> {
	try {
		const seen = await observe(test.asks, ports, signal);
		const criteria = test.expectations.filter((one) => one.kind === "criterion");
		const failures = test.expectations.flatMap((one) => {
			if (one.kind === "criterion") return [];
			const message = judge(one, seen);
			return message === undefined ? [] : [{ message, line: one.line, ...movedOf(one, seen) }];
		});
		const judged = await judgeCriteria(criteria, { seen, ports }, signal);
		const [unjudged] = criteria.length === test.expectations.length ? judged.notices : [];
		const { measured, answer, shown = answer, notices = [] } = seen;
		return {
			test,
			failures: [...failures, ...judged.failures],
			...(unjudged !== undefined && { unjudged }),
			notices: [...judged.notices, ...notices],
			measured,
			answer: shown,
		};
	} catch (thrown) {
		signal.throwIfAborted();
		return unanswered(test, thrown);
	}
}

function movedOf(expected: Judged, { citations }: Observed): Partial<TestFailure> {
	const wanted = expected.kind === "cites" ? splitPlace(expected.place) : undefined;
	const found = citations.find(({ path }) => path === wanted?.path);
	if (expected.kind !== "cites" || !found) return {};
	return { moved: { from: expected.place, to: formatCitation(found).slice(1, -1) } };
}

async function judgeCriteria(
	criteria: readonly Criterion[],
	{ seen, ports }: { readonly seen: Observed; readonly ports: TestPorts },
	signal: AbortSignal,
): Promise<{ readonly failures: readonly TestFailure[]; readonly notices: readonly string[] }> {
	if (!ports.judge && criteria.length > 0)
		return {
			failures: [],
			notices: [`${criteria.length} of its criteria need a language model and were not judged.`],
		};
	const failures: TestFailure[] = [];
	for (const { text, line } of criteria) {
		const judgement = await ports.judge?.(text, seen.answer, signal);
		if (judgement && !judgement.meets) failures.push({ line, message: `${text}: ${judgement.why}` });
	}
	return { failures, notices: [] };
}

function unanswered(test: KnowledgeTest, thrown: unknown): TestOutcome {
	return {
		test,
		failures: [{ message: messageOf(thrown), line: test.line }],
		notices: [],
		measured: { calls: 0, rounds: 0, milliseconds: 0, tokens: 0 },
		answer: "",
	};
}

/** Why an observation does not meet the expectation, for the user; `undefined` if it does. */
function judge(expected: Judged, seen: Observed): string | undefined {
	// The table has for each kind what takes that kind.
	const one = JUDGES[expected.kind] as (expected: Judged, seen: Observed) => string | undefined;
	return one(expected, seen);
}

const JUDGES: Judges = {
	cites: ({ place }, { citations }) => {
		if (citations.some((citation) => isAt(citation, place))) return undefined;
		return `${place} is not cited. ${citedText(citations)}`;
	},
	citesNot: ({ place }, { citations }) => {
		const wrong = citations.find((citation) => isAt(citation, place));
		return wrong && `${formatCitation(wrong)} is cited, but must not be.`;
	},
	says: ({ words }, { answer }) =>
		folded(answer).includes(folded(words)) ? undefined : `The answer does not say "${words}".`,
	saysNot: ({ words }, { answer }) =>
		folded(answer).includes(folded(words)) ? `The answer says "${words}", but must not.` : undefined,
	finds: ({ what }, { found }) =>
		found.some((text) => folded(text).includes(folded(what))) ? undefined : `${what} is not found.`,
	counts: ({ total }, seen) => {
		if (seen.total === total) return undefined;
		return seen.total === undefined
			? `Nothing is counted; ${total} is expected.`
			: `${seen.total} is counted; ${total} is expected.`;
	},
	rowCount: ({ total }, seen) =>
		seen.total === total
			? undefined
			: `The query returns ${seen.total ?? 0} rows, but ${total} are expected.`,
	row: ({ values }, { rows = [] }) => {
		const wanted = Object.entries(values);
		if (rows.some((row) => wanted.every(([name, value]) => row[name] === value))) return undefined;
		return `No row has ${wanted.map(([name, value]) => `${name} = ${value}`).join(", ")}.`;
	},
	calls: ({ tool }, { calls }) =>
		calls.some((call) => isTool(call, tool)) ? undefined : `${tool} is not called. ${calledText(calls)}`,
	callsNot: ({ tool }, { calls }) =>
		calls.some((call) => isTool(call, tool)) ? `${tool} is called, but must not be.` : undefined,
	atMost: ({ measure, value }, { measured }) =>
		measured[measure] <= value
			? undefined
			: `${amount(measured[measure], measure)}; at most ${value} is allowed.`,
	atLeast: ({ measure, value }, { measured }) =>
		measured[measure] >= value
			? undefined
			: `${amount(measured[measure], measure)}; at least ${value} is expected.`,
};

const UNITS: Readonly<Record<Measure, string>> = {
	calls: "tool calls",
	rounds: "requests to the model",
	milliseconds: "ms",
	tokens: "tokens",
};

function amount(value: number, measure: Measure): string {
	return `It took ${value} ${UNITS[measure]}`;
}

/** Hosts put the name of our server before the names of its tools. */
function isTool(call: string, tool: string): boolean {
	return call === tool || PREFIXES.some((prefix) => call === `${prefix}${tool}`);
}

const PREFIXES = [`${MCP_SERVER}_`, `${MCP_SERVER}-`, `mcp_${MCP_SERVER}_`];

/** Whether a citation is of `path`, or shares a line with `path:lines`. */
function isAt({ path, lines }: Citation, place: string): boolean {
	const wanted = splitPlace(place);
	return wanted ? path === wanted.path && overlap(lines, wanted.lines) > 0 : path === place;
}

function folded(text: string): string {
	return text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
}

function citedText(citations: readonly Citation[]): string {
	const cited = [...new Set(citations.map(formatCitation))];
	return cited.length > 0 ? `Cited: ${cited.join(", ")}.` : "Nothing is cited.";
}

function calledText(calls: readonly string[]): string {
	return calls.length > 0 ? `Called: ${calls.join(", ")}.` : "No tool is called.";
}
