import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { skillPlace } from "../../loads/skillFiles.ts";
import { openPermissionsOutside } from "../../permissions/openPermissions.ts";
import type { McpRun } from "../arguments/mcpRun.ts";
import { openClientJournal } from "./clientJournal.ts";
import { askByElicitation } from "./elicitation.ts";
import { openService } from "./knowledgeService.ts";
import { openPlugins, permissionsFolder } from "./plugins.ts";
import { openTraces } from "./traces.ts";

export type Places = ReturnType<typeof openPlaces>;

export function openPlaces(run: McpRun, client: () => Server) {
	const { args, workspace } = run;
	const clientName = () => {
		const { title, name } = client().getClientVersion() ?? {};
		return title ?? name;
	};
	const traces = args.otlp && openTraces(run, args.otlp);
	const service = openService(run, clientName, traces);
	return {
		run,
		client,
		traces,
		service,
		plugins: openPlugins(run, service.plugins, () => client().sendToolListChanged()),
		skills: skillPlace(service.agents, () => run.paths),
		journal: openClientJournal(run, service.sessions, clientName),
		permissions: openPermissionsOutside(permissionsFolder(run), workspace, args.allowed),
		ask: askByElicitation(client),
	};
}
