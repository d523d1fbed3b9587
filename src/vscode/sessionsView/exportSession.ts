import * as vscode from "vscode";
import { l10n } from "vscode";
import { escapeMarkdown, quoteMarkdown, shownBlock } from "../../base/text/visibleText.ts";
import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import type { Decision, Permissions } from "../../core/permission/permission.ts";
import { describeDecision } from "../../core/permission/ruleText.ts";
import type { Transcript, TranscriptTurn } from "../../core/session/session.ts";
import { saveText } from "../folders.ts";
import { amounts, told, translated } from "../l10n.ts";

const MAX_DECISIONS = 100_000;

export async function exportSession(transcript: Transcript, format: "markdown" | "json"): Promise<void> {
	const words = transcript.session.title.replace(/[^\p{Letter}\p{Number}]+/gu, "-").replace(/^-|-$/g, "");
	const name = words.slice(0, 60) || "session";
	if (format === "json") return save(`${name}.json`, jsonOf({ kind: "session", ...transcript }));
	await save(`${name}.md`, sessionMarkdown(toldTranscript(transcript)));
}

export async function exportPermissions(permissions: Permissions): Promise<void> {
	const rules = await permissions.rules();
	const decisions = await permissions.decisions({ limit: MAX_DECISIONS });
	await save("permissions.json", jsonOf({ kind: "permissions", rules, decisions }));
}

/** Writes JSON with the version of its format, so that other programs can rely on it. */
function jsonOf(content: object): string {
	return `${JSON.stringify({ version: 1, ...content }, undefined, "\t")}\n`;
}

async function save(name: string, text: string): Promise<void> {
	const target = await saveText(text, name);
	if (!target) return;
	const open = vscode.l10n.t("Open");
	const message = vscode.l10n.t("Copilot-LD: {0} was saved.", vscode.workspace.asRelativePath(target));
	// Not awaited: the export is over, even if the user leaves the message open.
	void vscode.window.showInformationMessage(message, open).then((pressed) => {
		if (pressed === open) void vscode.window.showTextDocument(target);
	});
}

export function sessionMarkdown({ session, turns }: Transcript): string {
	const begun = new Date(session.createdAt).toISOString();
	const head = l10n.t("Started {0}, {1}.", begun, amounts.tokens(session.tokens));
	return `${[`# ${escapeMarkdown(session.title)}`, head, ...turns.map(turnText)].join("\n\n")}\n`;
}

function turnText(turn: TranscriptTurn): string {
	const { question, command, attachments, events, answer, outcome, error } = turn;
	const asked = command ? `/${command} ${question}` : question;
	const parts = [
		`## ${l10n.t("Turn {0}", turn.turn + 1)}`,
		quoteMarkdown(asked),
		attachments.length > 0 && l10n.t("Attached: {0}", attachments.map(escapeMarkdown).join(", ")),
		...events.map(eventText),
		answer,
		outcome !== "done" && `*${error ? escapeMarkdown(error) : ENDINGS[outcome ?? "none"]}*`,
	];
	return parts.filter(Boolean).join("\n\n");
}

const ENDINGS = {
	cancelled: l10n.t("Stopped."),
	failed: l10n.t("The turn failed."),
	roundLimit: l10n.t("The model wanted more tool calls than allowed."),
	none: l10n.t("The turn was cut off before it ended."),
} as const;

function eventText(event: AgentEvent): string | undefined {
	const text = bodyText(event);
	if (event.step === undefined || text === undefined) return text;
	if (event.kind.startsWith("step")) return text;
	return `${escapeMarkdown(event.step)}:\n\n${text}`.replace(/^/gm, "> ");
}

function bodyText(event: AgentEvent): string | undefined {
	switch (event.kind) {
		case "stepStarted":
			if (event.session) return undefined;
			return `### ${l10n.t("{0} starts (try {1})", escapeMarkdown(event.agent), event.attempt)}`;
		case "stepFinished":
			return `### ${escapeMarkdown(event.agent)}: ${event.outcome}\n\n${quoteMarkdown(event.text)}`;
		case "toolFinished": {
			const { call, ok, text } = event;
			const input = JSON.stringify(call.input, undefined, 2) ?? "";
			const name = escapeMarkdown(call.name);
			const title = ok ? l10n.t("Tool {0}", name) : l10n.t("Failed tool {0}", name);
			return `**${title}**\n\n${shownBlock(input)}\n\n${shownBlock(text)}`;
		}
		case "permission":
			return `*${told(describeDecision(event.effect, event.by))}: ${escapeMarkdown(event.title)}*`;
		case "diff":
			return [
				`*${l10n.t("Changed {0}", escapeMarkdown(event.path))}*`,
				shownBlock(event.oldText),
				shownBlock(event.newText),
			].join("\n\n");
		case "plan":
			return event.steps.map(({ title, status }) => `- ${escapeMarkdown(title)} (${status})`).join("\n");
		case "notice":
			return quoteMarkdown(event.text);
		default:
			return undefined;
	}
}

/** Translates the request's title, which is stored in English. */
export function toldDecision(decision: Decision): Decision {
	const { request } = decision;
	return { ...decision, request: { ...request, title: translated(request.title) } };
}

export function toldTranscript({ session, turns, ...others }: Transcript): Transcript {
	const translatedTurns = turns.map(({ events, error, ...turn }) => ({
		...turn,
		events: events.map((event) => {
			if (event.kind === "notice") return { ...event, text: translated(event.text) };
			return event.kind === "permission" ? { ...event, title: translated(event.title) } : event;
		}),
		...(error !== undefined && { error: translated(error) }),
	}));
	return { ...others, session, turns: translatedTurns };
}
