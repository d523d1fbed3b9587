import * as vscode from "vscode";
import { measuredMemory, measuredSearch } from "../../agent/loop/search.ts";
import type { TurnTracer } from "../../agent/loop/turnTracer.ts";
import type { Lazy } from "../../base/jobs/lazily.ts";
import { escapeMarkdown, quoteMarkdown } from "../../base/text/visibleText.ts";
import { briefPlace, escapePath } from "../../core/knowledge/citation.ts";
import type { Hit, IndexProgress, Knowledge, SearchResult } from "../../core/knowledge/knowledge.ts";
import { describeTotal } from "../../core/knowledge/searchSummary.ts";
import type { Memory } from "../../core/session/memory.ts";
import type { Sessions } from "../../core/session/session.ts";
import { REMEMBER } from "../../core/session/trace.ts";
import { tellAnswer } from "../../passages/tell.ts";
import { type AgentsDeps, answerAgents } from "../agents/agentsCommand.ts";
import { readWanted } from "../cli/chosenOptions.ts";
import { answerOnCli, type CliChat, showCliCommands } from "../cli/cliAnswer.ts";
import type { EvidenceLink } from "../evidence/link.ts";
import { linkTo, locationOf } from "../folders.ts";
import { amounts, translated } from "../l10n.ts";
import { readReferences } from "../turn/attachments.ts";
import { historyOf } from "../turn/chatHistory.ts";
import { answerInstructions, type SessionInstructions } from "../turn/sessionInstructions.ts";
import type { Answer, ChatTurn, LiveTurns } from "../turn/turnRecord.ts";
import { partialText, progressText, reportText } from "../worker/indexReport.ts";
import type { FolderReadiness } from "../worker/readiness.ts";
import type { Runners } from "./runners.ts";
import { answerRemember } from "./sessionChat.ts";
import { answerResume, type ResumeDeps } from "./sessionCommands.ts";
import { createEventView } from "./showEvent.ts";

export interface AnswerDeps {
	readonly knowledge: Knowledge;
	readonly readiness: FolderReadiness;
	readonly allSessions: { readonly sessions: Sessions };
	readonly memory: Memory;
	readonly log: vscode.LogOutputChannel;
	readonly evidence: EvidenceLink;
	readonly cli: CliChat & ResumeDeps["cli"];
	readonly runners: Lazy<Runners>;
	/** Registers running turns, so that the work of their tools is shown in them. */
	readonly live: LiveTurns;
	readonly traces: TurnTracer;
	readonly agents: AgentsDeps;
	readonly instructions: SessionInstructions;
}

/** Commands with a handler of their own; other commands answer from the index. */
const COMMANDS: Readonly<Record<string, Answer<AnswerDeps>>> = {
	index: async ({ readiness }, { stream }, signal) => {
		const tell = createMilestones((line) => stream.progress(line));
		const report = await readiness.index({ rebuild: false }, tell, signal);
		stream.markdown(escapeMarkdown(reportText(report)));
	},
	resume: (deps, turn, signal) => {
		const sessions = deps.evidence.noting(deps.allSessions.sessions);
		return answerResume({ ...deps, sessions }, turn, signal);
	},
	remember: ({ memory, traces }, turn, signal) =>
		traces.run(startOf(REMEMBER, turn), signal, (recorder) =>
			answerRemember(measuredMemory(memory, recorder), turn, signal),
		),
	instructions: ({ instructions }, turn, signal) => answerInstructions(instructions, turn, signal),
	agents: ({ agents }, turn, signal) => answerAgents(agents, turn, signal),
};

const HELP = vscode.l10n.t(
	"I answer questions about the linked data and documents of this folder, and cite the exact lines.\n\n- Ask anything: `@copilot-ld who wrote the maintenance guide?`\n- `/search` shows the best passages, without a language model.\n- `/quote` answers in the documents' own words, without a language model.\n- `/graph` answers with a SPARQL query: yours, or one that the model writes for your question.\n- `/cli` hands the question to the GitHub Copilot CLI, which can change files and run commands; it asks you first. `/cli /` lists its own commands.\n- `/index` updates the index.\n- `/remember` remembers a fact for later sessions, or shows what is remembered.\n- `/instructions` sets instructions for every answer in this chat, or shows them.\n- `/resume` resumes an earlier session.",
);

/** Answers a turn. Work that the turn's tools start is shown in the turn. */
export async function answerTurn(deps: AnswerDeps, turn: ChatTurn, signal: AbortSignal): Promise<void> {
	const leave = deps.live.add(turn.session, turn.show);
	try {
		await answerOf(turn)(deps, turn, signal);
	} finally {
		leave();
	}
}

function answerOf({ request, prompt }: ChatTurn): Answer<AnswerDeps> {
	const command = COMMANDS[request.command ?? ""];
	if (command) return command;
	if (prompt === "") return async (_, { stream }) => stream.markdown(HELP);
	if (asksForCommands(request)) return ({ cli }, { stream }) => showCliCommands(cli, stream);
	return request.command === "cli" ? answerOnCli : answerFromIndex;
}

function startOf(title: string, { prompt: question, session }: ChatTurn) {
	return { kind: "agent", title, question, session } as const;
}

async function answerFromIndex(deps: AnswerDeps, turn: ChatTurn, signal: AbortSignal): Promise<void> {
	const { request, context, stream, show } = turn;
	const tell = createMilestones((line) => stream.progress(line));
	const { notices, unfinished } = await deps.readiness.begin(tell, signal, request.prompt);
	// Only in the first answer: otherwise every answer would repeat that the index is stored elsewhere.
	if (context.history.length === 0) for (const text of notices) show({ kind: "notice", text });
	if (unfinished) show({ kind: "notice", text: partialText(unfinished) });
	const nothing = await deps.readiness.emptiness(signal);
	if (nothing === undefined)
		return request.command === "search" ? search(deps, turn, signal) : runAgent(deps, turn, signal);
	show({ kind: "text", text: escapeMarkdown(nothing) });
	turn.add({ isOurs: true });
	turn.offer({ command: "copilot-ld.openSample", title: vscode.l10n.t("Open Sample Knowledge Base") });
}

const search: Answer<AnswerDeps> = ({ knowledge, traces }, turn, signal) =>
	traces.run(startOf("search", turn), signal, (recorder) =>
		answerSearch(measuredSearch(knowledge.search, recorder), turn, signal),
	);

const runAgent: Answer<AnswerDeps> = async (deps, turn, signal) => {
	const { request, context, prompt: question, session, show, steering } = turn;
	const [attached, { turns: history, notice }, instructions] = await Promise.all([
		readReferences(request.references),
		historyOf(context, deps.allSessions.sessions, signal),
		deps.instructions.of(session, signal),
	]);
	if (notice !== undefined) show({ kind: "notice", text: notice });
	let words = "";
	const asked = { question, session, instructions, history, ...attached, steering };
	const run = await deps.runners.runnerFor(request);
	for await (const event of run(asked, signal)) {
		if (event.kind === "text") words += event.text;
		show(event);
	}
	if (words.trim() === "") throw new Error(vscode.l10n.t("The language model gave no answer. Ask again."));
};

/** Whether a request asks a question; other requests only show or do something. */
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

/** A request's engine, and the text if a running turn can take it: a text without attachments and options. */
export function steerableBy({ prompt, command, references }: vscode.ChatRequest) {
	const words = command === "cli" ? readWanted(prompt) : { wanted: [], question: prompt.trim() };
	const isPlain = references.length === 0 && words.wanted.length === 0 && !/^\/|^$/.test(words.question);
	return { engine: command ?? "model", ...(isPlain && { words: words.question }) };
}

export function questionOf({ prompt, command, references }: vscode.ChatRequest) {
	const attachments = references.map(({ id, modelDescription }) => modelDescription ?? id);
	return { text: prompt.trim(), attachments, ...(command !== undefined && { command }) };
}

/** With fewer files, indexing is over before the user has read a line about it. */
const FEW_FILES = 100;

/** Reports only the start of a long run, because each line stays in the chat; the status bar shows the progress. */
export function createMilestones(say: (line: string) => void): (progress?: IndexProgress) => void {
	let isTold = false;
	return (progress) => {
		if (!progress) return say(progressText());
		const left = progress.total - progress.done;
		if (isTold || left < FEW_FILES) return;
		isTold = true;
		say(
			vscode.l10n.t(
				"Indexing {0}. The status bar shows the progress; if you stop, what is done is kept.",
				amounts.files(left),
			),
		);
	};
}

const LIMIT = 10;
const SNIPPET_CHARACTERS = 300;
/** Characters by which a passage may exceed the snippet length without being cut. */
const SPARE = 60;

const answerSearch: Answer<Knowledge["search"]> = async (search, turn, signal) => {
	const { prompt: query, stream, add } = turn;
	const result = await search({ query, limit: LIMIT, channel: "chat" }, signal);
	if (result.listing?.total) {
		const show = createEventView(stream);
		for (const event of tellAnswer(result, translated)) show(event);
	}
	const notices = result.notices.map((notice) => `> ${escapeMarkdown(translated(notice))}`);
	stream.markdown(`\n\n${[foundText(result, escapeMarkdown(query)), ...notices].join("\n\n")}`);
	for (const hit of result.hits) showHit(hit, stream);
	add({ citations: result.hits.map(({ path, lines }) => ({ path, lines })) });
};

function foundText(result: SearchResult, asked: string): string {
	const count = result.hits.length;
	if (count === 0) return vscode.l10n.t("Nothing matches “{0}”. Try other words.", asked);
	const total = describeTotal(result);
	if (total === undefined) return vscode.l10n.t("The {0} best places for “{1}”:", count, asked);
	return vscode.l10n.t("The {0} best places for “{1}”; {2}:", count, asked, translated(total));
}

function showHit(hit: Hit, stream: vscode.ChatResponseStream): void {
	const location = locationOf(hit);
	stream.markdown(`\n\n**${escapeMarkdown(hit.title)}** `);
	if (location) {
		stream.reference(location);
		stream.anchor(linkTo(location), `${escapePath(hit.path)}:${briefPlace(hit.lines)}`);
	}
	const way = hit.via === undefined ? "" : `\n\n${escapeMarkdown(hit.via)}`;
	stream.markdown(`${way}\n\n${quoteMarkdown(snippetOf(hit.text.trim()))}\n\n`);
}

function snippetOf(text: string): string {
	if (text.length <= SNIPPET_CHARACTERS + SPARE) return text;
	return `${text.slice(0, SNIPPET_CHARACTERS).replace(/\s+\S{0,40}$/u, "")} …`;
}
