import { formatCitation, keepCitations } from "../../core/knowledge/citation.ts";
import type { StepResult } from "./stepResult.ts";

const OUTCOMES = {
	succeeded: "✓ Success",
	failed: "✗ Failed",
	timedOut: "✗ Timed out",
	cancelled: "✗ Cancelled",
	skipped: "– Skipped",
} as const;

/** All that the steps of a chain answered, in one text. It cites what they cited, and nothing else looks like a citation. */
export function synthesize(results: readonly StepResult[]): string {
	const parts = results.map((result, index) => {
		const head = `## Agent ${index + 1}: ${result.agent}\nStatus: ${OUTCOMES[result.outcome]}`;
		return `${head}${result.isCached ? " (kept from an earlier run)" : ""}\n\n${citedOutput(result)}`;
	});
	const ran = results.filter(({ outcome }) => outcome !== "skipped");
	const good = ran.filter(({ outcome }) => outcome === "succeeded");
	const summary = `=== Summary ===\nTotal Agents Executed: ${ran.length}\nSuccessful Executions: ${good.length}`;
	return ["=== Agent Chain Results ===", ...parts, summary].join("\n\n");
}

/** What a step said; only what our tools had shown it keeps its brackets. */
export function citedOutput({ output, citations }: StepResult): string {
	const shown = new Set(citations.map(formatCitation));
	return keepCitations(output, ({ citation }) => shown.has(formatCitation(citation))).text;
}
