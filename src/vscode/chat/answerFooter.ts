import * as vscode from "vscode";
import { escapeMarkdown } from "../../base/text/markdown.ts";
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
	const evidence = link(
		vscode.l10n.t("Evidence"),
		`${EVIDENCE}?${query}`,
		vscode.l10n.t(
			"Compare each statement with the lines it cites: a hint, based on figures, names, and quotations",
		),
	);
	const context = link(
		vscode.l10n.t("Context"),
		`${CONTEXT}?${query}`,
		vscode.l10n.t("Show what the model was given"),
	);
	const graph = link(
		vscode.l10n.t("Graph"),
		`${GRAPH}?${query}`,
		vscode.l10n.t("Show the cited things and how they are connected"),
	);
	const target = encodeURIComponent(JSON.stringify([{ session, at }]));
	const test = link(
		vscode.l10n.t("Save as Test"),
		`${TEST}?${target}`,
		vscode.l10n.t("Add the question and what the answer cites to .copilot-ld/tests.yaml"),
	);
	const tool = link(
		vscode.l10n.t("Save as Tool"),
		`${TOOL}?${target}`,
		vscode.l10n.t("Give every agent this query, with parameters"),
	);
	return [
		...(hasEvidence ? [evidence] : []),
		...(has.hasContext ? [context] : []),
		...(has.hasCitations ? [graph, test] : []),
		...(has.hasQuery ? [tool] : []),
	];
}

/** A quotation mark in a translation would end the title. */
function link(words: string, command: string, title: string): string {
	return `[${words}](command:${command} "${title.replaceAll('"', "'")}")`;
}

function quiet(text: string): string {
	return `<span style="color:var(--vscode-descriptionForeground);">${text}</span>`;
}
