import * as vscode from "vscode";
import { escapeMarkdown } from "../../base/text/visibleText.ts";
import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import type { StepOutcome } from "../../core/agent/chain.ts";
import { briefPlace, type Citation, escapePath, formatCitation } from "../../core/knowledge/citation.ts";
import { linkTo, locationOf } from "../folders.ts";
import { translated } from "../l10n.ts";

export function createCitationView(stream: vscode.ChatResponseStream): (citation: Citation) => void {
	const referenced = new Set<string>();
	return (citation) => {
		const mark = formatCitation(citation);
		const location = locationOf(citation);
		if (!location) return stream.markdown(escapeMarkdown(mark));
		if (!referenced.has(mark)) stream.reference(location);
		referenced.add(mark);
		// Only the file name, as in `atlas.md:12`: the references hold the whole path.
		const { path, lines } = citation;
		const title = `${escapePath(path.slice(path.lastIndexOf("/") + 1))}:${briefPlace(lines)}`;
		return stream.anchor(linkTo(location), title);
	};
}

export function createEventView(stream: vscode.ChatResponseStream): (event: AgentEvent) => void {
	const cite = createCitationView(stream);
	let isThinking = false;
	return (event) => {
		if (event.step !== undefined) return showStepEvent(event, stream);
		switch (event.kind) {
			case "progress":
				return stream.progress(escapeMarkdown(translated(event.text)));
			case "notice":
				return stream.markdown(`\n\n> ${escapeMarkdown(translated(event.text))}\n\n`);
			case "text":
				return stream.markdown(event.text);
			case "citation":
				return cite(event.citation);
			case "ended":
				return event.reason === "roundLimit" ? stream.markdown(ROUND_LIMIT) : undefined;
			case "thought":
				if (!isThinking) stream.progress(vscode.l10n.t("Thinking"));
				isThinking = true;
				return undefined;
			default:
				// VS Code itself shows the calls; passages are shown with their citations.
				return undefined;
		}
	};
}

const OUTCOMES: Readonly<Record<StepOutcome, string>> = {
	succeeded: "✓",
	failed: `✗ ${vscode.l10n.t("failed")}`,
	timedOut: `✗ ${vscode.l10n.t("timed out")}`,
	skipped: `– ${vscode.l10n.t("skipped")}`,
	cancelled: `– ${vscode.l10n.t("stopped")}`,
};

function showStepEvent(event: AgentEvent, stream: vscode.ChatResponseStream) {
	const who = escapeMarkdown(event.step ?? "");
	switch (event.kind) {
		case "stepStarted":
			// The event is repeated once the step's session is known.
			return event.session === undefined
				? stream.progress(vscode.l10n.t("{0} is working", escapeMarkdown(event.agent)))
				: undefined;
		case "toolStarted":
			return stream.progress(`${who}: ${escapeMarkdown(translated(event.title ?? event.call.name))}`);
		case "permission":
			if (event.effect === "allow") return undefined;
			return stream.markdown(`\n\n> ${deniedText(event, who)}\n\n`);
		case "notice":
			return stream.markdown(`\n\n> ${who}: ${escapeMarkdown(translated(event.text))}\n\n`);
		case "stepFinished":
			return stream.markdown(`\n\n${stepLine(event)}\n\n`);
		default:
			return undefined;
	}
}

function deniedText({ by, title }: Extract<AgentEvent, { kind: "permission" }>, who: string): string {
	const call = escapeMarkdown(translated(title));
	return by === "person"
		? vscode.l10n.t("You denied {0}: {1}", who, call)
		: vscode.l10n.t("A rule denied {0}: {1}", who, call);
}

function stepLine({ agent, outcome, text, isCached }: Extract<AgentEvent, { kind: "stepFinished" }>): string {
	const name = `**${escapeMarkdown(agent)}**`;
	const line = text.trim().split("\n")[0] ?? "";
	const said = escapeMarkdown(line.length > STEP_CHARACTERS ? `${line.slice(0, STEP_CHARACTERS)}…` : line);
	const known = isCached ? ` (${vscode.l10n.t("from cache")})` : "";
	return `${OUTCOMES[outcome]} ${name}${known}: ${said}`;
}

const STEP_CHARACTERS = 160;

const ROUND_LIMIT = `\n\n> ${vscode.l10n.t("The model wanted more tool calls than `copilot-LD.agent.maxRounds` allows. Ask again to let it continue.")}`;
