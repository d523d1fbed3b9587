import * as vscode from "vscode";
import { isFailure } from "../../base/failure.ts";
import type { AgentEvent, AgentRequest, Steering } from "../../core/agent/agentEvent.ts";
import type { Image } from "../../core/agent/message.ts";
import { readAttachments } from "../turn/attachments.ts";
import { historySinceCli } from "../turn/chatHistory.ts";
import { readWanted } from "./chosenOptions.ts";
import type { CliLink } from "./cliLink.ts";
import { createCliEventView } from "./eventView.ts";

export interface CliChatTurn {
	readonly request: vscode.ChatRequest;
	readonly context: vscode.ChatContext;
	readonly stream: vscode.ChatResponseStream;
	/** Of the chat, as we name it. */
	readonly session: string;
	/** Of the person, for every answer of the session. */
	readonly instructions: string;
	readonly steering: Steering;
	/** Shows and notes what every engine tells. */
	readonly show: (event: AgentEvent) => void;
}

/** Answers a request on the Copilot CLI. */
export async function answerOnCli(
	cli: CliLink,
	{ request, context, stream, session, instructions, show, steering }: CliChatTurn,
	signal: AbortSignal,
): Promise<void> {
	const view = createCliEventView(stream);
	const { wanted, question } = readWanted(request.prompt);
	try {
		if (wanted.length > 0) await cli.choose(session, wanted);
		const asked =
			question === ""
				? []
				: cli.runnerFor(session)(
						{ ...(await requestOf(question, request, context)), instructions, steering },
						signal,
					);
		for await (const event of asked) {
			view.before(event);
			show(event);
			view.show(event);
		}
		const title = await cli.choices(session);
		if (title) stream.button({ command: "copilot-ld.chooseCliOption", title, arguments: [session] });
	} catch (thrown) {
		if (isFailure(thrown)) offerRemedies(thrown.code, request.prompt.trim(), stream);
		throw thrown;
	} finally {
		view.end();
	}
}

async function requestOf(
	question: string,
	{ references }: vscode.ChatRequest,
	context: vscode.ChatContext,
): Promise<AgentRequest> {
	const images = await Promise.all(references.map(({ value }) => imageIn(value)));
	return {
		question,
		history: historySinceCli(context),
		attachments: await readAttachments(references.filter((_, index) => !images[index])),
		images: images.filter((image) => image !== undefined),
	};
}

/** An image of the clipboard, or a file that is one; `undefined` where it is something else. */
async function imageIn(value: unknown): Promise<Image | undefined> {
	if (value instanceof vscode.Uri) return imageFile(value);
	if (typeof value !== "object" || value === null || !("mimeType" in value) || !("data" in value))
		return undefined;
	const { mimeType, data } = value;
	if (typeof mimeType !== "string" || !mimeType.startsWith("image/") || typeof data !== "function")
		return undefined;
	return { mimeType, data: Buffer.from(await data.call(value)).toString("base64") };
}

async function imageFile(uri: vscode.Uri): Promise<Image | undefined> {
	const type = /\.(png|jpe?g|gif|webp)$/i.exec(uri.path)?.[1]?.toLowerCase();
	if (!type) return undefined;
	const bytes = await vscode.workspace.fs.readFile(uri);
	const mimeType = `image/${type === "jpg" ? "jpeg" : type}`;
	return { mimeType, data: Buffer.from(bytes).toString("base64") };
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
			title: "Sign In",
			arguments: [`@copilot-ld /cli ${question}`],
		});
	if (OTHERS_CAN.has(code))
		stream.button({
			command: "workbench.action.chat.open",
			title: "Ask the Model of VS Code",
			arguments: [{ query: `@copilot-ld ${question}` }],
		});
}
