import * as vscode from "vscode";
import { demoAnswer } from "./demoAnswer.ts";

const VENDOR = "copilot-ld-demo";
const SEARCH = "copilot-ld_search_knowledge";

const MODEL = {
	id: "copilot-ld-demo",
	name: "Copilot-LD Demo Model (no intelligence)",
	family: "copilot-ld-demo",
	version: "1",
	tooltip: "Searches the knowledge base with your words and quotes what it finds. For development only.",
	maxInputTokens: 32_000,
	maxOutputTokens: 4_000,
	capabilities: { toolCalling: true },
	isUserSelectable: true,
};

/** Offers a model that needs no account: it calls the search tool and answers with what the passages say. */
export function activate(context: vscode.ExtensionContext): void {
	context.subscriptions.push(
		vscode.lm.registerLanguageModelChatProvider(VENDOR, {
			provideLanguageModelChatInformation: () => [MODEL],
			provideLanguageModelChatResponse: respond,
			provideTokenCount: async (_model, text) => Math.ceil(textOf(text).length / 4),
		}),
	);
	// VS Code lists a provider's models when they are first asked for; a person's first question comes without a model else.
	void vscode.lm.selectChatModels({ vendor: VENDOR });
}

type Respond = vscode.LanguageModelChatProvider["provideLanguageModelChatResponse"];

async function respond(...[, messages, { tools = [] }, progress, token]: Parameters<Respond>): Promise<void> {
	const asked = messages.findLastIndex((message) => isFromUser(message) && ownTextOf(message) !== "");
	const question = messages[asked] ? ownTextOf(messages[asked]) : "";
	const hasSearched = messages.slice(asked).some(({ content }) => content.some(isToolResult));
	if (!hasSearched && tools.some(({ name }) => name === SEARCH)) {
		progress.report(new vscode.LanguageModelToolCallPart(`demo-${Date.now()}`, SEARCH, { query: question }));
		return;
	}
	const answer = demoAnswer(question, messages.filter(isFromUser).map(textOf));
	for (const word of answer.split(/(?<=\s)/)) {
		if (token.isCancellationRequested) return;
		progress.report(new vscode.LanguageModelTextPart(word));
	}
}

function isFromUser({ role }: vscode.LanguageModelChatRequestMessage): boolean {
	return role === vscode.LanguageModelChatMessageRole.User;
}

function isToolResult(part: unknown): part is vscode.LanguageModelToolResultPart {
	return part instanceof vscode.LanguageModelToolResultPart;
}

/** What a person or a program wrote, without what a tool returned. */
function ownTextOf({ content }: vscode.LanguageModelChatRequestMessage): string {
	return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : "")).join("");
}

function textOf(source: string | vscode.LanguageModelChatRequestMessage): string {
	if (typeof source === "string") return source;
	const parts = source.content.flatMap((part) => (isToolResult(part) ? part.content : [part]));
	return parts.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : "")).join("\n");
}
