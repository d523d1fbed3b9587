import * as vscode from "vscode";
import { escapeMarkdown } from "../../base/text/visibleText.ts";
import type { ContextPart, ContextReport, ContextSection } from "../../core/agent/agentEvent.ts";
import type { Sessions } from "../../core/session/session.ts";
import { amounts, numeral, translated } from "../l10n.ts";
import type { MarkdownViewer } from "../registerEach.ts";
import { findInTurn } from "../turn/turnOf.ts";

/** Shows what the model was given in the turn that a link names, or in the last one that asked a model. */
export async function showContext(documents: MarkdownViewer, sessions: Sessions, target: readonly unknown[]) {
	const report = await findInTurn(
		sessions,
		target,
		({ events }) => events.findLast((event) => event.kind === "context")?.report,
	);
	await documents.show(vscode.l10n.t("Context.md"), contextDocument(report));
	return report;
}

const HEADINGS: Record<ContextSection, string> = {
	instructions: vscode.l10n.t("Instructions"),
	tools: vscode.l10n.t("Tools"),
	attachments: vscode.l10n.t("Attachments"),
	sources: vscode.l10n.t("Sources of the first search"),
	memory: vscode.l10n.t("Memory"),
	history: vscode.l10n.t("Earlier turns"),
	question: vscode.l10n.t("Question"),
	results: vscode.l10n.t("Results of tools"),
};

export function contextDocument({ budget, used, parts }: ContextReport): string {
	const leftOut = parts.filter(({ given }) => given === 0).length;
	const sections = Object.entries(HEADINGS).map(([section, heading]) => ({
		heading,
		parts: parts.filter((part) => part.section === section),
	}));
	return [
		`# ${vscode.l10n.t("What the model was given")}`,
		"",
		vscode.l10n.t(
			"The last request of this turn took **{0} of {1} tokens**, as counted by the model.",
			numeral(used),
			numeral(budget),
		),
		leftOut === 0
			? vscode.l10n.t("Nothing was left out.")
			: vscode.l10n.t("{0} of {1} pieces were left out.", leftOut, parts.length),
		...sections.filter((section) => section.parts.length > 0).flatMap(sectionLines),
	].join("\n");
}

function sectionLines({ heading, parts }: { heading: string; parts: readonly ContextPart[] }): string[] {
	const given = parts.reduce((sum, part) => sum + part.given, 0);
	const rows = parts.map(
		(part) =>
			`| ${escapeMarkdown(translated(part.title))} | ${shareOf(part)} | ${escapeMarkdown(translated(part.why))} |`,
	);
	return [
		"",
		`## ${heading}: ${amounts.tokens(given)}`,
		"",
		`| ${[vscode.l10n.t("What"), vscode.l10n.t("Tokens"), vscode.l10n.t("Why")].join(" | ")} |`,
		"| --- | ---: | --- |",
		...rows,
	];
}

function shareOf({ given, tokens }: ContextPart): string {
	if (given === 0) return vscode.l10n.t("left out ({0})", numeral(tokens));
	return given < tokens ? vscode.l10n.t("{0} of {1}", numeral(given), numeral(tokens)) : numeral(given);
}
