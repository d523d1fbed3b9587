import { isFailure } from "../../base/failure.ts";
import { isRecord } from "../../base/values.ts";
import { type Executor, isActing, type PluginCommand, toolNameOf } from "../../core/plugin/plugin.ts";
import { type PluginResource, resourceNamed } from "../../core/plugin/resource.ts";
import type { Field, ValueType } from "../../core/plugin/valueType.ts";
import { bindQuery, variablesIn } from "../queries/bindQuery.ts";
import type { Place, Report } from "../types/located.ts";
import { readType, type TypeReader } from "../types/readType.ts";
import { hostMistake, mistakesIn } from "./checkActing.ts";
import { PROMPT_TOOLS } from "./executorSchema.ts";
import type { Manifest, WrittenCommand } from "./schema.ts";
import { placesIn } from "./template.ts";
import { type CompiledExecutor, withResource } from "./withResource.ts";

export type LocatedCommand = Omit<PluginCommand, "line"> & { readonly place: Place };

/** Of a tool's name: the Copilot CLI puts 11 more before it, and providers of models take 64. */
const MAX_TOOL_NAME = 53;

const KNOWN = new Set(["command_name", "description", "parameter", "response", "executor"]);

export function readCommands(
	{ commands = [], config, hosts = [] }: Manifest,
	{ name: plugin, resources }: { readonly name: string; readonly resources: readonly PluginResource[] },
	reader: TypeReader,
): LocatedCommand[] {
	const seen = new Set<string>();
	for (const [index, host] of hosts.entries()) {
		const mistake = hostMistake(host);
		if (mistake !== undefined) reader.report.error(["hosts", index], mistake);
	}
	return commands.map((written, index) => {
		const place = ["commands", index];
		const { command_name: name } = written;
		const at = [...place, "command_name"];
		if (seen.has(name.toLowerCase())) reader.report.error(at, `There are two commands “${name}”.`);
		seen.add(name.toLowerCase());
		if (toolNameOf(plugin, name).length > MAX_TOOL_NAME)
			reader.report.error(at, "The names of the plugin and the command are too long together.");
		for (const key of Object.keys(written))
			if (!KNOWN.has(key)) reader.report.warning([...place, key], `“${key}” is not used here.`);
		const executor = withResource(written.executor, resources, {
			error: (field, message) => reader.report.error([...place, "executor", field], message),
		});
		const command = { ...readCommand(written, place, reader), executor: executorOf(executor) };
		checkExecutor(command, { place, hosts, config: Object.keys(config ?? {}), report: reader.report });
		return command;
	});
}

/** What a copilot can be asked: anything. */
export function askOf(
	{ info, plugins = [] }: Manifest,
	resources: readonly PluginResource[],
): LocatedCommand {
	const resource = resourceNamed(resources, "model");
	const description = info?.description_for_model ?? info?.description ?? "";
	const question: Field = {
		...{ name: "question", type: { kind: "string" }, isRequired: true },
		description: "The whole question, understandable without the conversation.",
	};
	return {
		...{ name: "ask", description, parameters: [question], response: "" },
		executor: {
			...{ kind: "copilot", template: "{{question}}", tools: PROMPT_TOOLS, plugins },
			...(resource && { resource }),
		},
		place: ["type"],
	};
}

function readCommand(
	written: WrittenCommand,
	place: Place,
	reader: TypeReader,
): Omit<LocatedCommand, "executor"> {
	return {
		name: written.command_name,
		description: written.description,
		parameters: fieldsOf(written.parameter, [...place, "parameter"], reader),
		response: fieldsOf(written.response, [...place, "response"], reader)
			.map(describe)
			.join("; "),
		place,
	};
}

/** With what holds where nothing is said. */
function executorOf(written: CompiledExecutor): Executor {
	return dropAbsent({ ...DEFAULTS[written.kind], ...dropAbsent(written) });
}

const DEFAULTS: Readonly<Partial<Record<Executor["kind"], object>>> = {
	prompt: { tools: PROMPT_TOOLS },
	vscode: { arguments: [] },
	tool: { input: {} },
	http: { method: "GET", headers: {}, timeout: 30 },
	program: { arguments: [], timeout: 30 },
};

/** What was left out is left out. */
function dropAbsent<Value extends object>(value: Value): Value & Executor {
	return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Value &
		Executor;
}

/** A parameter that is a single value has the name `param`, as tools take objects. */
function fieldsOf(written: unknown, place: Place, reader: TypeReader): readonly Field[] {
	if (written === undefined || written === null) return [];
	if (!isRecord(written) || written["type"] === undefined) {
		reader.report.error(place, "Specify its type: a mapping of named values, or a word such as string.");
		return [];
	}
	const type = readType(written["type"], [...place, "type"], reader);
	if (type.kind === "object") return type.fields;
	const named = type.kind === "ref" ? reader.named.get(type.name)?.type : undefined;
	return named?.kind === "object"
		? named.fields
		: [
				{
					...{ name: "param", type, isRequired: written["required"] !== false },
					...(written["asset_ref_acceptable"] === true && { takesRefs: true }),
				},
			];
}

function describe({ name, type, description, isRequired }: Field): string {
	const about = description === undefined ? "" : `: ${description}`;
	return `${name} (${typeWords(type)}${isRequired ? "" : ", may be absent"})${about}`;
}

function typeWords(type: ValueType): string {
	if (type.kind === "list") return `list of ${typeWords(type.items)}`;
	return type.kind === "ref" ? type.name : type.kind;
}

interface Checked {
	readonly place: Place;
	/** The names that the configuration gives values. */
	readonly config: readonly string[];
	readonly hosts: readonly string[];
	readonly report: Report;
}

function checkExecutor(
	{ parameters, executor, name }: LocatedCommand,
	{ place, config, hosts, report }: Checked,
): void {
	const at = [...place, "executor", ...mainField(executor)];
	const isQuery = executor.kind === "sparql" || executor.kind === "endpoint";
	const used = isQuery ? variablesIn(executor.query) : new Set(placesIn(executor));
	const idle = parameters.filter((parameter) => !used.has(parameter.name));
	for (const parameter of idle)
		report.warning(at, `“${name}” does not use its parameter “${parameter.name}”.`);
	const given = new Set([...parameters.map((parameter) => parameter.name), ...config]);
	const empty = isQuery ? [] : [...used].filter((one) => !given.has(one));
	for (const one of empty) report.error(at, `“${one}” has no value.`);
	if (isQuery) checkQuery(executor.query, parameters, { at, report });
	const mistakes = isActing(executor) ? mistakesIn(executor, hosts) : [];
	for (const { field, message } of mistakes) report.error([...place, "executor", field], message);
}

/** Where its places stand, if that is one field. */
function mainField(executor: Executor): string[] {
	return ["query", "template", "url"].filter((field) => Object.hasOwn(executor, field));
}

/** Whether each parameter can be bound where it stands: with values of its type, whatever they are. */
function checkQuery(
	query: string,
	parameters: readonly Field[],
	{ at, report }: { readonly at: Place; readonly report: Report },
): void {
	for (const parameter of parameters) {
		const mistake = bindingMistake(query, parameter);
		if (mistake !== undefined) report.error(at, mistake);
	}
}

function bindingMistake(query: string, { name, type }: Field): string | undefined {
	const isList = type.kind === "list";
	const { kind } = isList ? type.items : type;
	if (!Object.hasOwn(SAMPLES, kind))
		return `“${name}” cannot be used in a query: it is not a text, a number, a flag, or a list of them.`;
	const value = isList ? [SAMPLES[kind]] : SAMPLES[kind];
	try {
		bindQuery(query, new Map([[name, { value, isIri: kind === "iri" }]]));
		return undefined;
	} catch (thrown) {
		if (isFailure(thrown)) return thrown.message;
		throw thrown;
	}
}

const SAMPLES: Readonly<Record<string, unknown>> = {
	string: "text",
	iri: "urn:thing",
	int: 1,
	float: 1.5,
	bool: true,
};
