import * as vscode from "vscode";
import { lazily } from "../../base/jobs/lazily.ts";
import type { FailureLog } from "../logs.ts";
import { createSavedModels, toInformation, VENDOR } from "./savedModels.ts";

/** Offers the models of the user's servers in VS Code's picker. Listing them sends no requests. */
export type ModelProvider = ReturnType<typeof registerModelProvider>;

export function registerModelProvider({ globalState, secrets }: vscode.ExtensionContext, log: FailureLog) {
	const changed = new vscode.EventEmitter<void>();
	const saved = createSavedModels(globalState, () => changed.fire());
	const program = lazily(
		async () => (await import("./serverModels.ts")).createServerModels({ saved, secrets, log }),
		{ dispose: () => vscode.Disposable.from(registered, changed).dispose() },
	);
	const { provideLanguageModelChatResponse, provideTokenCount } = program;
	const registered = vscode.lm.registerLanguageModelChatProvider(VENDOR, {
		onDidChangeLanguageModelChatInformation: changed.event,
		provideLanguageModelChatInformation: async ({ silent }) => {
			// VS Code asks without `silent` if the user adds a model on VS Code's own page of models.
			if (!silent) await program.add();
			return saved.all().map(toInformation);
		},
		provideLanguageModelChatResponse,
		provideTokenCount,
	});
	// The picker shows a provider's models only after VS Code has first asked for them.
	if (saved.all().length > 0) void vscode.lm.selectChatModels({ vendor: VENDOR });
	return program;
}
