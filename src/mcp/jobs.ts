import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { messageOf } from "../base/failure.ts";
import { machineFacts } from "../base/program/machineFacts.ts";
import { visibleText } from "../base/text/visibleText.ts";
import { unrecorded } from "../base/traces/recorder.ts";
import type { PluginDefinition } from "../core/plugin/plugin.ts";
import { skillPlace } from "../loads/skillFiles.ts";
import { needsConsent } from "../plugins/share/requireAgreed.ts";
import { gatherReport, metadataOf, reportText } from "../protocol/problemReport.ts";
import { type McpRun, tell } from "./arguments/mcpRun.ts";
import { type KnowledgeService, openService } from "./service/knowledgeService.ts";
import { consentsOf } from "./service/places.ts";

/** Runs a job with the knowledge open. Resolves with the exit code: 2 if the job fails. */
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

const PATIENCE_MS = 60_000;

/** Writes the same metadata as the editor's problem report, after indexing. Resolves with the exit code. */
export function reportProblem(run: McpRun, file: string): Promise<number> {
	return runJob(run, "reporting a problem", async (service) => {
		// An error of indexing must not prevent the report about it.
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

/** Prints problems in files of agents, plugins and skills. Resolves with 1 if a file is skipped, else 0. */
export function checkFiles(run: McpRun): Promise<number> {
	const consents = consentsOf(run);
	const say = (text: string) => void process.stdout.write(`${visibleText(text)}\n`);
	return runJob(run, "checking files", async (service) => {
		const [agents, plugins, { skills, problems: ofSkills }] = await Promise.all([
			service.agents.registry(never),
			service.plugins.registry(never),
			skillPlace(service.agents, () => run.paths).list(never),
		]);
		const problems = [...agents.problems, ...plugins.problems, ...ofSkills];
		for (const { uri, line, severity, message } of problems)
			say(`${fileURLToPath(uri)}:${line}: ${severity}: ${message}`);
		for (const plugin of plugins.plugins.filter((one) => needsConsent(one, plugins.plugins)))
			if ((await consents.consentStateOf(plugin)) !== "agreed") say(consentLine(plugin));
		const counts = [agents.agents, plugins.plugins, skills, problems].map(({ length }) => length);
		say(`${counts[0]} agents, ${counts[1]} plugins, ${counts[2]} skills, ${counts[3]} problems`);
		return problems.some(({ severity }) => severity === "error") ? 1 : 0;
	});
}

const never = new AbortController().signal;

function consentLine({ name, fingerprint, source }: PluginDefinition): string {
	const place = fileURLToPath(source.uri);
	if (fingerprint === undefined)
		return `${place}: its folder contains a link or is too large, so nobody can agree to it`;
	return `${place}: does more than read; to agree to this version: --agree-plugin ${name}@${fingerprint}`;
}
