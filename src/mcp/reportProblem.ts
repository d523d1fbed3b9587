import { writeFile } from "node:fs/promises";
import { messageOf } from "../base/failure.ts";
import { machineFacts } from "../base/program/machineFacts.ts";
import { unrecorded } from "../base/traces/recorder.ts";
import { gatherReport, metadataOf, reportText } from "../protocol/problemReport.ts";
import { type McpRun, tell } from "./arguments/mcpRun.ts";
import { runJob } from "./runJob.ts";

const PATIENCE_MS = 60_000;

/** Writes the metadata that the editor's problem report has, after a look at the files. Resolves with the exit code. */
export function reportProblem(run: McpRun, file: string): Promise<number> {
	return runJob(run, "reporting a problem", async (service) => {
		// What is broken is part of the problem.
		await service.prepareAll(AbortSignal.timeout(PATIENCE_MS)).catch((thrown) => tell(messageOf(thrown)));
		const { versions, platform } = machineFacts();
		const surroundings = { versions: { mcp: run.programs.version, ...versions }, platform };
		const settings = Object.entries(run.args).map(([name, value]) => {
			return { name, value, isDefault: false, choices: [] };
		});
		const ports = { ...service, recorder: unrecorded };
		const parts = await gatherReport(ports, { surroundings, settings, turns: [] });
		await writeFile(file, reportText(metadataOf(parts)));
		tell(`The report is in ${file}. It has numbers and our own words only; nothing was sent.`);
		return 0;
	});
}
