import * as vscode from "vscode";
import { escapeMarkdown } from "../../base/markdown.ts";
import type { Findings } from "../evidence/evidence.ts";
import type { TurnName } from "../turn/turnOf.ts";

/** Warnings that are shown; the evidence has all. */
const WARNINGS = 3;

interface FooterFacts {
	/** Absent where the turn is not kept. */
	readonly turn: TurnName | undefined;
	readonly hasContext: boolean;
	readonly hasCitations: boolean;
	/** Whether a query answered, which can be asked again. */
	readonly hasQuery: boolean;
}

/** Writes under an answer what was found out about it, and where to see more: one quiet line, and warnings above it. */
export function writeFooter(
	stream: vscode.ChatResponseStream,
	{ summary, warnings }: Findings,
	{ turn, ...has }: FooterFacts,
): void {
	const shown = warnings.slice(0, WARNINGS);
	for (const warning of shown) stream.markdown(`\n\n> ${escapeMarkdown(warning)}\n\n`);
	const links = turn ? linksTo(turn, { hasEvidence: summary !== "", ...has }) : [];
	const parts = [...(summary === "" ? [] : [quiet(summary)]), ...links];
	if (parts.length === 0) return;
	// Only words of our own: it may carry commands.
	const line = new vscode.MarkdownString(`\n\n${parts.join(quiet(" · "))}`);
	line.supportHtml = true;
	line.isTrusted = { enabledCommands: [EVIDENCE, CONTEXT, GRAPH, TEST, TOOL] };
	stream.markdown(line);
}

const EVIDENCE = "copilot-ld.showEvidence";
const CONTEXT = "copilot-ld.showContext";
const GRAPH = "copilot-ld.showGraph";
const TEST = "copilot-ld.saveAsTest";
const TOOL = "copilot-ld.saveAsTool";

/** An answer in which there was nothing to compare has no evidence to show. */
function linksTo(
	{ session, at }: TurnName,
	{ hasEvidence, ...has }: Omit<FooterFacts, "turn"> & { readonly hasEvidence: boolean },
): string[] {
	const query = encodeURIComponent(JSON.stringify([session, at]));
	const evidence = `[Evidence](command:${EVIDENCE}?${query} "Each statement beside the lines that it cites: a hint, by figures, names and quotations")`;
	const context = `[Context](command:${CONTEXT}?${query} "What the model was given")`;
	const graph = `[Graph](command:${GRAPH}?${query} "The things that it cites, and how they hang together")`;
	const target = encodeURIComponent(JSON.stringify([{ session, at }]));
	const test = `[Save as Test](command:${TEST}?${target} "Adds the question and what the answer cites to .copilot-ld/tests.yaml")`;
	const tool = `[Save as Tool](command:${TOOL}?${target} "Gives every agent this query, with parameters")`;
	return [
		...(hasEvidence ? [evidence] : []),
		...(has.hasContext ? [context] : []),
		...(has.hasCitations ? [graph, test] : []),
		...(has.hasQuery ? [tool] : []),
	];
}

function quiet(text: string): string {
	return `<span style="color:var(--vscode-descriptionForeground);">${text}</span>`;
}
