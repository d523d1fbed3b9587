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
	/** The step's answer and, if the step failed, the reason. */
	readonly output: string;
	/** Time at which the step ended, in milliseconds since 1970. */
	readonly executedAt: number;
	readonly focusAreas: readonly string[];
	readonly citations: readonly Citation[];
	/** Whether the step may have changed something, so that only the user may repeat the step. */
	readonly hasChanged: boolean;
	readonly isCached?: boolean;
	/** Tokens and time spent; missing if the step did not run. */
	readonly spent?: StepSpent;
	readonly refused?: readonly string[];
	/** Whether the step was abandoned while it may still be changing something. */
	readonly isLoose?: boolean;
}

/** Builds the context for later steps from the results of all steps that were not skipped. */
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

/** Whether a condition holds for the last result of its step; `false` if there is no result. */
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

/** Joins the answers of all steps. Real citations keep their brackets; other text in brackets loses them. */
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

/** States which calls were refused, whatever the step's own answer claims. */
function refusedIn({ refused = [], hasChanged }: StepResult): string {
	if (refused.length === 0) return "";
	const what = refused.map((title) => visibleText(title)).join("; ");
	return `, but ${hasChanged ? "" : "it changed nothing: "}what it wanted was refused (${what})`;
}

/** Returns the step's answer. Only citations that our tools showed keep their brackets. */
export function citedOutput({ output, citations }: StepResult): string {
	const shown = new Set(citations.map(formatCitation));
	return keepCitations(output, ({ citation }) => shown.has(formatCitation(citation))).text;
}
