import type { HttpMcpServer } from "../../acp/turn/cliSessions.ts";
import type { CliQuestion } from "../../acp/turn/permissionDesk.ts";
import { messageOf } from "../../base/failure.ts";
import { mayUse } from "../../core/agent/allowedTools.ts";
import { MCP_SERVER, type StepGrant } from "../../core/agent/mcpEndpoint.ts";
import type { Tool } from "../../core/agent/tool.ts";
import type { Permissions } from "../../core/permission/permission.ts";
import { withAdmission } from "../../permissions/admission.ts";
import { createConsents } from "../../permissions/consents.ts";
import type { AskPerson } from "../../permissions/decide.ts";
import { createHttpEndpoint } from "../endpoint/httpEndpoint.ts";

export interface StepToolsParts {
	/** URI of the folder by which rules know where steps work. */
	readonly workspace: string;
	readonly version: string;
	readonly permissions: Permissions;
	readonly ask: AskPerson;
	/** Ours. */
	readonly tools: () => readonly Tool[];
	readonly onError: (message: string) => void;
}

/** Our tools for the steps of chains, and how people are asked about what a step wants. */
export interface StepTools {
	access(session: string, step: StepGrant): Promise<readonly HttpMcpServer[]>;
	/** What is allowed once is allowed where the call arrives, too: it may be one of a tool of ours. */
	asking(session: string): AskPerson<CliQuestion>;
	/** The step is over, and what was allowed to it. */
	forget(session: string): void;
	close(): Promise<void>;
}

export function openStepTools({
	workspace,
	version,
	permissions,
	ask,
	tools,
	onError,
}: StepToolsParts): StepTools {
	const consents = createConsents();
	const endpoint = createHttpEndpoint({
		version,
		toolsFor: (session, step) => {
			const own = tools().filter(({ name }) => mayUse(step?.scope.tools, name));
			const named = step && { session: step.chain, agent: step.agent };
			const from = { door: "cli", workspace, session, ...named } as const;
			// What is allowed once is allowed to the step that asked, not to its chain.
			const given = { take: (_: string, tool: string) => consents.take(session, tool) };
			return withAdmission(own, permissions, from, { consents: given, ask });
		},
		onError: (thrown) => onError(`A call of a step failed: ${messageOf(thrown)}`),
	});
	return {
		access: async (session, step) => {
			const { url } = await endpoint.start();
			const token = endpoint.tokenFor(session, step);
			return [{ name: MCP_SERVER, url, token, end: () => endpoint.end(token) }];
		},
		asking: (session) => async (question, signal) => {
			const answer = await ask(question, signal);
			if (answer?.kind === "once" && !signal.aborted) consents.give(session, question.request.tool);
			return answer;
		},
		forget: consents.forget,
		close: endpoint.close,
	};
}
