import * as vscode from "vscode";
import { escapeMarkdown } from "../../base/text/visibleText.ts";
import { type AssetRef, readAssetRef, writeAssetRef } from "../../core/agent/assetRef.ts";
import type { Findings } from "../evidence/evidence.ts";
import { registerEach, type TextViewer } from "../registerEach.ts";
import type { TurnName } from "../turn/turnOf.ts";
import { quotedSources } from "./quotedSources.ts";

const SHOW_RESULT = "copilot-ld.showResult";

/** Arguments of links to results. Results are kept until the window is closed, and numbers start again in the next. */
function resultArguments(session: string, ref: AssetRef): readonly string[] {
	return [vscode.env.sessionId, session, writeAssetRef(ref)];
}

export function registerResultView(
	documents: TextViewer,
	resultOf: (session: string, ref: AssetRef) => Promise<string>,
): vscode.Disposable {
	const open = async (window: unknown, session: unknown, written: unknown) => {
		const ref = readAssetRef(written);
		if (window !== vscode.env.sessionId || typeof session !== "string" || !ref)
			throw new Error(vscode.l10n.t("This result was kept only until its window was closed."));
		const text = await resultOf(session, ref);
		return documents.open(
			vscode.l10n.t("Result {0}", [ref.number, ...ref.path].join(" ")).replaceAll("/", "_"),
			text,
		);
	};
	return registerEach({ [SHOW_RESULT]: open });
}

/** Warnings that are shown; the evidence has all. */
const WARNINGS = 3;
const RESULTS = 5;

interface FooterFacts extends LinkFacts {
	/** Absent if the turn is not kept. */
	readonly turn: TurnName | undefined;
	readonly results: readonly AssetRef[];
}

interface LinkFacts {
	readonly hasContext: boolean;
	readonly hasCitations: boolean;
	readonly hasQuery: boolean;
	readonly canBeTool: boolean;
}

/** Whether an answer is a search that found something, or a question that was answered from the sources. */
export function canBeTool(command: string | undefined, citations: readonly unknown[]): boolean {
	return citations.length > 0 && (command === undefined || command === "search");
}

export function writeFooter(
	stream: vscode.ChatResponseStream,
	{ summary, warnings, quotes }: Findings,
	{ turn, results, ...has }: FooterFacts,
): void {
	const shown = warnings.slice(0, WARNINGS);
	for (const warning of shown) stream.markdown(`\n\n> ${escapeMarkdown(warning)}\n\n`);
	// What a query gave has its sources under it.
	const sources = has.hasQuery ? undefined : quotedSources(quotes);
	if (sources) stream.markdown(sources);
	const own = turn ? linksTo(turn, { hasEvidence: summary !== "", ...has }) : [];
	const links = [...own, ...(turn ? results.slice(0, RESULTS).map((ref) => linkToResult(turn, ref)) : [])];
	const parts = [...(summary === "" ? [] : [quiet(summary)]), ...links];
	if (parts.length === 0) return;
	// Only words of our own: it may carry commands.
	const line = new vscode.MarkdownString(`\n\n${parts.join(quiet(" · "))}`);
	line.supportHtml = true;
	line.isTrusted = { enabledCommands: [EVIDENCE, CONTEXT, GRAPH, TEST, TOOL, SHOW_RESULT] };
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
	{ hasEvidence, ...has }: LinkFacts & { readonly hasEvidence: boolean },
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
		vscode.l10n.t("Offer this to every agent as a tool with parameters"),
	);
	return [
		...(hasEvidence ? [evidence] : []),
		...(has.hasContext ? [context] : []),
		...(has.hasCitations ? [graph, test] : []),
		...(has.hasQuery || has.canBeTool ? [tool] : []),
	];
}

/** Its number alone: names in it are words of others. */
function linkToResult({ session }: TurnName, ref: AssetRef): string {
	const query = encodeURIComponent(JSON.stringify(resultArguments(session, ref)));
	return link(
		vscode.l10n.t("Result {0}", ref.number),
		`${SHOW_RESULT}?${query}`,
		vscode.l10n.t("Show the tool's result, or the part of it that the answer names"),
	);
}

/** A quotation mark in a translation would end the title. */
function link(words: string, command: string, title: string): string {
	return `[${words}](command:${command} "${title.replaceAll('"', "'")}")`;
}

function quiet(text: string): string {
	return `<span style="color:var(--vscode-descriptionForeground);">${text}</span>`;
}
