import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { SkillPlace } from "../../core/agent/skill.ts";
import type { Permissions } from "../../core/permission/permission.ts";
import type { AskPerson } from "../../permissions/decide.ts";
import type { McpRun } from "../arguments/mcpRun.ts";
import type { ClientJournal } from "./clientJournal.ts";
import type { KnowledgeService } from "./knowledgeService.ts";
import type { openPlugins } from "./plugins.ts";
import type { Traces } from "./traces.ts";

/** What the tools of this program work with, and who decides on their calls. */
export interface Places {
	readonly run: McpRun;
	readonly service: KnowledgeService;
	readonly plugins: ReturnType<typeof openPlugins>;
	readonly skills: SkillPlace;
	readonly journal: ClientJournal;
	readonly permissions: Permissions;
	readonly ask: AskPerson;
	/** Absent if nothing is traced. */
	readonly traces: Traces | undefined;
	client(): Server;
}
