import { dirname } from "node:path";
import * as vscode from "vscode";

const MODEL = {
	...{ id: "scripted", name: "Scripted", family: "scripted", version: "1", isUserSelectable: true },
	...{ maxInputTokens: 32_000, maxOutputTokens: 4_000, capabilities: { toolCalling: true } },
};

export type Step =
	| { readonly say: string }
	| { readonly call: string; readonly input: object }
	| { readonly fail: "NotFound" }
	/** Says nothing until the request is canceled. */
	| { readonly wait: "for cancel" };

export type ScriptedModel = ReturnType<typeof activate>;

export function activate(context: vscode.ExtensionContext) {
	let replies: Step[][] = [];
	/** The messages of each request as text: `user: …` or `assistant: …`, including tool calls and results. */
	let requests: { readonly messages: readonly string[]; readonly tools: readonly string[] }[] = [];
	let waiting = Promise.withResolvers<void>();
	let finished = Promise.withResolvers<void>();
	const provider = vscode.lm.registerLanguageModelChatProvider("scripted", {
		provideLanguageModelChatInformation: () => [MODEL],
		provideTokenCount: async (_model, text) => Math.ceil(JSON.stringify(text).length / 4),
		provideLanguageModelChatResponse: async (...[, messages, { tools = [] }, progress, token]) => {
			requests.push({ messages: messages.map(textOf), tools: tools.map(({ name }) => name) });
			const reply = replies.shift();
			if (!reply) throw new Error("The script has no reply to this request.");
			for (const step of reply) {
				if ("wait" in step) {
					waiting.resolve();
					await new Promise<void>((resolve) => token.onCancellationRequested(() => resolve()));
				} else perform(step, progress);
			}
			if (replies.length === 0) finished.resolve();
		},
	});
	context.subscriptions.push(provider);
	return {
		/** Sets the replies to the next requests, in order; forgets earlier replies and requests. */
		play: (...next: Step[][]) => {
			replies = next;
			requests = [];
			waiting = Promise.withResolvers<void>();
			finished = Promise.withResolvers<void>();
		},
		requests: () => requests,
		waiting: () => waiting.promise,
		finished: () => finished.promise,
		/** The parent of the global storage folders of all extensions. */
		globalStorage: dirname(context.globalStorageUri.fsPath),
	};
}

let calls = 0;

function perform(
	step: Exclude<Step, { readonly wait: string }>,
	progress: vscode.Progress<vscode.LanguageModelResponsePart>,
): void {
	if ("say" in step) progress.report(new vscode.LanguageModelTextPart(step.say));
	else if ("call" in step) {
		calls += 1;
		progress.report(new vscode.LanguageModelToolCallPart(`call-${calls}`, step.call, step.input));
	} else throw vscode.LanguageModelError.NotFound("The model is gone.");
}

function textOf({ role, content }: vscode.LanguageModelChatRequestMessage): string {
	const speaker = role === vscode.LanguageModelChatMessageRole.User ? "user" : "assistant";
	return `${speaker}: ${content.map(textOfPart).join("")}`;
}

function textOfPart(part: unknown): string {
	if (part instanceof vscode.LanguageModelTextPart) return part.value;
	if (part instanceof vscode.LanguageModelToolCallPart)
		return `calls ${part.name} ${JSON.stringify(part.input)}`;
	if (part instanceof vscode.LanguageModelToolResultPart) return part.content.map(textOfPart).join("");
	return "";
}
