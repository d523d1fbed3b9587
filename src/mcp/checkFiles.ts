import { fileURLToPath } from "node:url";
import { messageOf } from "../base/failure.ts";
import { visibleText } from "../base/text/visibleText.ts";
import type { FileProblem } from "../core/fileProblem.ts";
import type { PluginDefinition } from "../core/plugin/plugin.ts";
import { skillPlace } from "../loads/skillFiles.ts";
import { needsConsent } from "../plugins/share/reach.ts";
import type { AgreedPlugin, WorkerOptions } from "../protocol/worker.ts";
import type { Secrets } from "./arguments/secrets.ts";
import type { Programs } from "./programs.ts";
import { consentsOf } from "./service/consents.ts";
import { openService } from "./service/knowledgeService.ts";

interface CheckedFiles {
	readonly options: WorkerOptions;
	readonly secrets: Secrets;
	readonly permissions: string | undefined;
	readonly agreed: readonly AgreedPlugin[] | undefined;
}

/** Prints what is wrong with the files of agents and plugins. Resolves with the exit code: 1 if something is skipped. */
export async function checkFiles(
	{ worker, version }: Programs,
	{ options, secrets, permissions, agreed }: CheckedFiles,
): Promise<number> {
	const onError = (message: string) => void process.stderr.write(`${message}\n`);
	const clientName = () => `Copilot-LD ${version}, checking files`;
	const service = openService({ program: worker, options, secrets, onError, clientName });
	const consents = consentsOf({ options, permissions, agreed });
	const say = (text: string) => void process.stdout.write(`${visibleText(text)}\n`);
	try {
		const paths = options.folders.map(({ uri }) => fileURLToPath(uri));
		const [agents, plugins, { skills, problems: ofSkills }] = await Promise.all([
			service.agents.registry(never),
			service.plugins.registry(never),
			skillPlace(service.agents, () => paths).list(never),
		]);
		const problems = [...agents.problems, ...plugins.problems, ...ofSkills];
		for (const problem of problems) say(lineOf(problem));
		for (const plugin of plugins.plugins.filter((one) => needsConsent(one, plugins.plugins)))
			if ((await consents.consentStateOf(plugin)) !== "agreed") say(consentLine(plugin));
		const counts = [agents.agents, plugins.plugins, skills, problems].map(({ length }) => length);
		say(`${counts[0]} agents, ${counts[1]} plugins, ${counts[2]} skills, ${counts[3]} problems`);
		return problems.some(({ severity }) => severity === "error") ? 1 : 0;
	} catch (thrown) {
		onError(messageOf(thrown));
		return 2;
	} finally {
		await service.close();
	}
}

const never = new AbortController().signal;

function lineOf({ uri, line, severity, message }: FileProblem): string {
	return `${fileURLToPath(uri)}:${line}: ${severity}: ${message}`;
}

function consentLine({ name, fingerprint, source }: PluginDefinition): string {
	const place = fileURLToPath(source.uri);
	if (fingerprint === undefined)
		return `${place}: its folder contains a link or is too large, so nobody can agree to it`;
	return `${place}: does more than read; to agree to this version: --agree-plugin ${name}@${fingerprint}`;
}
