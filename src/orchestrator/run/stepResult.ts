import { visibleText } from "../../base/text/visibleText.ts";
import type {
	AgentResult,
	ChainContext,
	Condition,
	StepOutcome,
	StepSpent,
	Task,
} from "../../core/agent/chain.ts";
import { type Citation, formatCitation, keepCitations } from "../../core/knowledge/citation.ts";

export interface StepResult {
	readonly step: string;
	readonly agent: string;
	readonly outcome: StepOutcome;
	/** Its output; if it failed, also the reason. */
	readonly output: string;
	/** Milliseconds since 1970: when it ended. */
	readonly executedAt: number;
	/** Paths that it looked at, as far as it reported. */
	readonly focusAreas: readonly string[];
	/** What it cited, of what our tools had shown it. */
	readonly citations: readonly Citation[];
	/** Whether it may have changed something, so that only the user may repeat it. */
	readonly hasChanged: boolean;
	readonly isCached?: boolean;
	/** Absent if it did not run. */
	readonly spent?: StepSpent;
	/** Titles of the calls that were refused. */
	readonly refused?: readonly string[];
	/** Whether it was given up while it may still be changing something. */
	readonly isLoose?: boolean;
}

/** The accumulated context, as the steps after these results get it. Steps that were skipped gave none. */
export function contextOf(task: Task, results: readonly StepResult[], finalOutput = ""): ChainContext {
	const given = results.filter(({ outcome }) => outcome !== "skipped");
	return {
		originalPrompt: task.prompt,
		refinedPrompt: task.refined,
		evaluationFeedback: { isClear: task.isClear, changes: task.changes },
		agentResults: given.map(
			({ agent, output, executedAt, focusAreas }, index): AgentResult => ({
				agent,
				output,
				executedAt: new Date(executedAt).toISOString(),
				context: { previousAgent: given[index - 1]?.agent ?? "", focusAreas },
			}),
		),
		finalOutput,
	};
}

/** Whether a condition holds of the last result of its step; a step that has none fulfils none. */
export function holds(condition: Condition, results: readonly StepResult[]): boolean {
	const result = results.findLast(({ step }) => step === condition.step);
	if (!result) return false;
	if ("is" in condition)
		return result.outcome === condition.is || (condition.is === "failed" && result.outcome === "timedOut");
	const output = result.output.toLowerCase();
	return "contains" in condition
		? output.includes(condition.contains.toLowerCase())
		: !output.includes(condition.lacks.toLowerCase());
}

const OUTCOMES = {
	succeeded: "✓ Success",
	failed: "✗ Failed",
	timedOut: "✗ Timed out",
	cancelled: "✗ Cancelled",
	skipped: "– Skipped",
} as const;

/** The answers of all steps of a chain in one text. Keeps their citations; nothing else looks like a citation. */
export function synthesize(results: readonly StepResult[]): string {
	const parts = results.map((result, index) => {
		const head = `## Agent ${index + 1}: ${result.agent}\nStatus: ${OUTCOMES[result.outcome]}${refusedIn(result)}`;
		return `${head}${result.isCached ? " (kept from an earlier run)" : ""}\n\n${citedOutput(result)}`;
	});
	const ran = results.filter(({ outcome }) => outcome !== "skipped");
	const good = ran.filter(({ outcome }) => outcome === "succeeded");
	const summary = `=== Summary ===\nTotal Agents Executed: ${ran.length}\nSuccessful Executions: ${good.length}`;
	return ["=== Agent Chain Results ===", ...parts, summary].join("\n\n");
}

/** That a step was not allowed what it wanted, whatever it says itself. */
function refusedIn({ refused = [], hasChanged }: StepResult): string {
	if (refused.length === 0) return "";
	const what = refused.map((title) => visibleText(title)).join("; ");
	return `, but ${hasChanged ? "" : "it changed nothing: "}what it wanted was refused (${what})`;
}

/** What a step said; only what our tools had shown it keeps its brackets. */
export function citedOutput({ output, citations }: StepResult): string {
	const shown = new Set(citations.map(formatCitation));
	return keepCitations(output, ({ citation }) => shown.has(formatCitation(citation))).text;
}
