import * as vscode from "vscode";
import { escapeMarkdown, inlineCode, shownBlock, shownLines } from "../../base/text/visibleText.ts";
import type { AgentEvent, PlanStep, ToolCall } from "../../core/agent/agentEvent.ts";

/** Maximum number of lines shown from the end of a call's output. */
const OUTPUT_LINES = 15;
const OUTPUT_CHARACTERS = 2000;
/** Maximum number of lines shown from the start of a plan's text. */
const PLAN_LINES = 20;

export function createCliEventView(stream: vscode.ChatResponseStream) {
	const titles = new Map<string, string>();
	const changed = new Set<string>();
	const write = (markdown: string) => void (markdown !== "" && stream.markdown(markdown));
	const live = createLiveOutput(write);
	const plan = createPlanText();
	const titleOf = ({ id, name }: ToolCall) => escapeMarkdown(titles.get(id) ?? name);
	let thought = "";
	const finish = (event: Extract<AgentEvent, { kind: "toolFinished" }>) => {
		const { id } = event.call;
		const isCut = showFinished(event, titleOf(event.call), live, write);
		const offer = (command: string, words: string) =>
			stream.button({ command, title: words, arguments: [id] });
		if (event.ok && changed.has(id)) offer("copilot-ld.openCliChange", vscode.l10n.t("Open Change"));
		if (isCut) offer("copilot-ld.showCliOutput", vscode.l10n.t("Show Full Output"));
	};
	return {
		before: (event: AgentEvent) => {
			if (!SILENT.has(event.kind)) live.interrupt();
		},
		/** Shows the events that only the CLI sends; `createEventView` shows all other events. */
		show: (event: AgentEvent) => {
			switch (event.kind) {
				case "thought":
					thought = showThought(stream, thought + event.text);
					return;
				case "toolStarted":
					thought = "";
					titles.set(event.call.id, event.title ?? event.call.name);
					return stream.progress(escapeMarkdown(event.title ?? event.call.name));
				case "toolUpdated":
					return live.update(event, `● ${callLine(titleOf(event.call), event.call.input)}`);
				case "diff":
					return void changed.add(event.callId);
				case "toolFinished":
					return finish(event);
				case "permission":
					return write(denied(event));
				case "plan":
					return write(plan(event));
				default:
					return undefined;
			}
		},
		end: live.interrupt,
	};
}

/** Events that show nothing, or only add to the current output. */
const SILENT: ReadonlySet<AgentEvent["kind"]> = new Set([
	...(["toolUpdated", "toolFinished", "diff", "usage", "window", "context", "ended"] as const),
]);

/** Shows the last complete line of a thought as progress; returns the rest of the text. */
function showThought(stream: vscode.ChatResponseStream, text: string): string {
	const end = text.lastIndexOf("\n");
	const line = text.slice(0, Math.max(0, end)).trim().split("\n").at(-1) ?? "";
	if (line !== "") stream.progress(escapeMarkdown(line));
	return text.slice(end + 1);
}

/** Shows a finished call. Returns whether some of its output is missing in the chat. */
function showFinished(
	{ ok, text, exitCode, call }: Extract<AgentEvent, { kind: "toolFinished" }>,
	title: string,
	live: LiveOutput,
	write: (markdown: string) => void,
): boolean {
	const wasLive = live.has(call.id);
	if (!wasLive) live.interrupt();
	const isWhole = wasLive && live.end(call.id, text);
	const end = exitCode === undefined ? "" : ` · ${vscode.l10n.t("exit code {0}", exitCode)}`;
	const head = `\n\n${ok ? "✓" : "✗"} ${callLine(title, call.input)}${end}\n\n`;
	const lines = text.trim().slice(-OUTPUT_CHARACTERS).split("\n").slice(-OUTPUT_LINES).join("\n").trim();
	write(isWhole ? head : `${head}${lines === "" ? "" : `${shownBlock(lines, "text")}\n\n`}`);
	return !isWhole && lines !== text.trim();
}

function denied({ title, effect, by }: Extract<AgentEvent, { kind: "permission" }>): string {
	if (effect === "allow") return "";
	const call = escapeMarkdown(title);
	return `\n\n> ${by === "person" ? vscode.l10n.t("You denied: {0}", call) : vscode.l10n.t("A rule denied: {0}", call)}\n\n`;
}

const MARKS: Readonly<Record<PlanStep["status"], string>> = {
	pending: "○",
	running: "●",
	done: "✓",
	blocked: "✗",
};

function createPlanText(): (plan: Extract<AgentEvent, { kind: "plan" }>) => string {
	let steps = new Map<string, PlanStep["status"]>();
	let words = "";
	return (plan) => {
		const changed = plan.steps.filter(({ title, status }) => steps.get(title) !== status);
		steps = new Map(plan.steps.map(({ title, status }) => [title, status]));
		const lines = changed.map(({ title, status }) => `- ${MARKS[status]} ${escapeMarkdown(title)}`);
		const isNew = plan.text.trim() !== "" && plan.text !== words;
		words = plan.text;
		const beginning = plan.text.trim().split("\n").slice(0, PLAN_LINES).join("\n");
		const text = isNew ? `\n\n${vscode.l10n.t("The plan:")}\n\n${shownBlock(beginning, "markdown")}\n\n` : "";
		return lines.length === 0 ? text : `${text}\n\n${lines.join("\n")}\n\n`;
	};
}

/** Maximum output shown while a call runs. Of longer output, the last lines are shown after the call. */
const LIVE_LINES = 200;
const LIVE_CHARACTERS = 20_000;

/** A fence longer than fences that programs print. Lines that would close the block are indented. */
const FENCE = "`".repeat(8);
const CLOSES = /^ {0,3}`{8,}\s*$/;

/** Streams the output of calls to the chat, in whole lines, since the chat is append-only. */
type LiveOutput = ReturnType<typeof createLiveOutput>;

function createLiveOutput(write: (markdown: string) => void) {
	/** The output that the chat already shows, for each running call. */
	const shown = new Map<string, string>();
	let open: string | undefined;
	const interrupt = () => {
		if (open !== undefined) write(`${FENCE}\n\n`);
		open = undefined;
	};
	const add = (callId: string, head: string, fresh: string) => {
		if (open !== callId) {
			interrupt();
			write(`\n\n${head}\n\n${FENCE}text\n`);
		}
		open = callId;
		const lines = shownLines(fresh)
			.split("\n")
			.map((line) => (CLOSES.test(line) ? `    ${line}` : line));
		write(lines.join("\n"));
		shown.set(callId, (shown.get(callId) ?? "") + fresh);
	};
	return {
		update: ({ call, text }: Extract<AgentEvent, { kind: "toolUpdated" }>, head: string) => {
			const before = shown.get(call.id) ?? "";
			// The complete new lines; empty if the text shown before has changed.
			const end = text.lastIndexOf("\n") + 1;
			const fresh = text.startsWith(before) ? text.slice(before.length, end) : "";
			const isOthers = open !== undefined && open !== call.id;
			if (fresh === "" || isOthers || isFull(before + fresh)) return;
			add(call.id, head, fresh);
		},
		interrupt,
		/** Shows the remaining output of a finished call. Returns whether the chat has the whole output. */
		end: (callId: string, text: string) => {
			const before = shown.get(callId);
			if (before === undefined) return false;
			const rest = text.startsWith(before.trimEnd()) ? text.slice(before.length) : undefined;
			const isWhole = rest !== undefined && !isFull(before + rest);
			if (isWhole && rest.trim() !== "") add(callId, "", `${rest.trimEnd()}\n`);
			interrupt();
			shown.delete(callId);
			return isWhole;
		},
		has: (callId: string) => shown.has(callId),
	};
}

function isFull(text: string): boolean {
	return text.length > LIVE_CHARACTERS || text.split("\n").length > LIVE_LINES;
}

export function callLine(title: string, input: unknown): string {
	const isCommand = typeof input === "object" && input !== null && "command" in input;
	return isCommand ? `${title}: ${inlineCode(`${input.command}`)}` : title;
}
