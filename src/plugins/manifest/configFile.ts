import * as z from "zod/mini";
import type { FileProblem } from "../../core/fileProblem.ts";
import type { PluginLevel, PluginSource } from "../../core/plugin/plugin.ts";
import type { Place } from "../types/located.ts";
import { reportIssues } from "./issues.ts";
import { readYaml } from "./readYaml.ts";
import { PLUGIN_NAME } from "./schema.ts";

/** What a folder of plugins says of them, by their names. */
export interface ConfigFile {
	readonly uri: string;
	readonly level: PluginLevel;
	readonly entries: Readonly<Record<string, WrittenConfig>>;
	readonly problems: readonly FileProblem[];
	/** From 1. */
	lineOf(place: Place): number;
}

const config = z
	.optional(z.record(z.string(), z.unknown()))
	.check(z.describe("Values in place of those of the plugin."));

const instance = z.strictObject({
	id: z.string().check(z.minLength(1), z.maxLength(100), z.describe("Tells it from others of the plugin.")),
	name: z
		.string()
		.check(z.regex(PLUGIN_NAME), z.describe("What it is called by: lower-case letters, digits and hyphens.")),
	config,
});

const entry = z.strictObject({
	config,
	disabled: z.optional(z.boolean()).check(z.describe("Whether it is listed, and not offered.")),
	instances: z
		.optional(z.array(instance).check(z.maxLength(50)))
		.check(z.describe("More plugins like it, each with values of its own.")),
});

const configFile = z.record(z.string(), entry);

type WrittenConfig = z.infer<typeof entry>;

export function pluginConfigSchema(): object {
	return z.toJSONSchema(configFile, { io: "input", target: "draft-7" });
}

/** Reads `config.yaml` beside the folders of plugins. What is not understood changes nothing. */
export function readConfigFile(text: string, source: PluginSource): ConfigFile {
	const { value = {}, isYaml, lineOf, report, problems } = readYaml(text, source.uri);
	const none = { ...source, entries: {}, problems, lineOf };
	if (!isYaml) return none;
	const { data, error } = configFile.safeParse(value, { reportInput: true });
	if (data) return { ...none, entries: data };
	reportIssues(error.issues, report);
	return none;
}
