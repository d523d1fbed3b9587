import * as vscode from "vscode";
import { escapeMarkdown } from "../../base/markdown.ts";
import type { Findings } from "../evidence/evidence.ts";
import type { TurnName } from "../turn/turnOf.ts";

/** Warnings that are shown; the evidence has all. */
const WARNINGS = 3;

/** Writes under an answer what was found out about it, and where to see more: one quiet line, and warnings above it. */
export function writeFooter(
	stream: vscode.ChatResponseStream,
	{ summary, warnings }: Findings,
	{ turn, ...has }: { readonly turn: TurnName | undefined } & Omit<Links, "hasEvidence">,
): void {
	const shown = warnings.slice(0, WARNINGS);
	for (const warning of shown) stream.markdown(`\n\n> ${escapeMarkdown(warning)}\n\n`);
	const links = turn ? linksTo(turn, { hasEvidence: summary !== "", ...has }) : [];
	const parts = [...(summary === "" ? [] : [quiet(summary)]), ...links];
	if (parts.length === 0) return;
	// Only words of our own: it may carry commands.
	const line = new vscode.MarkdownString(`\n\n${parts.join(quiet(" · "))}`);
	line.supportHtml = true;
	line.isTrusted = { enabledCommands: [EVIDENCE, CONTEXT, SAVE] };
	stream.markdown(line);
}

const [EVIDENCE, CONTEXT, SAVE] = [
	"copilot-ld.showEvidence",
	"copilot-ld.showContext",
	"copilot-ld.saveAsTool",
];

/** What there is to show of an answer. */
interface Links {
	readonly hasEvidence: boolean;
	readonly hasContext: boolean;
	/** Whether a query answered, which can be asked again. */
	readonly hasQuery: boolean;
}

/** An answer in which there was nothing to compare has no evidence to show. */
function linksTo({ session, at }: TurnName, { hasEvidence, hasContext, hasQuery }: Links): string[] {
	const query = encodeURIComponent(JSON.stringify([session, at]));
	const evidence = `[Evidence](command:${EVIDENCE}?${query} "Each statement beside the lines that it cites: a hint, by figures, names and quotations")`;
	const context = `[Context](command:${CONTEXT}?${query} "What the model was given")`;
	const turn = encodeURIComponent(JSON.stringify([[session, at]]));
	const save = `[Save as Tool](command:${SAVE}?${turn} "Give every agent this query, with parameters")`;
	return [...(hasEvidence ? [evidence] : []), ...(hasContext ? [context] : []), ...(hasQuery ? [save] : [])];
}

function quiet(text: string): string {
	return `<span style="color:var(--vscode-descriptionForeground);">${text}</span>`;
}
