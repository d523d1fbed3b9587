import { type RecordCall, withSteps } from "../../agent/call/toolCall.ts";
import { messageOf } from "../../base/failure.ts";
import { mayUse } from "../../core/agent/allowedTools.ts";
import { MCP_SERVER } from "../../core/agent/ourTools.ts";
import type { StepGrant, Tool } from "../../core/agent/tool.ts";
import type { Permissions } from "../../core/permission/permission.ts";
import { admission } from "../../permissions/admission.ts";
import type { Consents } from "../../permissions/consents.ts";
import type { AskPerson } from "../../permissions/decide.ts";
import { createHttpEndpoint } from "./httpEndpoint.ts";

export interface CliToolsParts {
	readonly version: string;
	readonly permissions: Permissions;
	readonly ask: AskPerson;
	readonly consents: Consents;
	workspace(session: string): string;
	tools(session: string): readonly Tool[];
	/** Lists the commands of plugins as tools; absent if plugins are not supported. */
	commands?(session: string): (signal: AbortSignal) => Promise<readonly Tool[]>;
	recorder?(session: string): RecordCall;
	onError(message: string): void;
}

export function openCliTools(parts: CliToolsParts) {
	const { permissions, ask, consents } = parts;
	const offered = (tools: readonly Tool[], session: string, step: StepGrant | undefined) => {
		const own = tools.filter(({ name }) => mayUse(step?.scope.tools, name));
		const named = step && { session: step.chain, agent: step.agent };
		const from = { channel: "cli", workspace: parts.workspace(session), session, ...named } as const;
		// A single-use consent belongs to the step that asked, not to its chain.
		const given = { take: (_: string, tool: string) => consents.take(session, tool) };
		const admit = admission(permissions, from, { consents: given, ask });
		return withSteps(own, { admit, record: parts.recorder?.(session) });
	};
	const endpoint = createHttpEndpoint({
		version: parts.version,
		toolsFor: (session, step) => offered(parts.tools(session), session, step),
		commandsFor: (session, step) => {
			const list = parts.commands?.(session);
			return list && (async (signal) => offered(await list(signal), session, step));
		},
		onError: (thrown) => parts.onError(`A call of the Copilot CLI failed: ${messageOf(thrown)}`),
	});
	return {
		/** Grants access to our tools. A step of a chain gets only the tools that its agent may use. */
		access: async (session: string, step?: StepGrant) => {
			const { url } = await endpoint.start();
			const token = endpoint.tokenFor(session, step);
			const hasCommand = (tool: string) => endpoint.hasCommand(session, tool);
			return [{ name: MCP_SERVER, url, token, hasCommand, end: () => endpoint.end(token) }];
		},
		close: endpoint.close,
	};
}
