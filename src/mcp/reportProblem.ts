import { writeFile } from "node:fs/promises";
import { messageOf } from "../base/failure.ts";
import { machineFacts } from "../base/program/machineFacts.ts";
import { unrecorded } from "../base/traces/recorder.ts";
import { gatherReport, metadataOf, reportText } from "../protocol/problemReport.ts";
import type { McpArguments, WorkerOptions } from "../protocol/worker.ts";
import type { Secrets } from "./arguments/secrets.ts";
import type { Programs } from "./programs.ts";
import { openService } from "./service/knowledgeService.ts";

interface Reported {
	readonly file: string;
	readonly options: WorkerOptions;
	readonly secrets: Secrets;
	/** From the command line, in place of settings. */
	readonly given: McpArguments;
}

const PATIENCE_MS = 60_000;

/** Writes the metadata that the editor's problem report has, after a look at the files. Resolves with the exit code. */
export async function reportProblem(
	{ worker, version }: Programs,
	{ file, options, secrets, given }: Reported,
): Promise<number> {
	const say = (message: string) => void process.stderr.write(`${message}\n`);
	const clientName = () => `Copilot-LD ${version}, reporting a problem`;
	const service = openService({ program: worker, options, secrets, onError: say, clientName });
	// What is broken is part of the problem.
	await service.prepareAll(AbortSignal.timeout(PATIENCE_MS)).catch((thrown) => say(messageOf(thrown)));
	try {
		const { versions, platform } = machineFacts();
		const surroundings = { versions: { mcp: version, ...versions }, platform };
		const settings = Object.entries(given).map(([name, value]) => {
			return { name, value, isDefault: false, choices: [] };
		});
		const parts = await gatherReport(
			{ ...service, recorder: unrecorded },
			{ surroundings, settings, turns: [] },
		);
		await writeFile(file, reportText(metadataOf(parts)));
		say(`The report is in ${file}. It has numbers and our own words only; nothing was sent.`);
		return 0;
	} catch (thrown) {
		say(messageOf(thrown));
		return 2;
	} finally {
		await service.close();
	}
}
