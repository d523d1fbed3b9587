import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { measuredSearch } from "../../agent/loop/measuredSearch.ts";
import type { TurnTracer } from "../../agent/loop/turnTracer.ts";
import { escapeMarkdown } from "../../base/text/markdown.ts";
import type { AgentEvent, Runner, Steering } from "../../core/agent/agentEvent.ts";
import { type AssetRef, assetRefsIn } from "../../core/agent/assetRef.ts";
import type { Citation } from "../../core/knowledge/citation.ts";
import type { Knowledge } from "../../core/knowledge/knowledge.ts";
import type { Memory } from "../../core/session/memory.ts";
import type { Sessions } from "../../core/session/session.ts";
import { type AgentsDeps, answerAgents } from "../agents/agentsCommand.ts";
import { signalOf } from "../cancellation.ts";
import { answerOnCli, offerChoices } from "../cli/answerOnCli.ts";
import type { CliLink } from "../cli/cliLink.ts";
import { showCliCommands } from "../cli/commands.ts";
import { type EvidenceLink, NOTHING } from "../evidence/link.ts";
import type { FirstUses } from "../firstUses.ts";
import { workspaceUri } from "../folders.ts";
import type { ChatOrigins } from "../tools/chatOrigins.ts";
import { attachedFolders } from "../turn/attachments.ts";
import { historyOf, sessionIdOf } from "../turn/chatHistory.ts";
import { provideFollowups } from "../turn/followups.ts";
import { readReferences } from "../turn/images.ts";
import type { LiveTurns } from "../turn/liveTurns.ts";
import { createSendNow, type SendNow } from "../turn/sendNow.ts";
import type { SessionInstructions } from "../turn/sessionInstructions.ts";
import { createSessionJournal } from "../turn/sessionJournal.ts";
import { type SavedTurn, saveTurn, wordsOf } from "../turn/sessionTurn.ts";
import { createTurnQueue } from "../turn/turnQueue.ts";
import { recordTurn, type TurnRecord } from "../turn/turnRecord.ts";
import type { VirtualDocuments } from "../virtualDocuments.ts";
import { partialText } from "../worker/indexReport.ts";
import type { FolderReadiness } from "../worker/readiness.ts";
import { writeFooter } from "./answerFooter.ts";
import { failTurn } from "./chatFailure.ts";
import { HELP, OPEN_SAMPLE } from "./help.ts";
import { answerIndex, withMilestones } from "./indexCommand.ts";
import { answerInstructions } from "./instructionsCommand.ts";
import { asksForCommands, isConversation, questionOf, steerableBy } from "./requestFacts.ts";
import { answerResume } from "./resumeChat.ts";
import { answerSearch } from "./searchCommand.ts";
import { answerRemember } from "./sessionChat.ts";
import type { ContextView } from "./showContext.ts";
import { createEventView } from "./showEvent.ts";
import { registerResultView } from "./showResult.ts";

const ID = "copilot-ld.chat";

export interface ChatDeps {
	readonly knowledge: Knowledge;
	readonly readiness: FolderReadiness;
	readonly sessions: Sessions;
	readonly memory: Memory;
	readonly log: vscode.LogOutputChannel;
	readonly icon: vscode.IconPath;
	readonly contexts: ContextView;
	readonly documents: Pick<VirtualDocuments, "open">;
	readonly evidence: EvidenceLink;
	readonly uses: Pick<FirstUses, "answered">;
	readonly cli: CliLink;
	readonly instructions: SessionInstructions;
	/** Learns which chat a session is. */
	readonly origins: Pick<ChatOrigins, "note">;
	/** Learns of each turn: what a tool begins in it is a part of it. */
	readonly live: LiveTurns;
	readonly traces: Pick<TurnTracer, "run">;
	/** The agents that files describe. */
	readonly agents: AgentsDeps;
	/** The runner for a request: it has the request's model and tools. */
	runnerFor(request: vscode.ChatRequest): Runner;
	/** What a tool gave in a session, or a part of it. */
	resultOf(session: string, ref: AssetRef): Promise<string>;
}

export function registerChatParticipant(deps: ChatDeps): vscode.Disposable {
	const journal = createSessionJournal({ ...deps, engine: "model", workspace: workspaceUri });
	const queue = createTurnQueue();
	const sendNow = createSendNow();
	const participant = vscode.chat.createChatParticipant(ID, async (request, context, stream, token) => {
		const known = sessionIdOf(context);
		const session = known ?? randomUUID();
		deps.origins.note(request.toolInvocationToken, session, request.model);
		const record = recordTurn(session, request.prompt);
		const signal = signalOf(token);
		const question = { ...questionOf(request), isFirst: known === undefined };
		const saved = isConversation(request)
			? await saveTurn(journal, { session, question }, { stream, log: deps.log })
			: undefined;
		const view = createEventView(stream);
		const events: AgentEvent[] = [];
		const buttons: vscode.Command[] = [];
		const offer = (button: vscode.Command) => void buttons.push(button);
		const show = (event: AgentEvent) => {
			record.note(event);
			events.push(event);
			saved?.note(event);
			view(event);
		};
		try {
			const shown = await queue.run(session, {
				signal,
				...steerableBy(request),
				onWait: (send) => offerToSend(sendNow, stream, send),
				action: (either, steering) =>
					answerLive(deps, { request, context, stream, session, show, offer, steering }, either),
			});
			if (!shown) show({ kind: "text", text: TAKEN_ALONG });
			const metadata = { ...record.current(), ...(shown ?? OURS) };
			if (saved) deps.uses.answered(metadata.citations);
			await endAnswer(deps, { request, stream, saved, metadata, events, buttons });
			return { metadata };
		} catch (thrown) {
			await saved?.end(record.current(), { thrown });
			return { ...failTurn(thrown, stream, deps.log), metadata: record.current() };
		}
	});
	participant.iconPath = deps.icon;
	participant.followupProvider = { provideFollowups };
	return vscode.Disposable.from(participant, sendNow, registerResultView(deps.documents, deps.resultOf));
}

interface Answered extends Pick<TurnContext, "request" | "stream"> {
	/** Absent where it is no conversation. */
	readonly saved: SavedTurn | undefined;
	readonly metadata: TurnRecord;
	readonly events: readonly AgentEvent[];
	/** After a button VS Code takes what follows for the whole answer. */
	readonly buttons: readonly vscode.Command[];
}

/** Saves an answer that is whole, and writes what stands under it. */
async function endAnswer(deps: ChatDeps, { saved, ...answered }: Answered): Promise<void> {
	const { request, stream, metadata } = answered;
	if (saved) await saveAnswer(deps, { ...answered, saved });
	if (request.command === "cli") await offerChoices(deps.cli, metadata.sessionId, stream);
	for (const button of answered.buttons) stream.button(button);
}

/** Saves an answer with the lines that it cites, and writes how it agrees with them. */
async function saveAnswer(
	{ contexts, evidence }: ChatDeps,
	{ request, stream, saved, metadata, events }: Answered & { readonly saved: SavedTurn },
): Promise<void> {
	const { answer, context, sessionId: session } = metadata;
	const turn = saved.at === undefined ? undefined : { session, at: saved.at };
	if (context) contexts.note(context);
	if (turn) evidence.note(turn);
	const door = request.command === "cli" ? "cli" : "chat";
	const findings = metadata.isOurs
		? NOTHING
		: await evidence.findingsOn({ answer: wordsOf(metadata), events, door });
	await saved.end(metadata, findings);
	if (answer !== "")
		writeFooter(stream, findings, {
			turn,
			hasContext: context !== undefined,
			hasCitations: metadata.citations.length > 0,
			hasQuery: request.command === "graph" && /^```sparql\n/.test(answer),
			results: assetRefsIn(answer),
		});
}

const OURS = { isOurs: true };

const TAKEN_ALONG = vscode.l10n.t(
	"Your message was added to the previous turn, and its answer takes it into account.",
);

function offerToSend(sendNow: SendNow, stream: vscode.ChatResponseStream, send: () => void): void {
	stream.progress(vscode.l10n.t("Waiting for the previous turn"));
	stream.button(sendNow.buttonFor(send));
}

interface TurnContext {
	readonly request: vscode.ChatRequest;
	readonly context: vscode.ChatContext;
	readonly stream: vscode.ChatResponseStream;
	readonly session: string;
	readonly show: (event: AgentEvent) => void;
	readonly offer: (button: vscode.Command) => void;
	readonly steering: Steering;
}

/** While a turn is at work, what a tool begins in it is told in it. */
async function answerLive(
	deps: ChatDeps,
	turn: TurnContext,
	signal: AbortSignal,
): Promise<Partial<TurnRecord>> {
	const leave = deps.live.add(turn.session, turn.show);
	try {
		return await answerTurn(deps, turn, signal);
	} finally {
		leave();
	}
}

/** Answers one request. Returns what the record holds beyond the answer's own events. */
async function answerTurn(
	deps: ChatDeps,
	turn: TurnContext,
	signal: AbortSignal,
): Promise<Partial<TurnRecord>> {
	const { request, stream, session } = turn;
	const prompt = request.prompt.trim();
	if (request.command === "index") return answerIndex(deps.readiness, stream, signal);
	if (request.command === "resume")
		return answerResume(
			{ ...deps, sessions: deps.evidence.noting(deps.sessions) },
			{ prompt, stream },
			signal,
		);
	if (request.command === "remember") {
		await answerRemember(deps, { prompt, session, stream }, signal);
		return {};
	}
	if (request.command === "instructions") {
		await answerInstructions(deps.instructions, { prompt, session, stream }, signal);
		return {};
	}
	if (request.command === "agents") {
		const { toolInvocationToken: origin } = request;
		const { show, offer } = turn;
		await answerAgents(deps.agents, { prompt, stream, session, origin, show, offer }, signal);
		return {};
	}
	if (prompt === "") {
		stream.markdown(HELP);
		return {};
	}
	if (request.command === "cli") {
		await (asksForCommands(request)
			? showCliCommands(deps.cli, stream)
			: answerOnCli(
					deps.cli,
					{ ...turn, instructions: await deps.instructions.of(session, signal) },
					signal,
				));
		return {};
	}
	return answerFromIndex(deps, turn, signal);
}

async function answerFromIndex(
	deps: ChatDeps,
	turn: TurnContext,
	signal: AbortSignal,
): Promise<Partial<TurnRecord>> {
	const { request, context, stream, show } = turn;
	const { notices, unfinished } = await withMilestones(stream, (report) =>
		deps.readiness.begin(report, signal, request.prompt),
	);
	// As long as the index is kept elsewhere, it would stand in each answer.
	if (context.history.length === 0) for (const text of notices) show({ kind: "notice", text });
	if (unfinished) show({ kind: "notice", text: partialText(unfinished) });
	const nothing = await deps.readiness.emptiness(signal);
	if (nothing !== undefined) {
		show({ kind: "text", text: escapeMarkdown(nothing) });
		turn.offer(OPEN_SAMPLE);
		return OURS;
	}
	if (request.command === "search") return { citations: await tracedSearch(deps, turn, signal) };
	await runAgent(deps, turn, signal);
	return {};
}

function tracedSearch(
	{ knowledge, traces }: ChatDeps,
	{ request, session, stream }: TurnContext,
	signal: AbortSignal,
): Promise<Citation[]> {
	const query = request.prompt.trim();
	const start = { kind: "agent", title: "search", question: query, session } as const;
	return traces.run(start, signal, (recorder) =>
		answerSearch({ search: measuredSearch(knowledge.search, recorder) }, { query, stream }, signal),
	);
}

async function runAgent(
	deps: ChatDeps,
	{ request, context, session, show, steering }: TurnContext,
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
	for await (const event of deps.runnerFor(request)(asked, signal)) {
		if (event.kind === "text") words += event.text;
		show(event);
	}
	if (words.trim() === "") throw new Error(vscode.l10n.t("The language model gave no answer. Ask again."));
}
