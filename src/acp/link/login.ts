import type { InitializeResponse } from "@agentclientprotocol/sdk";
import { fieldOf, listOf, textOf } from "../../base/values.ts";

/** How the agent wants the user to sign in; `undefined` if it does not say. We never see a key. */
export function loginOf(info: InitializeResponse) {
	for (const method of listOf(info, "authMethods")) {
		const terminal = fieldOf(fieldOf(method, "_meta"), "terminal-auth");
		const command = textOf(terminal, "command");
		if (command === undefined) continue;
		const args = listOf(terminal, "args").filter((arg) => typeof arg === "string");
		return { command, args, label: textOf(terminal, "label") ?? "Copilot Login" };
	}
	return undefined;
}
