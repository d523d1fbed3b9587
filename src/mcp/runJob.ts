import { messageOf } from "../base/failure.ts";
import { type McpRun, tell } from "./arguments/mcpRun.ts";
import { type KnowledgeService, openService } from "./service/knowledgeService.ts";

/** Opens the knowledge for a job that ends by itself. Resolves with the exit code: 2 if the job could not be done. */
export async function runJob(
	run: McpRun,
	purpose: string,
	job: (service: KnowledgeService) => Promise<number>,
): Promise<number> {
	const service = openService(run, () => `Copilot-LD ${run.programs.version}, ${purpose}`);
	try {
		return await job(service);
	} catch (thrown) {
		tell(messageOf(thrown));
		return 2;
	} finally {
		await service.close();
	}
}
