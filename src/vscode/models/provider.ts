import * as vscode from "vscode";
import { lazily } from "../../base/jobs/lazily.ts";
import type { FailureLog } from "../logs.ts";
import { createSavedModels, toInformation, VENDOR } from "./savedModels.ts";

/** The models of servers that the user added, in VS Code's picker for every chat. Listing them sends no requests. */
export type ModelProvider = ReturnType<typeof registerModelProvider>;

export function registerModelProvider({ globalState, secrets }: vscode.ExtensionContext, log: FailureLog) {
	const saved = createSavedModels(globalState);
	const changed = new vscode.EventEmitter<void>();
	const program = lazily(async () =>
		(await import("./serverModels.ts")).createServerModels({ saved, secrets, log }),
	);
	const { provideLanguageModelChatResponse, provideTokenCount } = program;
	const add = async () => {
		if (await program.add()) changed.fire();
	};
	const registered = vscode.lm.registerLanguageModelChatProvider(VENDOR, {
		onDidChangeLanguageModelChatInformation: changed.event,
		provideLanguageModelChatInformation: async ({ silent }) => {
			// VS Code's own page of models has a button to add one.
			if (!silent) await program.add();
			return saved.all().map(toInformation);
		},
		provideLanguageModelChatResponse,
		provideTokenCount,
	});
	// VS Code lists a provider's models when they are first asked for; the picker would not show them before.
	if (saved.all().length > 0) void vscode.lm.selectChatModels({ vendor: VENDOR });
	return {
		add,
		remove: async () => {
			if (await program.remove()) changed.fire();
		},
		dispose: () => vscode.Disposable.from(registered, changed).dispose(),
	};
}
