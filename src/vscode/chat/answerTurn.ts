import * as vscode from "vscode";
import { measuredMemory, measuredSearch } from "../../agent/loop/search.ts";
import type { TurnTracer } from "../../agent/loop/turnTracer.ts";
import type { Lazy } from "../../base/jobs/lazily.ts";
import { escapeMarkdown } from "../../base/text/visibleText.ts";
import type { Citation } from "../../core/knowledge/citation.ts";
import type { Knowledge } from "../../core/knowledge/knowledge.ts";
import type { Memory } from "../../core/session/memory.ts";
import type { Sessions } from "../../core/session/session.ts";
import { REMEMBER } from "../../core/session/trace.ts";
import { type AgentsDeps, type AgentsTurn, answerAgents } from "../agents/agentsCommand.ts";
import { readWanted } from "../cli/chosenOptions.ts";
import { answerOnCli, type CliChatTurn, type CliLink, showCliCommands } from "../cli/cliLink.ts";
import type { EvidenceLink } from "../evidence/link.ts";
import { attachedFolders, readReferences } from "../turn/attachments.ts";
import { historyOf } from "../turn/chatHistory.ts";
import type { SessionInstructions } from "../turn/sessionInstructions.ts";
import type { LiveTurns, TurnRecord } from "../turn/turnRecord.ts";
import { partialText } from "../worker/indexReport.ts";
import type { FolderReadiness } from "../worker/readiness.ts";
import { HELP, OPEN_SAMPLE } from "./help.ts";
import { answerIndex, withMilestones } from "./indexCommand.ts";
import { answerInstructions } from "./instructionsCommand.ts";
import { answerResume } from "./resumeChat.ts";
import type { Runners } from "./runners.ts";
import { answerSearch } from "./searchCommand.ts";
import { answerRemember } from "./sessionChat.ts";

export interface AnswerDeps {
	readonly knowledge: Knowledge;
	readonly readiness: FolderReadiness;
	readonly sessions: Sessions;
	readonly memory: Memory;
	readonly log: vscode.LogOutputChannel;
	readonly evidence: EvidenceLink;
	readonly cli: CliLink;
	readonly runners: Lazy<Runners>;
	/** Learns of each turn: what a tool begins in it is a part of it. */
	readonly live: LiveTurns;
	readonly traces: TurnTracer;
	readonly agents: AgentsDeps;
	readonly instructions: SessionInstructions;
}

/** `prompt` is the request's words, without space around them. */
export type ChatTurn = Omit<CliChatTurn, "instructions"> & Omit<AgentsTurn, "origin">;

/** While a turn is running, what its tools start is reported in it. */
export async function answerLive(
	deps: AnswerDeps,
	turn: ChatTurn,
	signal: AbortSignal,
): Promise<Partial<TurnRecord>> {
	const leave = deps.live.add(turn.session, turn.show);
	try {
		return await answerTurn(deps, turn, signal);
	} finally {
		leave();
	}
}

type Answer = (deps: AnswerDeps, turn: ChatTurn, signal: AbortSignal) => Promise<Partial<TurnRecord>>;

/** What the record of a turn holds beyond the answer's own events: here, nothing. */
const NO_MORE = {};

/** The commands that do something of their own; the others answer from the index. */
const COMMANDS: Readonly<Record<string, Answer>> = {
	index: ({ readiness }, { stream }, signal) => answerIndex(readiness, stream, signal),
	resume: (deps, { prompt, stream }, signal) => {
		const sessions = deps.evidence.noting(deps.sessions);
		return answerResume({ ...deps, sessions }, { prompt, stream }, signal);
	},
	remember: async (deps, turn, signal) => {
		const { prompt: question, session } = turn;
		const start = { kind: "agent", title: REMEMBER, question, session } as const;
		await deps.traces.run(start, signal, (recorder) =>
			answerRemember({ memory: measuredMemory(deps.memory, recorder) }, turn, signal),
		);
		return NO_MORE;
	},
	instructions: async ({ instructions }, turn, signal) => {
		await answerInstructions(instructions, turn, signal);
		return NO_MORE;
	},
	agents: async ({ agents }, turn, signal) => {
		await answerAgents(agents, { ...turn, origin: turn.request.toolInvocationToken }, signal);
		return NO_MORE;
	},
};

async function answerTurn(
	deps: AnswerDeps,
	turn: ChatTurn,
	signal: AbortSignal,
): Promise<Partial<TurnRecord>> {
	const { request, stream, prompt } = turn;
	const command = COMMANDS[request.command ?? ""];
	if (command) return command(deps, turn, signal);
	if (prompt === "") {
		stream.markdown(HELP);
		return NO_MORE;
	}
	return request.command === "cli" ? answerCli(deps, turn, signal) : answerFromIndex(deps, turn, signal);
}

async function answerCli(
	{ cli, instructions }: AnswerDeps,
	turn: ChatTurn,
	signal: AbortSignal,
): Promise<Partial<TurnRecord>> {
	const { request, stream, session } = turn;
	if (asksForCommands(request)) await showCliCommands(cli, stream);
	else await answerOnCli(cli, { ...turn, instructions: await instructions.of(session, signal) }, signal);
	return NO_MORE;
}

async function answerFromIndex(
	deps: AnswerDeps,
	turn: ChatTurn,
	signal: AbortSignal,
): Promise<Partial<TurnRecord>> {
	const { request, context, stream, show } = turn;
	const { notices, unfinished } = await withMilestones(stream, (report) =>
		deps.readiness.begin(report, signal, request.prompt),
	);
	// Only in the first answer: the notice that the index is kept elsewhere would otherwise be in each one.
	if (context.history.length === 0) for (const text of notices) show({ kind: "notice", text });
	if (unfinished) show({ kind: "notice", text: partialText(unfinished) });
	const nothing = await deps.readiness.emptiness(signal);
	if (nothing !== undefined) {
		show({ kind: "text", text: escapeMarkdown(nothing) });
		turn.offer(OPEN_SAMPLE);
		return { isOurs: true };
	}
	if (request.command === "search") return { citations: await tracedSearch(deps, turn, signal) };
	await runAgent(deps, turn, signal);
	return {};
}

function tracedSearch(
	{ knowledge, traces }: AnswerDeps,
	{ request, session, stream }: ChatTurn,
	signal: AbortSignal,
): Promise<Citation[]> {
	const query = request.prompt.trim();
	const start = { kind: "agent", title: "search", question: query, session } as const;
	return traces.run(start, signal, (recorder) =>
		answerSearch({ search: measuredSearch(knowledge.search, recorder) }, { query, stream }, signal),
	);
}

async function runAgent(
	deps: AnswerDeps,
	{ request, context, session, show, steering }: ChatTurn,
	signal: AbortSignal,
): Promise<void> {
	const [attached, sources, { turns: history, notice }, instructions] = await Promise.all([
		readReferences(request.references),
		attachedFolders(request.references),
		historyOf(context, deps.sessions, signal),
		deps.instructions.of(session, signal),
	]);
	if (notice !== undefined) show({ kind: "notice", text: notice });
	const question = request.prompt.trim();
	let words = "";
	const asked = { question, session, instructions, history, ...attached, sources, steering };
	const run = await deps.runners.runnerFor(request);
	for await (const event of run(asked, signal)) {
		if (event.kind === "text") words += event.text;
		show(event);
	}
	if (words.trim() === "") throw new Error(vscode.l10n.t("The language model gave no answer. Ask again."));
}

/** Whether it is a question that is answered; the others only show or do something. */
export function isConversation(request: vscode.ChatRequest): boolean {
	const { command = "", prompt } = request;
	return (
		prompt.trim() !== "" &&
		!["index", "resume", "remember", "instructions"].includes(command) &&
		!asksForCommands(request)
	);
}

function asksForCommands({ command, prompt }: vscode.ChatRequest): boolean {
	return command === "cli" && prompt.trim() === "/";
}

/** Only words can be added to a running turn; an attachment or a choice needs a separate turn. */
export function steerableBy({ prompt, command, references }: vscode.ChatRequest) {
	const words = command === "cli" ? readWanted(prompt) : { wanted: [], question: prompt.trim() };
	const isPlain = references.length === 0 && words.wanted.length === 0 && !/^\/|^$/.test(words.question);
	return { engine: command ?? "model", ...(isPlain && { words: words.question }) };
}

export function questionOf({ prompt, command, references }: vscode.ChatRequest) {
	const attachments = references.map(({ id, modelDescription }) => modelDescription ?? id);
	return { text: prompt.trim(), attachments, ...(command !== undefined && { command }) };
}
