import * as z from "zod/mini";
import type { PluginSource } from "../../core/plugin/plugin.ts";
import { maybe } from "./executorSchema.ts";
import { parsed, readYaml } from "./readYaml.ts";
import { PLUGIN_NAME } from "./schema.ts";

export type ConfigFile = ReturnType<typeof readConfigFile>;

const config = maybe(z.record(z.string(), z.unknown()), "Values that override those of the plugin.");

const instance = z.strictObject({
	id: z
		.string()
		.check(
			z.minLength(1),
			z.maxLength(100),
			z.describe("Distinguishes the instance from others of the plugin."),
		),
	name: z
		.string()
		.check(
			z.regex(PLUGIN_NAME),
			z.describe("The name by which the instance is called: lower-case letters, digits and hyphens."),
		),
	config,
});

const entry = z.strictObject({
	config,
	disabled: maybe(z.boolean(), "Whether the plugin is listed, but not offered."),
	instances: maybe(
		z.array(instance).check(z.maxLength(50)),
		"Further instances of the plugin, each with its own values.",
	),
});

const configFile = z.record(z.string(), entry);

export function pluginConfigSchema(): object {
	return z.toJSONSchema(configFile, { io: "input", target: "draft-7" });
}

/** Reads `config.yaml` next to the plugins' folders. An invalid file has problems and no entries. */
export function readConfigFile(text: string, source: PluginSource) {
	const { value = {}, isYaml, lineOf, report, problems } = readYaml(text, source.uri);
	const data = isYaml ? parsed(configFile, value, { report }) : undefined;
	return { ...source, entries: new Map(Object.entries(data ?? {})), problems, lineOf };
}
