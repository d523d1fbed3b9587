import { isRecord } from "../../base/values.ts";
import { wordList } from "../../base/words/wordList.ts";
import { READING_TOOLS } from "../../core/agent/ourTools.ts";
import { type CommandBody, type HookEvent, type PluginHook, toolNameOf } from "../../core/plugin/plugin.ts";
import { type PluginResource, resourceNamed } from "../../core/plugin/resource.ts";
import type { Field, ValueType } from "../../core/plugin/valueType.ts";
import { type Place, type Report, readType, type TypeReader, warnOfOthers } from "../types/readType.ts";
import { checkExecutor, hostMistake } from "./checkExecutor.ts";
import { SHORT_FORMS } from "./executorSchema.ts";
import { type LocatedExecutor, readExecutor } from "./readExecutor.ts";
import type { Manifest, WrittenCommand } from "./schema.ts";

type Resources = readonly PluginResource[];

export interface LocatedCommand extends CommandBody, LocatedExecutor {
	readonly place: Place;
}

/** Maximum length of tool names: providers accept 64 characters, and the Copilot CLI adds 11 of them. */
const MAX_TOOL_NAME = 53;

const KNOWN = new Set([
	...wordList("name command_name description parameters parameter response executor"),
	...Object.keys(SHORT_FORMS),
]);

/** `indices` are the positions of the commands in the file, from which invalid commands were removed. */
export function readCommands(
	{ commands = [], config = {}, hosts = [] }: Manifest,
	{ name: plugin, resources, indices }: { name: string; resources: Resources; indices: readonly number[] },
	reader: TypeReader,
): LocatedCommand[] {
	const { report } = reader;
	const seen = new Set<string>();
	for (const [index, host] of hosts.entries()) {
		const mistake = hostMistake(host);
		if (mistake !== undefined) report.error(["hosts", index], mistake);
	}
	const checked = { hosts, config: Object.keys(config), report };
	return commands.flatMap((written, index) => {
		const place = ["commands", indices[index] ?? index];
		const name = nameOf(written, place, report);
		const at = [...place, written.name === undefined ? "command_name" : "name"];
		if (seen.has(name.toLowerCase())) report.error(at, `There are two commands “${name}”.`);
		seen.add(name.toLowerCase());
		if (toolNameOf(plugin, name).length > MAX_TOOL_NAME)
			report.error(at, "The names of the plugin and the command are too long together.");
		const command = readCommand(written, { name, place, resources }, reader);
		if (command) checkExecutor(command, checked);
		return command ?? [];
	});
}

function readCommand(
	written: WrittenCommand,
	{ name, place, resources }: { name: string; place: Place; resources: Resources },
	reader: TypeReader,
): LocatedCommand | undefined {
	const { report } = reader;
	warnOfOthers(written, KNOWN, place, report);
	const { description = name.replaceAll("_", " ") } = written;
	const parameters = parametersOf(written, place, reader);
	const response = fieldsOf(written["response"], [...place, "response"], reader)
		.map(({ name: named, type, description: about, isRequired }) => {
			const words = `${named} (${typeWords(type)}${isRequired ? "" : ", may be absent"})`;
			return about === undefined ? words : `${words}: ${about}`;
		})
		.join("; ");
	const done = readExecutor(written, place, { resources, report });
	return done && { name, description, parameters, response, place, ...done };
}

function nameOf({ name, command_name: long = name }: WrittenCommand, place: Place, report: Report): string {
	if (long === undefined)
		report.error(place, "The command has no name. Models need a name to call the command.");
	return long ?? "";
}

function parametersOf({ parameters, parameter }: WrittenCommand, place: Place, reader: TypeReader) {
	if (parameters === undefined) return fieldsOf(parameter, [...place, "parameter"], reader);
	const at = [...place, "parameters"];
	if (isRecord(parameters) && parameter === undefined) {
		const type = readType(parameters, at, reader);
		return type.kind === "object" ? type.fields : [];
	}
	const message = "Parameters are a mapping of names to types, written once: parameters: { name: string }.";
	reader.report.error(at, message);
	return [];
}

/** The only command of a copilot, which takes any question. */
export function askOf({ info, plugins = [] }: Manifest, resources: Resources): LocatedCommand {
	const resource = resourceNamed(resources, "model");
	const description = info?.description_for_model ?? info?.description ?? "";
	const question: Field = {
		name: "question",
		type: { kind: "string" },
		isRequired: true,
		description: "The whole question, understandable without the conversation.",
	};
	return {
		name: "ask",
		description,
		parameters: [question],
		response: "",
		executor: {
			kind: "prompt",
			template: "{{question}}",
			tools: READING_TOOLS,
			plugins,
			...(resource && { resource }),
		},
		place: ["type"],
		placeOf: () => ["type"],
	};
}

/** Reads fields. A single value becomes a parameter named `param`, because tools take objects. */
function fieldsOf(written: unknown, place: Place, reader: TypeReader): readonly Field[] {
	if (written === undefined || written === null) return [];
	if (!isRecord(written) || written["type"] === undefined) {
		reader.report.error(place, "Specify its type: a mapping of named values, or a word such as string.");
		return [];
	}
	const type = readType(written["type"], [...place, "type"], reader);
	if (type.kind === "object") return type.fields;
	const named = type.kind === "ref" ? reader.named.get(type.name)?.type : undefined;
	if (named?.kind === "object") return named.fields;
	const takesRefs = written["asset_ref_acceptable"] === true && ({ takesRefs: true } as const);
	return [{ name: "param", type, isRequired: written["required"] !== false, ...takesRefs }];
}

function typeWords(type: ValueType): string {
	if (type.kind === "list") return `list of ${typeWords(type.items)}`;
	return type.kind === "ref" ? type.name : type.kind;
}

/** Names of the texts that the command of a hook can receive. */
const FACTS = ["prompt", "session", "tool", "input", "result"];

/** Executors that hooks may use: none that asks a model, because such a hook could trigger itself. */
const HOOKABLE: ReadonlySet<string> = new Set(["sparql", "retrieval", "http", "program"]);
const DENYING: ReadonlySet<HookEvent> = new Set(["before_prompt", "before_call"]);
const OF_CALLS: ReadonlySet<HookEvent> = new Set(["before_call", "after_call"]);

export function readHooks(
	{ hooks = [], config = {} }: Manifest,
	commands: readonly CommandBody[],
	report: Report,
): PluginHook[] {
	const configured = new Set(Object.keys(config));
	return hooks.map((hook, index) => {
		const { event, command, tools = [], deny_when: denyWhen, reason, timeout = 5 } = hook;
		const wrong = (field: string, message: string) => report.error(["hooks", index, field], message);
		for (const message of mistakesIn(command, commands, configured)) wrong("command", message);
		if (hook.tools && !OF_CALLS.has(event)) wrong("tools", "Only before_call and after_call apply to tools.");
		if (denyWhen !== undefined && !DENYING.has(event))
			wrong("deny_when", "Only before_prompt and before_call can refuse.");
		return {
			event,
			command,
			tools,
			timeoutMs: timeout * 1000,
			...(denyWhen !== undefined && { denyWhen }),
			...(reason !== undefined && { reason }),
		};
	});
}

function mistakesIn(name: string, commands: readonly CommandBody[], configured: ReadonlySet<string>) {
	const command = commands.find((one) => one.name === name);
	if (!command) return [`There is no command “${name.slice(0, 80)}” here.`];
	const { executor, parameters } = command;
	const kind = executor.kind === "http" && executor.query !== undefined ? "endpoint" : executor.kind;
	if (!HOOKABLE.has(kind)) return [`“${name}” cannot be a hook: its executor is ${kind}.`];
	return parameters
		.filter((one) => one.isRequired && !configured.has(one.name) && !FACTS.includes(one.name))
		.map((one) => `“${one.name}” has no value: a hook receives ${FACTS.join(", ")}.`);
}
