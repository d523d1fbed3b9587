import { type Lazy, lazily } from "../../base/jobs/lazily.ts";
import type { Things } from "../../core/knowledge/graph.ts";
import type { Knowledge } from "../../core/knowledge/knowledge.ts";
import type { Orchestrator } from "../../orchestrator/orchestrator.ts";
import { citedOutput, type StepResult } from "../../orchestrator/run/stepResult.ts";

/** Chains whose steps say what of their answers the cited lines bear out, if they cite some. */
export function checkedChains(
	chains: Lazy<Orchestrator>,
	ports: { readonly knowledge: Knowledge; readonly things: Things },
): Lazy<Orchestrator> {
	const noted = async (result: StepResult, signal: AbortSignal) => {
		if (result.citations.length === 0) return { result, notes: [] };
		const { remarksOn } = await import("../../evidence/checkedRunner.ts");
		const turn = { answer: citedOutput(result), events: [], door: "mcp" } as const;
		const notes = (await remarksOn(turn, ports, signal)).map((text) => `\n\nNote: ${text}`);
		return { result: { ...result, output: result.output + notes.join("") }, notes };
	};
	const run: Orchestrator["run"] = async (draft, watch, signal) => {
		const report = await chains.run(draft, watch, signal);
		const all = await Promise.all(report.results.map((result) => noted(result, signal)));
		const finalOutput = [report.context.finalOutput, ...all.flatMap(({ notes }) => notes)].join("");
		const results = all.map(({ result }) => result);
		return { ...report, results, context: { ...report.context, finalOutput } };
	};
	return lazily(async () => chains, { run });
}
