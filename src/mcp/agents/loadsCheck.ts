import { folderLoads, START_CLI } from "../../acp/loads/preflight.ts";
import type { PermissionRequest, Permissions } from "../../core/permission/permission.ts";
import { inWords } from "../../core/phrase.ts";
import { requireAllowed } from "../../permissions/admission.ts";
import { type AskPerson, decide } from "../../permissions/decide.ts";

export interface LoadsCheckParts {
	readonly workspace: string;
	readonly permissions: Permissions;
	readonly ask: AskPerson;
}

/**
 * Asks before the CLI works in a folder whose files make it run something by itself (hooks, MCP servers), and again
 * when that has changed. What only speaks to its model changes nothing that the rules do not allow.
 */
export function createLoadsCheck({ workspace, permissions, ask }: LoadsCheckParts) {
	const agreed = new Map<string, string>();
	return async (folder: string, signal: AbortSignal): Promise<void> => {
		const loads = await folderLoads(folder);
		if (!loads || loads.running.length === 0) return;
		const request: PermissionRequest = {
			door: "mcp",
			tool: START_CLI,
			title: `Start the Copilot CLI, which will run what the folder ${folder} names: ${loads.running.map((line) => inWords(line)).join("; ")}`,
			arguments: [],
			workspace,
			mutates: true,
		};
		const askOnce: AskPerson = async (question, until) => {
			if (agreed.get(folder) === loads.fingerprint) return { kind: "once" };
			const answer = await ask(question, until);
			if (answer?.kind === "once") agreed.set(folder, loads.fingerprint);
			return answer;
		};
		requireAllowed(await decide(permissions, request, { ask: askOnce, by: "person", signal }), UNASKED);
	};
}

const UNASKED = `Not allowed: files of this folder make the Copilot CLI run something by itself (hooks, MCP servers), and nobody can be asked here. Look at them, and allow it in VS Code with ${JSON.stringify({ effect: "allow", door: "mcp", tool: START_CLI })} in the setting copilot-ld.permissions.rules.`;
