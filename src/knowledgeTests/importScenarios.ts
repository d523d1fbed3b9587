import * as z from "zod";
import { readLocatedYaml } from "../base/yaml/locatedYaml.ts";
import type { TestFailure } from "../core/knowledge/knowledgeTest.ts";
import type { WrittenTest } from "./testFile.ts";

const scenarioSchema = z.object({
	name: z.string(),
	type: z.enum(["judge", "criteria", "recall", "trace"]),
	prompt: z.string(),
	evaluations: z.array(z.object({ label: z.string().optional(), data: z.string() })).optional(),
});

type Scenario = z.infer<typeof scenarioSchema>;

/** Our equivalents of tools of Copilot-LD's services. */
const TOOLS: Readonly<Record<string, string>> = {
	search_content: "search_knowledge",
	get_subjects: "describe_ontology",
	get_ontology: "describe_ontology",
	query_by_pattern: "query_graph",
};

/** A JMESPath expression that compares the number of tool calls. */
const COUNTED = /^\[\?name==`tool\.CallTool`\]\s*\|\s*length\(@\)\s*(<=|<|>=|>|==)\s*`(\d+)`$/;

const NAMED =
	/^\[\?name==`tool\.CallTool`\s*&&\s*events\[0\]\.attributes\.function_name==`(\w+)`\](?:\s*\|\s*length\(@\)\s*>=?\s*`[01]`)?$/;

/** Converts scenarios of Copilot-LD's evaluation to tests. Never throws: reports scenarios that it cannot convert. */
export function importScenarios(text: string) {
	const tests: WrittenTest[] = [];
	const mistakes: TestFailure[] = [];
	const { value, mistake, lineOf } = readLocatedYaml(text);
	if (!Array.isArray(value))
		return { tests, mistakes: [mistake ?? { line: 1, message: "It is not a list of scenarios." }] };
	for (const [index, one] of value.entries()) {
		const read = scenarioSchema.safeParse(one);
		const parsed = read.success
			? testFor(read.data)
			: "It has no name, no type (judge, recall, trace), or no prompt.";
		if (typeof parsed === "string") mistakes.push({ line: lineOf([index]), message: parsed });
		else tests.push(parsed);
	}
	return { tests, mistakes };
}

function testFor({ name, type, prompt, evaluations = [] }: Scenario): WrittenTest | string {
	const data = evaluations.map((evaluation) => spaced(evaluation.data));
	const asked = { name, ask: spaced(prompt) };
	if (data.length === 0) return `${name} evaluates nothing.`;
	if (type === "recall") return { name, search: asked.ask, finds: data };
	if (type !== "trace") return { ...asked, criteria: data };
	const traces = data.map(traceFor);
	const unknown = data.find((_, index) => traces[index] === undefined);
	if (unknown !== undefined) return `${name}: ${unknown} is not a supported condition on calls.`;
	return { ...asked, trace: merged(traces.filter((trace) => trace !== undefined)) };
}

type Trace = NonNullable<WrittenTest["trace"]>;

function traceFor(condition: string): Trace | undefined {
	const named = NAMED.exec(condition)?.[1];
	if (named !== undefined) return { calls: [TOOLS[named] ?? named] };
	const [, operator = "", number] = COUNTED.exec(condition) ?? [];
	const value = Number(number);
	const counts: Readonly<Record<string, Trace["callCount"]>> = {
		"<=": { max: value },
		"<": { max: value - 1 },
		">=": { min: value },
		">": { min: value + 1 },
		"==": { min: value, max: value },
	};
	const callCount = counts[operator];
	return callCount && { callCount };
}

function merged(traces: readonly Trace[]): Trace {
	const calls = [...new Set(traces.flatMap((trace) => trace.calls ?? []))];
	const callCount = Object.assign({}, ...traces.map((trace) => trace.callCount ?? {}));
	return { ...(calls.length > 0 && { calls }), ...(Object.keys(callCount).length > 0 && { callCount }) };
}

function spaced(text: string): string {
	return text.replace(/\s+/g, " ").trim();
}
