import { Failure } from "../../base/failure.ts";
import { shellWord } from "../../base/text/shellWord.ts";
import type { CallNature } from "../../core/agent/tool.ts";
import type { CallArgument } from "../../core/permission/permission.ts";
import type { ActingExecutor, PluginCommand, PluginDefinition } from "../../core/plugin/plugin.ts";
import { fillPlaces, fillValue } from "../manifest/template.ts";
import { bindQuery } from "../queries/bindQuery.ts";
import { pathsIn } from "../types/pathsIn.ts";
import { bindingsFor } from "./commandInput.ts";

/** What one call of a command does, with its values in place: what is decided about, and then done. */
export type Deed =
	| { readonly kind: "vscode"; readonly command: string; readonly arguments: readonly unknown[] }
	| { readonly kind: "tool"; readonly tool: string; readonly input: object }
	| { readonly kind: "mcp"; readonly tool: string; readonly input: object; readonly host: string }
	| { readonly kind: "agent" | "chain"; readonly name: string; readonly prompt: string }
	| {
			readonly kind: "http";
			readonly method: string;
			readonly url: URL;
			readonly headers: Readonly<Record<string, string>>;
			readonly body?: string;
			readonly hosts: readonly string[];
			readonly timeoutMs: number;
	  }
	| {
			readonly kind: "program";
			readonly program: string;
			readonly arguments: readonly string[];
			readonly input: string;
			/** Those that the call gives. */
			readonly paths: readonly string[];
			/** Below the folder of the plugin: where it works. */
			readonly at?: string;
			readonly timeoutMs: number;
	  };

type Values = ReadonlyMap<string, unknown>;

/** Throws a `Failure` where a value cannot stand in its place. */
export function deedOf(
	executor: ActingExecutor,
	values: Values,
	{ plugin, command }: { readonly plugin: PluginDefinition; readonly command: PluginCommand },
): Deed {
	switch (executor.kind) {
		case "vscode":
			return { ...executor, arguments: Object(fillValue(executor.arguments, values)) };
		case "tool":
			return { ...executor, input: Object(fillValue(executor.input, values)) };
		case "mcp":
			return {
				...{ kind: "mcp", tool: executor.tool, host: new URL(executor.url).host },
				input: Object(fillValue(executor.input, values)),
			};
		case "agent":
			return { kind: "agent", name: executor.agent, prompt: fillPlaces(executor.template, values) };
		case "chain":
			return { kind: "chain", name: executor.chain, prompt: fillPlaces(executor.template, values) };
		case "http":
			return requestOf(executor, values, plugin.hosts);
		case "endpoint":
			return queryOf(executor, bindQuery(executor.query, bindingsFor(command, values)), {
				hosts: plugin.hosts,
				values,
			});
		case "program":
			return runOf(
				executor,
				values,
				pathsIn(command.parameters, (name) => values.get(name), plugin.types),
			);
	}
}

function requestOf(
	{ method, url, headers, body, timeout }: Extract<ActingExecutor, { kind: "http" }>,
	values: Values,
	hosts: readonly string[],
): Deed {
	const written = fillPlaces(url, values, encodeURIComponent);
	const [path = ""] = written.split(/[?#]/, 1);
	// What is given must not lead up from where the address leads.
	if (path.split("/").some((part) => /^(?:\.|%2e){1,2}$/i.test(part)))
		throw new Failure("BAD_INPUT", "Wrong input. A part of the address would be “.” or “..”.");
	const filled = Object.entries(headers).map(([name, value]) => [name, fillPlaces(value, values)] as const);
	if (filled.some(([, value]) => /[^\t\x20-\x7e\x80-\xff]/.test(value)))
		throw new Failure("BAD_INPUT", "Wrong input. A header would contain a character that is not allowed.");
	const type = body === undefined ? [] : [["content-type", "application/json"] as const];
	return {
		kind: "http",
		method,
		url: new URL(written),
		headers: Object.fromEntries([...type, ...filled]),
		...(body !== undefined && { body: JSON.stringify(fillValue(body, values)) }),
		hosts,
		timeoutMs: timeout * 1000,
	};
}

/** As the protocol has it for a query alone. */
function queryOf(
	{ url, headers }: Extract<ActingExecutor, { kind: "endpoint" }>,
	query: string,
	{ hosts, values }: { readonly hosts: readonly string[]; readonly values: Values },
): Deed {
	const request = { kind: "http", method: "POST", url, headers, timeout: 30 } as const;
	const deed = requestOf(request, values, hosts);
	if (deed.kind !== "http") return deed;
	const types = { "content-type": "application/sparql-query", accept: ACCEPTED };
	return { ...deed, headers: { ...types, ...deed.headers }, body: query };
}

const ACCEPTED = "application/sparql-results+json, text/turtle;q=0.9, application/n-triples;q=0.8";

function runOf(
	{
		program,
		arguments: templates,
		input = "",
		timeout,
		resource,
	}: Extract<ActingExecutor, { kind: "program" }>,
	values: Values,
	paths: readonly string[],
): Deed {
	return {
		kind: "program",
		program,
		arguments: templates.flatMap((template) => argumentsFor(template, values)),
		input: fillPlaces(input, values),
		paths,
		...(resource?.type === "files" && { at: resource.folder }),
		timeoutMs: timeout * 1000,
	};
}

/** A list that fills an argument by itself gives one for each item; what is left out gives none. */
function argumentsFor(template: string, values: Values): string[] {
	const value = fillValue(template, values);
	const items = Array.isArray(value) ? value : [value];
	return items
		.filter((item) => item !== undefined)
		.map((item) => {
			const word = typeof item === "string" ? item : JSON.stringify(item);
			if (word.includes("\0"))
				throw new Failure("BAD_INPUT", "Wrong input. A text has a character that ends it.");
			if (!/^[-+/@]/.test(word) || template.startsWith(word[0] ?? "")) return word;
			throw new Failure(
				"BAD_INPUT",
				`Wrong input. “${word.slice(0, 100)}” would be read as an option of the program. Begin it differently.`,
			);
		});
}

/** The same in words, and as what rules can speak of. */
export function natureOf(
	deed: Deed,
	folder: string,
): Omit<CallNature, "tool"> & { readonly uses: readonly string[] } {
	switch (deed.kind) {
		case "vscode": {
			const line = [deed.command, ...deed.arguments.map((value) => shellWord(JSON.stringify(value)))].join(
				" ",
			);
			const uses = [deed.command];
			return {
				...ACTS,
				uses,
				arguments: [of("command", line)],
				handsOn: deed.arguments,
				title: `Run the command “${line}” of VS Code`,
			};
		}
		case "tool": {
			const title = `Call the tool ${deed.tool} with “${JSON.stringify(deed.input)}”`;
			return { ...ACTS, uses: [deed.tool], arguments: [], handsOn: deed.input, title };
		}
		case "mcp": {
			const title = `Call the tool ${deed.tool} of ${deed.host} with “${JSON.stringify(deed.input)}”`;
			const args = [of("host", deed.host)];
			return { ...ACTS, uses: ["fetch", deed.tool], arguments: args, handsOn: deed.input, title };
		}
		case "agent":
			return {
				...ACTS,
				uses: ["run_agent"],
				arguments: [],
				title: `Run the agent ${deed.name}: “${deed.prompt}”`,
			};
		case "chain":
			return {
				...ACTS,
				uses: ["run_with_orchestrator"],
				arguments: [],
				title: `Run the chain ${deed.name}: “${deed.prompt}”`,
			};
		case "http": {
			const sent = deed.body === undefined ? "" : ` with “${deed.body}”`;
			const title = `Send ${deed.method} ${deed.url.href}${sent}`;
			return { ...ACTS, uses: ["fetch"], arguments: [of("host", deed.url.host)], title };
		}
		case "program":
			return natureOfRun(deed, folder);
	}
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
	return {
		...ACTS,
		uses: ["shell"],
		arguments: [of("command", line), ...named],
		title: `Run the program “${line}”${where}${given}`,
	};
}

const ACTS = { mutates: true } as const;

function of(kind: CallArgument["kind"], value: string): CallArgument {
	return { kind, value };
}
