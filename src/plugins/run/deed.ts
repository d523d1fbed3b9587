import { Failure } from "../../base/failure.ts";
import type { ConfinedRequest } from "../../base/http/confinedRequest.ts";
import { shellWord } from "../../base/text/shellWord.ts";
import { isRecord } from "../../base/values.ts";
import type { CallNature } from "../../core/agent/tool.ts";
import type { CallArgument } from "../../core/permission/permission.ts";
import type { ActingExecutor, PluginCommand, PluginDefinition } from "../../core/plugin/plugin.ts";
import type { Field, NamedTypes, ValueType } from "../../core/plugin/valueType.ts";
import { fillPlaces, fillValue, OWN_FOLDER } from "../manifest/template.ts";
import { type Bindings, bindQuery } from "../queries/bindQuery.ts";
import { checkInput, withNumbers } from "../types/checkValue.ts";

export function configured({ config }: PluginDefinition): ReadonlyMap<string, unknown> {
	return new Map(
		config.flatMap(({ path, value }) =>
			path.length === 1 && path[0] !== undefined ? [[path[0], value]] : [],
		),
	);
}

/** Parameters of a command. Parameters with configured values are optional. */
export function parametersOf(plugin: PluginDefinition, { parameters }: PluginCommand): readonly Field[] {
	const given = configured(plugin);
	return parameters.map((field) => (given.has(field.name) ? { ...field, isRequired: false } : field));
}

/** Merges a call's input over configured values. Throws a `Failure` that explains a mistake to a model. */
export function valuesFor(plugin: PluginDefinition, command: PluginCommand, input: unknown): Values {
	const given = configured(plugin);
	const { parameters } = command;
	const configuredNames = parameters.map(({ name }) => name).filter((name) => given.has(name));
	const all = {
		...Object.fromEntries(configuredNames.map((name) => [name, given.get(name)])),
		...(isRecord(input) && withNumbers(input, parameters)),
	};
	const isObject = input === undefined || isRecord(input);
	const mistake = isObject ? checkInput(all, parameters, plugin.types) : "The input must be an object.";
	if (mistake !== undefined) throw new Failure("BAD_INPUT", `Wrong input. ${mistake}`);
	return new Map([...given, ...Object.entries(all)]);
}

export function bindingsFor({ parameters }: PluginCommand, values: ReadonlyMap<string, unknown>): Bindings {
	const types = new Map(parameters.map(({ name, type }) => [name, type.kind === "list" ? type.items : type]));
	return new Map([...values].map(([name, value]) => [name, { value, kind: types.get(name)?.kind }]));
}

/** The action of one call, with its values inserted: permissions are decided on exactly what runs. */
export type Deed =
	| { readonly kind: "vscode"; readonly command: string; readonly arguments: readonly unknown[] }
	/** With `host`, a tool of the MCP server at that host; otherwise, a tool of VS Code. */
	| { readonly kind: "tool"; readonly tool: string; readonly input: object; readonly host?: string }
	| { readonly kind: "agent" | "chain"; readonly name: string; readonly prompt: string }
	| ({ readonly kind: "http" } & Omit<ConfinedRequest, "maxBytes">)
	| {
			readonly kind: "program";
			readonly program: string;
			readonly arguments: readonly string[];
			readonly input: string;
			readonly paths: readonly string[];
			/** Working directory, relative to the default working directory. */
			readonly at?: string;
			readonly timeoutMs: number;
	  };

type Values = ReadonlyMap<string, unknown>;

interface Called {
	readonly plugin: PluginDefinition;
	readonly command: PluginCommand;
	/** Absolute path of the plugin's folder; `undefined` if no folder is open. */
	readonly own: string | undefined;
}

/** Throws a `Failure` if a value is not allowed in its place, such as an option of a program. */
export function deedOf(executor: ActingExecutor, values: Values, called: Called): Deed {
	const { plugin, command } = called;
	switch (executor.kind) {
		case "vscode":
			return { ...executor, arguments: Object(fillValue(executor.arguments, values)) };
		case "tool": {
			const { kind, tool, resource } = executor;
			const input = Object(fillValue(executor.input, values));
			return { kind, tool, input, ...(resource && { host: new URL(resource.url).host }) };
		}
		case "agent":
		case "chain":
			return { kind: executor.kind, name: executor.name, prompt: fillPlaces(executor.template, values) };
		case "http":
			return requestOf(executor, values, called);
		case "program": {
			const given = values.has(OWN_FOLDER) ? executor : withFolder(executor, called.own ?? "");
			return {
				kind: "program",
				program: executor.program,
				arguments: given.arguments.flatMap((template) => argumentsFor(template, values)),
				input: fillPlaces(given.input ?? "", values),
				paths: command.parameters.flatMap(({ name, type }) => pathsOf(values.get(name), type, plugin.types)),
				...(executor.resource?.type === "files" && { at: executor.resource.folder }),
				timeoutMs: executor.timeout * 1000,
			};
		}
	}
}

function pathsOf(value: unknown, type: ValueType, types: NamedTypes): readonly string[] {
	if (type.kind === "path") return typeof value === "string" ? [value] : [];
	if (type.kind === "list" && Array.isArray(value))
		return value.flatMap((item) => pathsOf(item, type.items, types));
	if (type.kind === "ref") return pathsOf(value, types[type.name] ?? { kind: "any" }, types);
	if (!isRecord(value)) return [];
	if (type.kind === "dict") return Object.values(value).flatMap((item) => pathsOf(item, type.values, types));
	const fields = type.kind === "object" ? type.fields : [];
	return fields.flatMap((field) => pathsOf(value[field.name], field.type, types));
}

const OWN_PLACE = new RegExp(`\\{\\{\\s*${OWN_FOLDER}\\s*\\}\\}`, "g");

type ProgramExecutor = Extract<ActingExecutor, { kind: "program" }>;

/** Inserts the plugin's folder before the values, so that no value can be read as the placeholder. */
function withFolder({ arguments: args, input = "" }: ProgramExecutor, own: string) {
	const insert = (text: string) => text.replaceAll(OWN_PLACE, () => own);
	return { arguments: args.map(insert), input: insert(input) };
}

function requestOf(
	{ method, url, headers, body, query, timeout }: Extract<ActingExecutor, { kind: "http" }>,
	values: Values,
	{ plugin: { hosts }, command }: Called,
): Deed {
	const written = fillPlaces(url, values, encodeURIComponent);
	const [path = ""] = written.split(/[?#]/, 1);
	// Values must not lead out of the URL's path.
	if (path.split("/").some((part) => /^(?:\.|%2e){1,2}$/i.test(part)))
		throw new Failure("BAD_INPUT", "Wrong input. A part of the address would be “.” or “..”.");
	const filled = Object.entries(headers).map(([name, value]) => [name, fillPlaces(value, values)] as const);
	if (filled.some(([, value]) => /[^\t\x20-\x7e\x80-\xff]/.test(value)))
		throw new Failure("BAD_INPUT", "Wrong input. A header would contain a character that is not allowed.");
	const request = { kind: "http", method, url: new URL(written), hosts, timeoutMs: timeout * 1000 } as const;
	const sent = Object.fromEntries(filled);
	if (query !== undefined) {
		const bound = bindQuery(query, bindingsFor(command, values));
		return { ...request, headers: { ...QUERY_TYPES, ...sent }, body: bound };
	}
	if (body === undefined) return { ...request, headers: sent };
	const types = { "content-type": "application/json" };
	return { ...request, headers: { ...types, ...sent }, body: JSON.stringify(fillValue(body, values)) };
}

const QUERY_TYPES = {
	"content-type": "application/sparql-query",
	accept: "application/sparql-results+json, text/turtle;q=0.9, application/n-triples;q=0.8",
};

/** The arguments for a template: one for each item of a list, none for a missing value. */
function argumentsFor(template: string, values: Values): string[] {
	const value = fillValue(template, values);
	const items = Array.isArray(value) ? value : [value];
	const words = items.filter((item) => item !== undefined);
	return words.map((item) => {
		const word = typeof item === "string" ? item : JSON.stringify(item);
		if (word.includes("\0")) throw new Failure("BAD_INPUT", "Wrong input. A text contains a NUL character.");
		if (!/^[-+/@]/.test(word) || template.startsWith(word[0] ?? "")) return word;
		const why = `Wrong input. “${word.slice(0, 100)}” would be read as an option of the program. Begin it differently.`;
		throw new Failure("BAD_INPUT", why);
	});
}

export function natureOf(deed: Deed, folder: string): CallNature & { readonly uses: readonly string[] } {
	switch (deed.kind) {
		case "vscode": {
			const words = deed.arguments.map((value) => shellWord(JSON.stringify(value)));
			const line = [deed.command, ...words].join(" ");
			const title = `Run the command “${line}” of VS Code`;
			return { ...acts(title, deed.command), arguments: [of("command", line)], handsOn: deed.arguments };
		}
		case "tool": {
			const { tool, input, host } = deed;
			const given = JSON.stringify(input);
			if (host === undefined)
				return { ...acts(`Call the tool ${tool} with “${given}”`, tool), handsOn: input };
			const title = `Call the tool ${tool} of ${host} with “${given}”`;
			return { ...acts(title, "fetch", tool), arguments: [of("host", host)], handsOn: input };
		}
		case "agent":
			return acts(`Run the agent ${deed.name}: “${deed.prompt}”`, "run_agent");
		case "chain":
			return acts(`Run the chain ${deed.name}: “${deed.prompt}”`, "run_with_orchestrator");
		case "http": {
			const sent = deed.body === undefined ? "" : ` with “${deed.body}”`;
			const title = `Send ${deed.method} ${deed.url.href}${sent}`;
			return { ...acts(title, "fetch"), arguments: [of("host", deed.url.host)] };
		}
		case "program":
			return natureOfRun(deed, folder);
	}
}

function acts(title: string, ...uses: readonly string[]) {
	return { mutates: true, title, uses, arguments: [] };
}

function natureOfRun(
	{ program, arguments: args, at, input, paths }: Extract<Deed, { kind: "program" }>,
	folder: string,
): ReturnType<typeof natureOf> {
	const line = [program, ...args].map(shellWord).join(" ");
	const where = at === undefined ? "" : ` in ${at}`;
	const given = input === "" ? "" : `, with the input “${input}”`;
	const below = [folder, at ?? ""].filter((part) => part !== "");
	const named = paths.map((path) => of("path", [...below, path].join("/")));
	const title = `Run the program “${line}”${where}${given}`;
	return { ...acts(title, "shell"), arguments: [of("command", line), ...named] };
}

function of(kind: CallArgument["kind"], value: string): CallArgument {
	return { kind, value };
}
