import * as vscode from "vscode";
import { toInformation } from "../../src/vscode/models/savedModels.ts";
import { createServerAnswers } from "../../src/vscode/models/serverModels.ts";
import { ENDPOINT_VENDOR, readEndpoint } from "./endpoint.ts";

/** Offers the model that `npm start` was told of. Nothing of it is kept: the next start knows no model and no key. */
export function activate({ subscriptions }: vscode.ExtensionContext): void {
	const endpoint = readEndpoint(process.env);
	if (!endpoint) return;
	const { model, keyVariable = "" } = endpoint;
	const find = () => model;
	const keyOf = async () => process.env[keyVariable];
	subscriptions.push(
		vscode.lm.registerLanguageModelChatProvider(ENDPOINT_VENDOR, {
			provideLanguageModelChatInformation: () => [toInformation(model)],
			...createServerAnswers({ find, keyOf, log: console }),
		}),
	);
	// VS Code lists a provider's models when they are first asked for; a person's first question comes without a model else.
	void vscode.lm.selectChatModels({ vendor: ENDPOINT_VENDOR });
}
