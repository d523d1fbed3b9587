import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { createSessionJournal } from "../../agent/journal/sessionJournal.ts";
import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import { assetRefsIn } from "../../core/agent/assetRef.ts";
import { wordsOfSteps } from "../agents/answerEvents.ts";
import { signalOf } from "../cancellation.ts";
import { offerChoices } from "../cli/cliLink.ts";
import { NOTHING } from "../evidence/link.ts";
import type { FirstUses } from "../firstUses.ts";
import { workspaceUri } from "../folders.ts";
import { registerEach, type TextViewer } from "../registerEach.ts";
import type { ChatOrigins } from "../tools/toolGate.ts";
import { sessionIdOf } from "../turn/chatHistory.ts";
import { type SavedTurn, saveTurn, wordsOf } from "../turn/sessionTurn.ts";
import { createTurnQueue } from "../turn/turnQueue.ts";
import { provideFollowups, recordTurn, type TurnRecord } from "../turn/turnRecord.ts";
import type { IndexWatch } from "../worker/readiness.ts";
import { canBeTool, registerAnswerLinks, writeFooter } from "./answerFooter.ts";
import { type AnswerDeps, answerLive, isConversation, questionOf, steerableBy } from "./answerTurn.ts";
import { failTurn } from "./chatFailure.ts";
import { resumeInterrupted } from "./interrupted.ts";
import type { ContextView } from "./showContext.ts";
import { createEventView } from "./showEvent.ts";

const ID = "copilot-ld.chat";

interface ChatDeps extends AnswerDeps {
	readonly context: vscode.ExtensionContext;
	readonly contexts: ContextView;
	readonly documents: TextViewer;
	readonly uses: FirstUses;
	readonly origins: ChatOrigins;
	readonly watch: IndexWatch;
}

export function registerChatParticipant(deps: ChatDeps): vscode.Disposable {
	const journal = createSessionJournal({ ...deps, engine: "model", workspace: workspaceUri });
	const queue = createTurnQueue();
	const [sendNow, interrupted] = [createSendNow(), resumeInterrupted(deps)];
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
		const { show, offer, events, buttons } = createShown(stream, record, saved);
		const turn = { request, context, stream, session, prompt: request.prompt.trim() };
		try {
			const shown = await queue.run(session, {
				signal,
				...steerableBy(request),
				onWait: (send) => offerToSend(sendNow, stream, send),
				action: (either, steering) =>
					interrupted.during(request, () => answerLive(deps, { ...turn, show, offer, steering }, either)),
			});
			if (!shown) show({ kind: "text", text: TAKEN_ALONG });
			const metadata = { ...record.current(), ...(shown ?? { isOurs: true }) };
			if (saved) deps.uses.answered(metadata.citations);
			await endAnswer(deps, { request, stream, saved, metadata, events, buttons });
			return { metadata };
		} catch (thrown) {
			await saved?.end(record.current(), { thrown });
			return { ...failTurn(thrown, stream, deps.log, quotable(request)), metadata: record.current() };
		}
	});
	participant.iconPath = vscode.Uri.joinPath(deps.context.extensionUri, "media/icon.png");
	participant.followupProvider = { provideFollowups };
	return vscode.Disposable.from(
		participant,
		sendNow,
		interrupted,
		registerAnswerLinks({ ...deps, resultOf: deps.runners.resultOf }),
	);
}

/** What Passages can answer, too. */
function quotable({ command, prompt }: vscode.ChatRequest): string {
	return command === undefined ? prompt.trim() : "";
}

/** Shows the events of a turn, and keeps them and the buttons for its end. */
function createShown(
	stream: vscode.ChatResponseStream,
	record: ReturnType<typeof recordTurn>,
	saved: SavedTurn | undefined,
) {
	const view = createEventView(stream);
	const events: AgentEvent[] = [];
	const buttons: vscode.Command[] = [];
	const show = (event: AgentEvent) => {
		record.note(event);
		events.push(event);
		saved?.note(event);
		view(event);
	};
	return { show, offer: (button: vscode.Command) => void buttons.push(button), events, buttons };
}

interface Answered {
	readonly request: vscode.ChatRequest;
	readonly stream: vscode.ChatResponseStream;
	/** Absent if it is no conversation. */
	readonly saved: SavedTurn | undefined;
	readonly metadata: TurnRecord;
	readonly events: readonly AgentEvent[];
	/** After a button VS Code takes what follows for the whole answer. */
	readonly buttons: readonly vscode.Command[];
}

async function endAnswer(deps: ChatDeps, { saved, ...answered }: Answered): Promise<void> {
	const { request, stream, metadata } = answered;
	if (saved) await saveAnswer(deps, { ...answered, saved });
	if (request.command === "cli") await offerChoices(deps.cli, metadata.sessionId, stream);
	for (const button of answered.buttons) stream.button(button);
}

async function saveAnswer(
	{ contexts, evidence }: ChatDeps,
	{ request, stream, saved, metadata, events }: Answered & { readonly saved: SavedTurn },
): Promise<void> {
	const { answer, context, sessionId: session } = metadata;
	const turn = saved.at === undefined ? undefined : { session, at: saved.at };
	if (context) contexts.note(context);
	if (turn) evidence.note(turn);
	const door = request.command === "cli" ? "cli" : "chat";
	// Around what its steps wrote, the summary of a chain is our own.
	const written = request.command === "agents" ? wordsOfSteps(events) : wordsOf(metadata);
	const findings = metadata.isOurs ? NOTHING : await evidence.findingsOn({ answer: written, events, door });
	await saved.end(metadata, findings);
	// A search says nothing but its passages.
	if (answer !== "" || request.command === "search")
		writeFooter(stream, answer === "" ? NOTHING : findings, {
			turn,
			...footerFacts(request.command, metadata),
		});
}

function footerFacts(command: string | undefined, { answer, context, citations }: Answered["metadata"]) {
	return {
		hasContext: context !== undefined,
		hasCitations: answer !== "" && citations.length > 0,
		hasQuery: command === "graph" && /^```sparql\n/.test(answer),
		canBeTool: canBeTool(command, citations),
		results: assetRefsIn(answer),
	};
}

const TAKEN_ALONG = vscode.l10n.t(
	"Your message was added to the previous turn, and its answer takes it into account.",
);

function offerToSend(
	sendNow: ReturnType<typeof createSendNow>,
	stream: vscode.ChatResponseStream,
	send: () => void,
): void {
	stream.progress(vscode.l10n.t("Waiting for the previous turn"));
	stream.button(sendNow.buttonFor(send));
}

/** The button of a message that waits for the turn before it. */
function createSendNow() {
	const offers = new Map<unknown, () => void>();
	const commands = registerEach({
		"copilot-ld.sendNow": (id: unknown) => {
			offers.get(id)?.();
			offers.delete(id);
		},
	});
	return {
		/** Once the message's turn has come, it does nothing. */
		buttonFor: (sendNow: () => void): vscode.Command => {
			const id = randomUUID();
			offers.set(id, sendNow);
			return { command: "copilot-ld.sendNow", title: vscode.l10n.t("Send Now"), arguments: [id] };
		},
		dispose: () => commands.dispose(),
	};
}
