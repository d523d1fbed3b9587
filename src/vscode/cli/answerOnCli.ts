import * as vscode from "vscode";
import { citeEvents } from "../../agent/loop/citationStream.ts";
import { isFailure } from "../../base/failure.ts";
import type { AgentEvent, AgentRequest, Steering } from "../../core/agent/agentEvent.ts";
import { OUR_TOOLS_ON_CLI } from "../../core/agent/mcpEndpoint.ts";
import { citedIn, historySinceCli } from "../turn/chatHistory.ts";
import { readReferences } from "../turn/images.ts";
import { readWanted } from "./chosenOptions.ts";
import type { CliLink } from "./cliLink.ts";
import { createCliEventView } from "./eventView.ts";

export interface CliChatTurn {
	readonly request: vscode.ChatRequest;
	readonly context: vscode.ChatContext;
	readonly stream: vscode.ChatResponseStream;
	readonly session: string;
	/** The person's, for every answer of the session. */
	readonly instructions: string;
	readonly steering: Steering;
	readonly show: (event: AgentEvent) => void;
}

export async function answerOnCli(
	cli: CliLink,
	{ request, context, stream, session, instructions, show, steering }: CliChatTurn,
	signal: AbortSignal,
): Promise<void> {
	const view = createCliEventView(stream);
	const { wanted, question } = readWanted(request.prompt);
	try {
		const engine = await cli.engine();
		if (wanted.length > 0) await engine.choose(session, wanted);
		if (question === "") return;
		const asked = { ...(await requestOf(question, request, context)), instructions, steering };
		const told = engine.runnerFor(session)(asked, signal);
		const isOurs = (tool: string) => OUR_TOOLS_ON_CLI.has(tool) || engine.hasCommand(session, tool);
		for await (const event of citeEvents(told, { before: citedIn(context), isOurs })) {
			view.before(event);
			show(event);
			view.show(event);
		}
	} catch (thrown) {
		if (isFailure(thrown)) offerRemedies(thrown.code, request.prompt.trim(), stream);
		throw thrown;
	} finally {
		view.end();
	}
}

/** Shows with which agent, mode and model it was answered. After a button VS Code takes what follows for the answer and folds the rest. */
export async function offerChoices(
	cli: CliLink,
	session: string,
	stream: vscode.ChatResponseStream,
): Promise<void> {
	const title = await cli.choices(session);
	if (title) stream.button({ command: "copilot-ld.chooseCliOption", title, arguments: [session] });
}

async function requestOf(
	question: string,
	{ references }: vscode.ChatRequest,
	context: vscode.ChatContext,
): Promise<AgentRequest> {
	return { question, history: historySinceCli(context), ...(await readReferences(references)) };
}

/** Failures after which another model can answer the same question. */
const OTHERS_CAN = new Set([
	"MODEL_FAILED",
	"CLI_MISSING",
	"CLI_OLD",
	"CLI_SIGN_IN",
	"CLI_STOPPED",
	"CLI_FAILED",
]);

function offerRemedies(code: string, question: string, stream: vscode.ChatResponseStream): void {
	if (code === "CLI_SIGN_IN")
		stream.button({
			command: "copilot-ld.signInToCli",
			title: vscode.l10n.t("Sign In"),
			arguments: [`@copilot-ld /cli ${question}`],
		});
	if (OTHERS_CAN.has(code))
		stream.button({
			command: "workbench.action.chat.open",
			title: vscode.l10n.t("Ask Without the CLI"),
			arguments: [{ query: `@copilot-ld ${question}` }],
		});
}
