import { join, resolve } from "node:path";
import { messageOf } from "../base/failure.ts";
import { withAdmission } from "../permissions/admission.ts";
import { openPermissionsOutside } from "../permissions/openPermissions.ts";
import type { AgentLimits } from "../protocol/mcpArguments.ts";
import type { WorkerOptions } from "../protocol/worker.ts";
import { createToolset } from "../tools/toolset.ts";
import { lazyAgents, withAdvice } from "./agents/lazyAgents.ts";
import type { Secrets } from "./arguments/secrets.ts";
import { askByElicitation } from "./client/elicitation.ts";
import { createOpenRunner } from "./client/openRunner.ts";
import type { Programs } from "./programs.ts";
import { createMcpServer } from "./server/server.ts";
import { createStdioTransport } from "./server/stdioTransport.ts";
import { openService } from "./service/knowledgeService.ts";

interface StdioOptions {
	readonly options: WorkerOptions;
	readonly secrets: Secrets;
	readonly isStructured: boolean;
	/** Path of the folder with the rules of permission and their log; left out, it is beside the index. */
	readonly permissions: string | undefined;
	/** Of chains of agents. */
	readonly limits: AgentLimits | undefined;
}

/** Answers until the client closes a pipe or a signal asks to stop; then puts the work down and lets the process end. */
export function serveStdio(
	{ worker, version }: Programs,
	{ options, secrets, isStructured, permissions, limits }: StdioOptions,
): void {
	const onError = (message: string) => void process.stderr.write(`${message}\n`);
	const clientName = () => {
		const { title, name } = server.getClientVersion() ?? {};
		return title ?? name;
	};
	const service = openService({ program: worker, options, secrets, clientName, onError });
	const { knowledge } = service;
	const folderNames = options.folders.map(({ name }) => name);
	const client = () => server;
	const openRunner = createOpenRunner({ client, knowledge, folderNames });
	const workspace = options.folders[0]?.uri ?? "";
	const folder = permissions ? resolve(permissions) : join(options.dataFolder, "permissions");
	const admission = { permissions: openPermissionsOutside(folder, workspace), ask: askByElicitation(client) };
	const agents = lazyAgents({ ...service, ...admission, options, version, onError, limits });
	const { orchestrator } = agents;
	const toolset = createToolset({
		...service,
		door: "mcp",
		openRunner,
		...(orchestrator && { orchestrator }),
	});
	const from = { door: "mcp", workspace } as const;
	const tools = withAdmission(toolset, admission.permissions, from, admission).map(withAdvice);
	const server = createMcpServer({ version, tools, isStructured, prepare: service.prepare });
	server.onerror = (error) => onError(error.message);

	const close = async () => {
		await server.close();
		await agents.close();
		await service.close();
	};
	const stop = stopOnce(close, onError);
	server.onclose = stop;
	// Who does not want our complaints may still want answers.
	process.stderr.on("error", () => undefined);
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, stop);
	server.connect(createStdioTransport(process.stdin, process.stdout)).catch((thrown: unknown) => {
		onError(messageOf(thrown));
		stop();
	});
}

/** Puts the work down, and lets the process end. */
function stopOnce(close: () => Promise<void>, onError: (message: string) => void): () => void {
	let isStopping = false;
	return () => {
		if (isStopping) return;
		isStopping = true;
		close()
			.catch((thrown: unknown) => onError(messageOf(thrown)))
			.finally(() => process.exit());
	};
}
