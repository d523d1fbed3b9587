import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { createSessionJournal } from "../../agent/journal/sessionJournal.ts";
import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import type { Sessions } from "../../core/session/session.ts";
import { wordsOfSteps } from "../agents/agentsCommand.ts";
import { signalOf } from "../cancellation.ts";
import { offerChoices } from "../cli/cliAnswer.ts";
import { NOTHING } from "../evidence/link.ts";
import type { FirstUses } from "../firstUses.ts";
import { workspaceUri } from "../folders.ts";
import { sendToChat } from "../models/passagesModel.ts";
import { type MarkdownViewer, registerEach, type TextViewer } from "../registerEach.ts";
import type { ChatOrigins } from "../tools/toolGate.ts";
import { sessionIdOf } from "../turn/chatHistory.ts";
import { createTurnQueue } from "../turn/turnQueue.ts";
import { type KeptTurn, keepTurn, provideFollowups, wordsOfTurn } from "../turn/turnRecord.ts";
import type { FolderReadiness, IndexWatch } from "../worker/readiness.ts";
import { registerAnswerLinks, writeFooter } from "./answerFooter.ts";
import { type AnswerDeps, answerTurn, isConversation, questionOf, steerableBy } from "./answerTurn.ts";
import { failTurn } from "./chatFailure.ts";
import { createEventView } from "./showEvent.ts";

const ID = "copilot-ld.chat";

interface ChatDeps extends AnswerDeps {
	readonly context: vscode.ExtensionContext;
	readonly sessions: Sessions;
	readonly documents: MarkdownViewer & TextViewer;
	readonly uses: FirstUses;
	readonly origins: ChatOrigins;
	readonly watch: IndexWatch;
}

export function registerChatParticipant(deps: ChatDeps): vscode.Disposable {
	const journal = createSessionJournal({ ...deps, engine: "model", workspace: workspaceUri });
	const queue = createTurnQueue();
	const sendNow = createSendNow();
	const interrupted = resumeInterrupted(deps.context.workspaceState, deps.watch, deps.readiness);
	const participant = vscode.chat.createChatParticipant(ID, async (request, context, stream, token) => {
		const known = sessionIdOf(context);
		const session = known ?? randomUUID();
		deps.origins.note(request.toolInvocationToken, session, request.model);
		const question = { ...questionOf(request), isFirst: known === undefined };
		const written = isConversation(request) ? journal : undefined;
		const turn = await keepTurn(written, { session, question }, deps.log, (text) => stream.markdown(text));
		const view = createEventView(stream);
		const show = (event: AgentEvent) => {
			turn.note(event);
			view(event);
		};
		// VS Code treats the text after a button as the whole answer, so buttons come last.
		const buttons: vscode.Command[] = [];
		const offer = (button: vscode.Command) => void buttons.push(button);
		const asked = { request, context, stream, session, prompt: question.text, show, offer, add: turn.add };
		try {
			const isAnswered = await queue.run(session, {
				signal: signalOf(token),
				...steerableBy(request),
				onWait: (send) => sendNow.offer(stream, send),
				action: (either, steering) =>
					interrupted.during(request, async () => {
						await answerTurn(deps, { ...asked, steering }, either);
						return true;
					}),
			});
			if (!isAnswered) {
				show({ kind: "text", text: TAKEN_ALONG });
				turn.add({ isOurs: true });
			}
			await endTurn(deps, request, stream, turn);
			for (const button of buttons) stream.button(button);
			return { metadata: turn.current() };
		} catch (thrown) {
			await turn.end(thrown);
			return { ...failTurn(thrown, stream, deps.log, quotable(request)), metadata: turn.current() };
		}
	});
	participant.iconPath = vscode.Uri.joinPath(deps.context.extensionUri, "media/icon.png");
	participant.followupProvider = { provideFollowups };
	const links = registerAnswerLinks({ ...deps, resultOf: deps.runners.resultOf });
	return vscode.Disposable.from(participant, sendNow, interrupted, links);
}

function quotable({ command, prompt }: vscode.ChatRequest): string {
	return command === undefined ? prompt.trim() : "";
}

async function endTurn(
	deps: ChatDeps,
	{ command }: vscode.ChatRequest,
	stream: vscode.ChatResponseStream,
	turn: KeptTurn,
): Promise<void> {
	if (turn.isWritten) await endAnswer(deps, command, stream, turn);
	if (command === "cli") await offerChoices(deps.cli, turn.current().sessionId, stream);
}

async function endAnswer(
	{ evidence, uses }: ChatDeps,
	command: string | undefined,
	stream: vscode.ChatResponseStream,
	{ at, events, current, end }: KeptTurn,
): Promise<void> {
	const metadata = current();
	const { answer, citations, sessionId: session } = metadata;
	uses.answered(citations);
	const turn = at === undefined ? undefined : { session, at };
	const channel = command === "cli" ? "cli" : "chat";
	// In a chain, only the text of the steps is checked; the summary around it is our own.
	const written = command === "agents" ? wordsOfSteps(events) : wordsOfTurn(metadata);
	const findings = metadata.isOurs
		? NOTHING
		: await evidence.findingsOn({ answer: written, events, channel });
	await end(undefined, findings.spans);
	// The answer of a search has only passages, and no statements to check.
	const shown = answer === "" ? NOTHING : findings;
	if (answer !== "" || command === "search") writeFooter(stream, shown, { turn, command, record: metadata });
}

const TAKEN_ALONG = vscode.l10n.t(
	"Your message was added to the previous turn, and its answer takes it into account.",
);

/** Offers a button to send a waiting message now. After the message was sent, the button does nothing. */
function createSendNow() {
	const offers = new Map<unknown, () => void>();
	const commands = registerEach({
		"copilot-ld.sendNow": (id: unknown) => {
			offers.get(id)?.();
			offers.delete(id);
		},
	});
	return {
		offer: (stream: vscode.ChatResponseStream, send: () => void) => {
			const id = randomUUID();
			offers.set(id, send);
			stream.progress(vscode.l10n.t("Waiting for the previous turn"));
			stream.button({ command: "copilot-ld.sendNow", title: vscode.l10n.t("Send Now"), arguments: [id] });
		},
		dispose: () => commands.dispose(),
	};
}

const ASKING = "asking";
const INDEXING = "indexing";

const QUESTION_CHARACTERS = 80;

/** Continues indexing that a window reload interrupted, and offers to ask an interrupted question again. */
export function resumeInterrupted(state: vscode.Memento, watch: IndexWatch, readiness: FolderReadiness) {
	const question = state.get<string>(ASKING);
	const wasIndexing = state.get<boolean>(INDEXING);
	if (question !== undefined) void offerAgain(question);
	if (question !== undefined || wasIndexing)
		void readiness.ensure(() => undefined, new AbortController().signal).catch(() => undefined);
	void state.update(ASKING, undefined);
	let isIndexing = wasIndexing;
	const noting = watch.onDidChange(({ progress }) => {
		if (isIndexing === (progress !== undefined)) return;
		isIndexing = progress !== undefined;
		void state.update(INDEXING, isIndexing);
	});
	return {
		during: async <Answer>({ command, prompt }: vscode.ChatRequest, answer: () => Promise<Answer>) => {
			void state.update(ASKING, command ? `/${command} ${prompt}` : prompt);
			try {
				return await answer();
			} finally {
				void state.update(ASKING, undefined);
			}
		},
		dispose: () => noting.dispose(),
	};
}

async function offerAgain(question: string): Promise<void> {
	const again = vscode.l10n.t("Ask Again");
	const message = vscode.l10n.t(
		"Copilot-LD: the answer to “{0}” was interrupted.",
		question.slice(0, QUESTION_CHARACTERS),
	);
	if ((await vscode.window.showInformationMessage(message, again)) === again)
		await sendToChat(`@copilot-ld ${question}`);
}
