import type * as vscode from "vscode";
import { escapeMarkdown, inlineCode, shownBlock } from "../../base/markdown.ts";
import type { AgentEvent, PlanStep } from "../../core/agent/agentEvent.ts";

/** Of a call's output, the chat shows the end. */
const OUTPUT_LINES = 15;
const OUTPUT_CHARACTERS = 2000;

/** Writes to the chat what only the CLI tells; the events of every engine are shown by `createEventView`. */
export function createCliEventView(stream: vscode.ChatResponseStream): (event: AgentEvent) => void {
	const titles = new Map<string, string>();
	const changed = new Set<string>();
	let thought = "";
	return (event) => {
		switch (event.kind) {
			case "thought":
				thought = showThought(stream, thought + event.text);
				return;
			case "toolStarted":
				thought = "";
				titles.set(event.call.id, event.title ?? event.call.name);
				return stream.progress(escapeMarkdown(event.title ?? event.call.name));
			case "diff":
				return void changed.add(event.callId);
			case "toolFinished":
				stream.markdown(finishedCall(event, titles.get(event.call.id) ?? event.call.name));
				return event.ok && changed.has(event.call.id) ? stream.button(openChange(event.call.id)) : undefined;
			case "permission":
				return stream.markdown(denied(event));
			case "plan":
				return stream.markdown(planText(event.steps));
		}
	};
}

/** A thought comes in pieces; each whole line of it is shown as what goes on. */
function showThought(stream: vscode.ChatResponseStream, text: string): string {
	const end = text.lastIndexOf("\n");
	const line = text.slice(0, Math.max(0, end)).trim().split("\n").at(-1) ?? "";
	if (line !== "") stream.progress(escapeMarkdown(line));
	return text.slice(end + 1);
}

function finishedCall(
	{ ok, text, exitCode, call }: Extract<AgentEvent, { kind: "toolFinished" }>,
	title: string,
): string {
	const input = call.input;
	const command =
		typeof input === "object" && input !== null && "command" in input
			? `: ${inlineCode(`${input.command}`)}`
			: "";
	const end = exitCode === undefined ? "" : ` · exit code ${exitCode}`;
	const head = `${ok ? "✓" : "✗"} ${escapeMarkdown(title)}${command}${end}`;
	return `\n\n${head}\n\n${outputBlock(text)}`;
}

function outputBlock(text: string): string {
	const lines = text.trim().slice(-OUTPUT_CHARACTERS).split("\n").slice(-OUTPUT_LINES);
	if (lines.join("").trim() === "") return "";
	return `${shownBlock(lines.join("\n"), "text")}\n\n`;
}

function openChange(callId: string): vscode.Command {
	return { command: "copilot-ld.openCliChange", title: "Open the Change", arguments: [callId] };
}

function denied({ title, effect, by }: Extract<AgentEvent, { kind: "permission" }>): string {
	if (effect === "allow") return "";
	const who = by === "person" ? "You" : "A rule";
	return `\n\n> ${who} denied: ${escapeMarkdown(title)}\n\n`;
}

const MARKS: Readonly<Record<PlanStep["status"], string>> = {
	pending: "○",
	running: "●",
	done: "✓",
	blocked: "✗",
};

function planText(steps: readonly PlanStep[]): string {
	const lines = steps.map(({ title, status }) => `- ${MARKS[status]} ${escapeMarkdown(title)}`);
	return lines.length === 0 ? "" : `\n\n${lines.join("\n")}\n\n`;
}
