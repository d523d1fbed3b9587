import { boundedText, visibleText } from "../../base/text/visibleText.ts";
import { fieldOf, isRecord, listOf, textOf } from "../../base/values.ts";
import type { FileProblem } from "../../core/fileProblem.ts";
import type { PluginHook } from "../../core/plugin/plugin.ts";
import type { PluginResource } from "../../core/plugin/resource.ts";
import type { NamedTypes } from "../../core/plugin/valueType.ts";
import { finishTypes, type Place, type Report, type TypeReader } from "../types/readType.ts";
import { hostOf } from "./checkExecutor.ts";
import { askOf, type LocatedCommand, readCommands, readHooks } from "./readCommands.ts";
import { readResources } from "./readExecutor.ts";
import { parsed, readYaml } from "./readYaml.ts";
import { type Manifest, manifestSchema, OTHER_FIELDS, PLUGIN_NAME } from "./schema.ts";

/** The content of a plugin's file. An error in a command drops the command; other errors drop the plugin. */
export interface ReadManifest {
	readonly manifest?: PluginManifest;
	readonly problems: readonly FileProblem[];
	/** Returns the line of a field, counted from 1. */
	lineOf(place: Place): number;
}

export interface PluginManifest
	extends Record<"name" | "groupId" | "artifactId" | "instance" | "version", string>,
		Record<"title" | "description" | "descriptionForModel" | "prompt", string> {
	/** Name of a file next to this one that contains the prompt, if this file has none. */
	readonly promptFile?: string;
	readonly commands: readonly LocatedCommand[];
	readonly hooks: readonly PluginHook[];
	readonly hosts: readonly string[];
	readonly resources: readonly PluginResource[];
	readonly types: NamedTypes;
	readonly config: Readonly<Record<string, unknown>>;
	readonly within?: string;
	/** Parts of a copilot that the plugins in its folder inherit; absent if the plugin is not a copilot. */
	readonly shared?: OuterCopilot;
}

export interface OuterCopilot {
	readonly name: string;
	readonly hosts: readonly string[];
	readonly resources: readonly PluginResource[];
}

interface Where {
	readonly uri: string;
	readonly name: string;
	readonly outer?: OuterCopilot;
}

/** Reads a plugin's file and reports all problems. `where.name` is the name of the plugin's folder. */
export function readManifest(text: string, where: Where): ReadManifest {
	const { value, isYaml, lineOf, report, problems } = readYaml(text, where.uri);
	if (!isYaml) return { problems, lineOf };
	const noted = noteErrors(report);
	const manifest = isRecord(value) ? readFields(value, where, noted) : undefined;
	if (!isRecord(value)) report.error([], "The file has no fields. It must have commands.");
	const isUsable = manifest && !noted.isWrong() && manifest.commands.length > 0;
	return { ...(isUsable && { manifest }), problems, lineOf };
}

type Fields = Readonly<Record<string, unknown>>;
type NotedErrors = ReturnType<typeof noteErrors>;

function noteErrors(report: Report) {
	const wrong = new Set<PropertyKey | undefined>();
	let isWrong = false;
	return {
		...report,
		error: (place: Place, message: string) => {
			if (place[0] === "commands" && place.length > 1) wrong.add(place[1]);
			else isWrong = true;
			report.error(place, message);
		},
		/** Whether there is an error outside of single commands. */
		isWrong: () => isWrong,
		isWrongCommand: (index: PropertyKey | undefined) => wrong.has(index),
	};
}

function checkedFields(value: Fields, { name, outer }: Where, report: NotedErrors) {
	const invalid = `The folder “${shown(name)}” is not a valid plugin name: use 1 to 32 lower-case letters, digits, and hyphens, starting with a letter.`;
	if (!PLUGIN_NAME.test(name)) report.error([], invalid);
	const whole = parsed(manifestSchema, value, { report });
	const written = listOf(value, "commands");
	const indices = [...written.keys()].filter((index) => !report.isWrongCommand(index));
	const kept = { ...value, commands: indices.map((index) => written[index]) };
	const data = whole ?? manifestSchema.safeParse(kept).data;
	if (!data) return undefined;
	checkFields(data, name, report);
	if (outer) checkInner(data, report);
	return { indices, data: { ...data, hosts: [...(data.hosts ?? hostsIn(data)), ...(outer?.hosts ?? [])] } };
}

function hostsIn({ commands = [], config = {} }: Manifest): string[] {
	const urls = [
		...commands.flatMap(({ http, executor }) => [http, fieldOf(http, "url"), fieldOf(executor, "url")]),
		...listOf(config, "resources").map((resource) => fieldOf(fieldOf(resource, "config"), "url")),
	];
	const hosts = urls.flatMap((url) => (typeof url === "string" && hostOf(url)) || []);
	return [...new Set(hosts)];
}

function readFields(value: Fields, where: Where, report: NotedErrors): PluginManifest | undefined {
	const checked = checkedFields(value, where, report);
	if (!checked) return undefined;
	const { data, indices } = checked;
	const { name, outer } = where;
	const reader: TypeReader = { report, named: new Map(), used: [] };
	const resources = [...readResources(data, report), ...(outer?.resources ?? [])];
	const isCopilot = data.type === "copilot";
	const of = { name, resources, indices };
	const read = isCopilot ? [askOf(data, resources)] : readCommands(data, of, reader);
	const types = finishTypes(reader);
	const commands = read.filter(({ place }) => !report.isWrongCommand(place[1]));
	const { hosts = [], config: { resources: _, ...config } = {} } = data;
	const shared = <Item>(items: readonly Item[]) => (data.inherit_resources ? items : []);
	return {
		...identityOf(data, name),
		...wordsOf(data, name),
		commands,
		hooks: readHooks(data, commands, report),
		hosts,
		resources,
		types,
		config,
		...(outer && { within: outer.name }),
		...(isCopilot && { shared: { name, hosts: shared(hosts), resources: shared(resources) } }),
	};
}

function identityOf({ group_id, artifact_id, version, config }: Manifest, name: string) {
	return {
		name,
		groupId: (group_id ?? "local").toLowerCase(),
		artifactId: (artifact_id ?? name).toLowerCase(),
		version: (version ?? "1.0.0").toLowerCase(),
		instance: textOf(config, "id") || "default",
	};
}

function wordsOf({ info }: Manifest, name: string) {
	const { title = name, description = title, prompt = "" } = info ?? {};
	return {
		title,
		description: info?.description_for_human ?? description,
		descriptionForModel: info?.description_for_model ?? description,
		prompt,
		...(prompt === "" && info?.prompt_file_name !== undefined && { promptFile: info.prompt_file_name }),
	};
}

function checkFields(data: Manifest, name: string, report: Report): void {
	const { version = "1.0.0" } = data;
	if (!VERSION.test(version))
		report.error(["version"], "A version looks like 1.2.3, 1.2.3-any, or 1.2.3-SNAPSHOT.");
	if (data.as_plugin === false)
		report.error(["as_plugin"], "If as_plugin is false, nothing is offered. Write as_plugin: true.");
	if (data.type === "copilot") checkCopilot(data, name, report);
	else checkPlugin(data, report);
	if (data.info?.prompt_file_path !== undefined)
		report.warning(["info", "prompt_file_path"], "Only files in this folder are read: use prompt_file_name.");
	for (const key of Object.keys(data)) if (!KNOWN.has(key)) report.warning([key], wordsFor(key));
}

function checkPlugin(data: Manifest, report: Report): void {
	const { type = "plugin", commands, plugins, inherit_resources: inherits } = data;
	if (type !== "plugin")
		report.warning(["type"], `“${shown(type)}” has no effect: the file is read as a plugin.`);
	if (!commands?.length)
		report.error(commands ? ["commands"] : [], "“commands” is missing: there is nothing to call.");
	const advice = "Specify whether the plugins in the folder of the copilot may use its resources.";
	if (inherits !== undefined) report.error(["inherit_resources"], advice);
	if (plugins) report.error(["plugins"], "Only a copilot can have plugins of its own: write type: copilot.");
}

/** Checks a plugin in a copilot's folder, which runs only if the copilot calls it. */
function checkInner({ type, hooks }: Manifest, report: Report): void {
	if (type === "copilot")
		report.error(["type"], "The folder of a copilot can contain plugins, but no other copilots.");
	if (hooks) report.error(["hooks"], "A plugin in the folder of a copilot cannot have hooks.");
}

function checkCopilot({ plugins = [], commands, hooks }: Manifest, name: string, report: Report): void {
	const own = plugins.indexOf(name);
	const endless = "A copilot cannot be one of its own plugins: it would ask itself without end.";
	if (own >= 0) report.error(["plugins", own], endless);
	for (const [field, value] of Object.entries({ commands, hooks })) {
		const single = `A copilot is a single tool and has no ${field}: put them into a plugin that it names under plugins.`;
		if (value) report.error([field], single);
	}
}

const KNOWN: ReadonlySet<string> = new Set([...Object.keys(manifestSchema.shape), ...OTHER_FIELDS]);

function wordsFor(key: string): string {
	if (key === "setup") return "No packages are installed or loaded: a command names its executor.";
	if (key === "resources") return "Resources belong in config, as in config: { resources: [ … ] }.";
	return `“${shown(key)}” is not used here.`;
}

function shown(text: string): string {
	return visibleText(boundedText(text, 80));
}

/** A version in the syntax of ConCopilot: `1.2.3`, with an optional `-any` and `-SNAPSHOT`. */
const VERSION = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(-any)?(-SNAPSHOT)?$/i;

/** Sorts by preference: higher numbers first; then plain, its snapshot, `-any`, and its snapshot. */
export function compareVersions(a: string, b: string): number {
	const [one, other] = [partsOf(a), partsOf(b)];
	const index = one.findIndex((part, at) => part !== other[at]);
	return index < 0 ? 0 : (one[index] ?? 0) - (other[index] ?? 0);
}

/** Sort keys, smaller is better. An invalid version is the worst. */
function partsOf(version: string): number[] {
	const [, major, minor, patch, any, snapshot] = VERSION.exec(version) ?? [];
	if (major === undefined) return [1];
	return [-major, -Number(minor), -Number(patch), any ? 1 : 0, snapshot ? 1 : 0];
}
