import * as vscode from "vscode";
import { l10n } from "vscode";
import { escapeMarkdown, unescaped } from "../../base/text/visibleText.ts";
import type { ContextPart, ContextReport, ContextSection } from "../../core/agent/agentEvent.ts";
import { type AssetRef, assetRefsIn, readAssetRef, writeAssetRef } from "../../core/agent/assetRef.ts";
import { piecesOf } from "../../core/knowledge/citation.ts";
import type { Sessions, TranscriptTurn } from "../../core/session/session.ts";
import type { Findings } from "../evidence/evidence.ts";
import { amounts, numeral, translated } from "../l10n.ts";
import { type MarkdownViewer, registerEach, type TextViewer } from "../registerEach.ts";
import { answered, findInTurn, type TurnName } from "../turn/turnOf.ts";
import type { TurnRecord } from "../turn/turnRecord.ts";

const SHOW_RESULT = "copilot-ld.showResult";
const MORE = "copilot-ld.moreOfAnswer";
const COPY = "copilot-ld.copyAnswer";
const CONTEXT = "copilot-ld.showContext";
const EVIDENCE = "copilot-ld.showEvidence";
const GRAPH = "copilot-ld.showGraph";
const SAVE_TEST = "copilot-ld.saveAsTest";
const SAVE_TOOL = "copilot-ld.saveAsTool";

interface LinkDeps {
	readonly documents: TextViewer & MarkdownViewer;
	readonly sessions: Sessions;
	resultOf(session: string, ref: AssetRef): Promise<string>;
}

export function registerAnswerLinks({ documents, sessions, resultOf }: LinkDeps): vscode.Disposable {
	const open = async (window: unknown, session?: unknown, written?: unknown) => {
		const ref = readAssetRef(written);
		if (window !== vscode.env.sessionId || typeof session !== "string" || !ref)
			throw new Error(l10n.t("This result was kept only until its window was closed."));
		const text = await resultOf(session, ref);
		return documents.open(
			l10n.t("Result {0}", [ref.number, ...ref.path].join(" ")).replaceAll("/", "_"),
			text,
		);
	};
	const copy = async (...turn: readonly unknown[]) => {
		const { answer } = await findInTurn(sessions, turn, answered);
		await vscode.env.clipboard.writeText(footnoted(answer));
	};
	return registerEach<unknown[]>({
		[SHOW_RESULT]: open,
		[MORE]: showMore,
		[COPY]: copy,
		"copilot-ld.showContext": async (...turn) => {
			const report = await findInTurn(sessions, turn, contextIn);
			await documents.show(l10n.t("Context.md"), contextDocument(report));
			return report;
		},
	});
}

/** Maximum number of warnings shown; the evidence view lists all. */
const WARNINGS = 3;
const RESULTS = 5;

interface AnsweredTurn {
	/** Absent if the turn is not saved in a session. */
	readonly turn: TurnName | undefined;
	readonly command: string | undefined;
	readonly record: TurnRecord;
}

export function canBeTool(command: string | undefined, citations: readonly unknown[]): boolean {
	return citations.length > 0 && (command === undefined || command === "search");
}

export function writeFooter(
	stream: vscode.ChatResponseStream,
	{ summary, warnings }: Findings,
	{ turn, command, record }: AnsweredTurn,
): void {
	for (const warning of warnings.slice(0, WARNINGS)) stream.markdown(`\n\n> ${escapeMarkdown(warning)}\n\n`);
	const { answer, context, citations } = record;
	const isCited = answer !== "" && citations.length > 0;
	const isQuery = command === "graph" && /^```sparql\n/.test(answer);
	const offered: Readonly<Record<string, boolean>> = {
		[COPY]: isCited,
		[EVIDENCE]: summary !== "",
		[CONTEXT]: context !== undefined,
		[GRAPH]: isCited,
		[SAVE_TEST]: isCited,
		[SAVE_TOOL]: isQuery || canBeTool(command, citations),
	};
	// Doubtful answers link to their evidence, and queries to their graph; the other actions are behind “…”.
	const near: Readonly<Record<string, boolean>> = { [EVIDENCE]: warnings.length > 0, [GRAPH]: isQuery };
	const actions = ACTIONS.filter(([command]) => offered[command]);
	const more = actions.map(([command]) => command).filter((command) => !near[command]);
	const links = turn && [
		...actions.filter(([command]) => near[command]).map((action) => linkTo(action, [turn.session, turn.at])),
		...assetRefsIn(answer)
			.slice(0, RESULTS)
			.map((ref) => linkToResult(turn, ref)),
		...(more.length > 0 ? [linkTo(SHOW_MORE, [turn.session, turn.at, ...more])] : []),
	];
	const parts = [...(summary === "" ? [] : [quiet(summary)]), ...(links ?? [])];
	if (parts.length === 0) return;
	// The line contains only our own text, so its commands are trusted.
	const line = new vscode.MarkdownString(`\n\n${parts.join(quiet(" · "))}`);
	line.supportHtml = true;
	line.isTrusted = { enabledCommands: [EVIDENCE, GRAPH, SHOW_RESULT, MORE] };
	stream.markdown(line);
}

type Action = readonly [command: string, title: string, detail: string];

const ACTIONS: readonly Action[] = [
	[COPY, l10n.t("Copy with Sources"), l10n.t("Copy the answer, with the cited lines as footnotes")],
	[
		EVIDENCE,
		l10n.t("Evidence"),
		l10n.t("Compare each statement with the lines it cites: a hint, based on figures, names, and quotations"),
	],
	[CONTEXT, l10n.t("Context"), l10n.t("Show what the model was given")],
	[GRAPH, l10n.t("Graph"), l10n.t("Show the cited things and how they are connected")],
	[
		SAVE_TEST,
		l10n.t("Save as Test"),
		l10n.t("Add the question and what the answer cites to .copilot-ld/tests.yaml"),
	],
	[SAVE_TOOL, l10n.t("Save as Tool"), l10n.t("Offer this to every agent as a tool with parameters")],
];

const SHOW_MORE: Action = [MORE, "…", l10n.t("More about this answer")];

function linkTo([command, title, detail]: Action, given: readonly unknown[]): string {
	return commandLink({ command, title, arguments: [...given] }, detail);
}

function commandLink({ command, title, arguments: values = [] }: vscode.Command, detail = ""): string {
	const query = encodeURIComponent(JSON.stringify(values));
	// A quotation mark in a translation would end the detail.
	const hint = detail && ` "${detail.replaceAll('"', "'")}"`;
	return `[${title}](command:${command}?${query}${hint})`;
}

/** A trusted link to a command, for lists. VS Code collapses an answer that has text after a button. */
export function trustedLink(command: vscode.Command): vscode.MarkdownString {
	const link = new vscode.MarkdownString(commandLink(command));
	link.isTrusted = { enabledCommands: [command.command] };
	return link;
}

async function showMore(session: unknown, at: unknown, ...commands: readonly unknown[]): Promise<void> {
	const offered = ACTIONS.filter(([command]) => commands.includes(command));
	const items = offered.map(([command, label, detail]) => ({ command, label, detail }));
	const chosen = await vscode.window.showQuickPick(items, { placeHolder: SHOW_MORE[2] });
	if (chosen) await vscode.commands.executeCommand(chosen.command, session, at);
}

/** Labels the link with the result's number only: the names in it are untrusted text. */
function linkToResult({ session }: TurnName, ref: AssetRef): string {
	const title = l10n.t("Result {0}", ref.number);
	const detail = l10n.t("Show the tool's result, or the part of it that the answer names");
	// Results are kept until the window closes. The next window reuses their numbers, so links name the window.
	return linkTo([SHOW_RESULT, title, detail], [vscode.env.sessionId, session, writeAssetRef(ref)]);
}

function quiet(text: string): string {
	return `<span style="color:var(--vscode-descriptionForeground);">${text}</span>`;
}

function contextIn({ events }: TranscriptTurn): ContextReport | undefined {
	return events.findLast((event) => event.kind === "context")?.report;
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
	const bySection = Map.groupBy(parts, ({ section }): string => section);
	const sections = Object.entries(HEADINGS).flatMap(([section, heading]) =>
		sectionLines(heading, bySection.get(section)),
	);
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
		...sections,
	].join("\n");
}

function sectionLines(heading: string, parts: readonly ContextPart[] = []): string[] {
	if (parts.length === 0) return [];
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

/** Converts an answer for other programs: citations become footnotes, and escapes are removed. */
export function footnoted(answer: string): string {
	const numbers = new Map<string, number>();
	const pieces = piecesOf(answer).map((piece) => {
		if (typeof piece === "string") return piece;
		const { offset, length } = piece;
		const place = answer.slice(offset + 1, offset + length - 1);
		const number = numbers.get(place) ?? numbers.size + 1;
		numbers.set(place, number);
		return `[^${number}]`;
	});
	const text = unescaped(pieces.join("")).trim();
	const notes = Array.from(numbers, ([place, number]) => `[^${number}]: ${place}`);
	return notes.length === 0 ? text : `${text}\n\n${notes.join("\n")}`;
}
