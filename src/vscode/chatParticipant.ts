import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import type { AgentEvent, Runner } from "../core/agentEvent.ts";
import type { Knowledge } from "../core/knowledge.ts";
import { readAttachments } from "./attachments.ts";
import { signalOf } from "./cancellation.ts";
import { failTurn } from "./chatFailure.ts";
import { historyOf, sessionIdOf } from "./chatHistory.ts";
import { answerOnCli } from "./cliChat.ts";
import type { CliLink } from "./cliLink.ts";
import { progressText, reportText } from "./indexReport.ts";
import type { Readiness } from "./readiness.ts";
import { answerSearch } from "./searchCommand.ts";
import { createEventView } from "./showEvent.ts";
import { recordTurn, type TurnRecord } from "./turnRecord.ts";

const ID = "copilot-ld.chat";

export interface ChatDeps {
	readonly knowledge: Knowledge;
	readonly readiness: Readiness;
	readonly log: vscode.LogOutputChannel;
	readonly icon: vscode.IconPath;
	readonly cli: CliLink;
	/** The runner for a request: it has the request's model and tools. */
	runnerFor(request: vscode.ChatRequest): Runner;
}

export function registerChatParticipant(deps: ChatDeps): vscode.Disposable {
	const participant = vscode.chat.createChatParticipant(ID, async (request, context, stream, token) => {
		const chat = sessionIdOf(context) ?? randomUUID();
		const record = recordTurn(chat);
		const view = createEventView(stream);
		const show = (event: AgentEvent) => {
			record.note(event);
			view(event);
		};
		try {
			const shown = await answerTurn(deps, { request, context, stream, chat, show }, signalOf(token));
			return { metadata: { ...record.current(), ...shown } };
		} catch (thrown) {
			return { ...failTurn(thrown, stream, deps.log), metadata: record.current() };
		}
	});
	participant.iconPath = deps.icon;
	participant.followupProvider = { provideFollowups };
	return participant;
}

interface TurnContext {
	readonly request: vscode.ChatRequest;
	readonly context: vscode.ChatContext;
	readonly stream: vscode.ChatResponseStream;
	/** Its session. */
	readonly chat: string;
	readonly show: (event: AgentEvent) => void;
}

/** Answers one request. Returns what the record holds beyond the answer's own events. */
async function answerTurn(
	deps: ChatDeps,
	{ request, context, stream, chat, show }: TurnContext,
	signal: AbortSignal,
): Promise<Partial<TurnRecord>> {
	const question = request.prompt.trim();
	if (request.command === "cli" && question !== "") {
		await answerOnCli(deps.cli, { request, context, stream, chat, show }, signal);
		return {};
	}
	if (request.command === "index") return indexInChat(deps, stream, signal);
	if (question === "") {
		stream.markdown(HELP);
		return {};
	}
	await deps.readiness.ensure((text) => stream.progress(text), signal);
	if (request.command === "search")
		return { citations: await answerSearch(deps.knowledge, { query: question, stream }, signal) };
	const attachments = await readAttachments(request.references);
	const turn = { question, history: historyOf(context), attachments };
	let words = "";
	for await (const event of deps.runnerFor(request)(turn, signal)) {
		if (event.kind === "text") words += event.text;
		show(event);
	}
	if (words.trim() === "") throw new Error("The language model gave no answer. Ask again.");
	return {};
}

async function indexInChat(
	{ readiness }: ChatDeps,
	stream: vscode.ChatResponseStream,
	signal: AbortSignal,
): Promise<Partial<TurnRecord>> {
	const report = await readiness.index({ rebuild: false }, (p) => stream.progress(progressText(p)), signal);
	stream.markdown(reportText(report));
	return {};
}

const HELP = `I answer questions about the linked data and documents of this folder, and cite the lines that say so.

- Ask anything: \`@copilot-ld who wrote the maintenance guide?\`
- \`/search\` shows the best passages, without a language model.
- \`/graph\` answers with a SPARQL query: yours, or one that the model writes for your question.
- \`/cli\` hands the question to the GitHub Copilot CLI, which can change files and run commands; it asks you first.
- \`/index\` brings the index in step with the files.`;

function provideFollowups(result: vscode.ChatResult): vscode.ChatFollowup[] {
	const { topics = [] } = (result.metadata ?? {}) as Partial<TurnRecord>;
	return topics.map((topic) => ({ prompt: `What else is known about ${topic}?` }));
}
