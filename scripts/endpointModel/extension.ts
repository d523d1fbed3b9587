import * as vscode from "vscode";
import { toInformation } from "../../src/vscode/models/savedModels.ts";
import { createServerAnswers } from "../../src/vscode/models/serverModels.ts";
import { ENDPOINT_VENDOR, readEndpoint } from "./endpoint.ts";

/** Offers the model given to `npm start`. Neither model nor key is saved for the next start. */
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
	// VS Code lists a provider's models on the first request; without this one, the first question has no model.
	void vscode.lm.selectChatModels({ vendor: ENDPOINT_VENDOR });
}
