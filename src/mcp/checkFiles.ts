import { fileURLToPath } from "node:url";
import { visibleText } from "../base/text/visibleText.ts";
import type { PluginDefinition } from "../core/plugin/plugin.ts";
import { skillPlace } from "../loads/skillFiles.ts";
import { needsConsent } from "../plugins/share/reach.ts";
import type { McpRun } from "./arguments/mcpRun.ts";
import { runJob } from "./runJob.ts";
import { consentsOf } from "./service/plugins.ts";

/** Prints what is wrong with the files of agents and plugins. Resolves with the exit code: 1 if something is skipped. */
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
