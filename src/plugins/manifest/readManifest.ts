import { boundedText, visibleText } from "../../base/text/visibleText.ts";
import { isRecord } from "../../base/values.ts";
import type { PluginHook, PluginProblem } from "../../core/plugin/plugin.ts";
import type { PluginResource } from "../../core/plugin/resource.ts";
import type { NamedTypes } from "../../core/plugin/valueType.ts";
import type { Place, Report } from "../types/located.ts";
import { finishTypes } from "../types/namedTypes.ts";
import type { TypeReader } from "../types/readType.ts";
import { reportIssues } from "./issues.ts";
import { askOf, type LocatedCommand, readCommands } from "./readCommands.ts";
import { readHooks } from "./readHooks.ts";
import { readResources } from "./readResources.ts";
import { readYaml } from "./readYaml.ts";
import { type Manifest, manifestSchema, OTHER_FIELDS, PLUGIN_NAME } from "./schema.ts";
import { VERSION } from "./version.ts";

/** A plugin's file as it was read; an error among its problems, and it is no plugin. */
export interface ReadManifest {
	readonly manifest?: PluginManifest;
	readonly problems: readonly PluginProblem[];
	/** From 1. */
	lineOf(place: Place): number;
}

/** What the file says, without what others say of it. */
export interface PluginManifest
	extends Pick<Manifest, "version">,
		Record<"name" | "groupId" | "artifactId" | "instance", string>,
		Record<"title" | "description" | "descriptionForModel" | "prompt", string> {
	/** Of a file beside this one, which says the prompt where this one does not. */
	readonly promptFile?: string;
	readonly commands: readonly LocatedCommand[];
	readonly hooks: readonly PluginHook[];
	readonly hosts: readonly string[];
	readonly resources: readonly PluginResource[];
	readonly types: NamedTypes;
	readonly config: Readonly<Record<string, unknown>>;
}

/** Of a name in a problem. */
const SHOWN = 80;

/** Reads one file; `name` is that of its folder. Whatever stands in it, the answer says what is wrong. */
export function readManifest(text: string, { uri, name }: { uri: string; name: string }): ReadManifest {
	const { value, isYaml, lineOf, report, problems } = readYaml(text, uri);
	if (!isYaml) return { problems, lineOf };
	const manifest = isRecord(value) ? readFields(value, name, report) : undefined;
	if (!isRecord(value)) report.error([], "The file has no fields: it begins with group_id: and the like.");
	const isWrong = problems.some(({ severity }) => severity === "error");
	return { ...(manifest && !isWrong && { manifest }), problems, lineOf };
}

function readFields(
	value: Readonly<Record<string, unknown>>,
	name: string,
	report: Report,
): PluginManifest | undefined {
	if (!PLUGIN_NAME.test(name))
		report.error(
			[],
			`The folder “${shown(name)}” has no name for a plugin: use 1 to 32 lower-case letters, digits and hyphens, a letter first.`,
		);
	const { data, error } = manifestSchema.safeParse(value, { reportInput: true });
	if (!data) {
		reportIssues(error.issues, report);
		return undefined;
	}
	checkFields(data, name, report);
	const reader: TypeReader = { report, named: new Map(), used: [] };
	const resources = readResources(data, report);
	const commands = data.type === "copilot" ? [askOf(data)] : readCommands(data, { name, resources }, reader);
	const types = finishTypes(reader);
	const { info, hosts = [], config: { resources: _, ...config } = {} } = data;
	const { title = "", description = "", prompt = "" } = info ?? {};
	const id = config["id"];
	return {
		name,
		groupId: data.group_id.toLowerCase(),
		artifactId: data.artifact_id.toLowerCase(),
		version: data.version.toLowerCase(),
		instance: typeof id === "string" && id !== "" ? id : "default",
		title,
		description: info?.description_for_human ?? description,
		descriptionForModel: info?.description_for_model ?? description,
		prompt,
		...(prompt === "" && info?.prompt_file_name !== undefined && { promptFile: info.prompt_file_name }),
		commands,
		hooks: readHooks(data, commands, report),
		hosts,
		resources,
		types,
		config,
	};
}

/** What the contracts want beyond the types of the fields, and what is written and does nothing. */
function checkFields(data: Manifest, name: string, report: Report): void {
	const { version } = data;
	if (!VERSION.test(version))
		report.error(["version"], "A version is as in 1.2.3, 1.2.3-any or 1.2.3-SNAPSHOT.");
	if (!data.as_plugin)
		report.error(["as_plugin"], "Where as_plugin is false, nothing is offered: write as_plugin: true.");
	if (data.type === "copilot") checkCopilot(data, name, report);
	else checkPlugin(data, report);
	checkInfo(data.info, report);
	for (const key of Object.keys(data)) if (!KNOWN.has(key)) report.warning([key], wordsFor(key));
}

function checkPlugin({ type, commands, plugins }: Manifest, report: Report): void {
	if (type !== "plugin")
		report.error(
			["type"],
			`Only plugins and copilots are read here: write type: plugin or type: copilot, not “${shown(type)}”.`,
		);
	if (!commands?.length)
		report.error(commands ? ["commands"] : [], "“commands” is missing: there is nothing to call.");
	if (plugins) report.error(["plugins"], "Only a copilot has plugins of its own: write type: copilot.");
}

function checkCopilot(
	{ plugins = [], commands, hooks, hosts }: Manifest,
	name: string,
	report: Report,
): void {
	if (plugins.includes(name))
		report.error(
			["plugins", plugins.indexOf(name)],
			"A copilot cannot have itself among its plugins: it would ask itself without end.",
		);
	for (const [field, value] of Object.entries({ commands, hooks, hosts }))
		if (value !== undefined)
			report.error(
				[field],
				`A copilot is asked as one tool and has no ${field}: put them into a plugin that it names under plugins.`,
			);
}

function checkInfo(info: Manifest["info"], report: Report): void {
	if (!info) {
		report.error([], "“info” is missing: give it a title and a description.");
		return;
	}
	if (info.description === undefined && info.description_for_model === undefined)
		report.error(["info"], "“info” has no description: nobody would know when to call the plugin.");
	if (info.prompt_file_path !== undefined)
		report.warning(
			["info", "prompt_file_path"],
			"Only files beside this one are read: use prompt_file_name.",
		);
}

const KNOWN: ReadonlySet<string> = new Set([
	...[
		"group_id",
		"artifact_id",
		"version",
		"type",
		"as_plugin",
		"info",
		"hosts",
		"commands",
		"plugins",
		"hooks",
		"config",
	],
	...OTHER_FIELDS,
]);

function wordsFor(key: string): string {
	if (key === "setup") return "Nothing is installed, and no package is loaded: a command says its executor.";
	if (key === "resources") return "Resources stand in config, as in config: { resources: [ … ] }.";
	return `Nothing here reads “${shown(key)}”.`;
}

function shown(text: string): string {
	return visibleText(boundedText(text, SHOWN));
}
