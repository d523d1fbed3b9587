import type * as z from "zod/mini";
import { fieldOf, isRecord, textOf } from "../../base/values.ts";
import { wordList } from "../../base/words/wordList.ts";
import { READING_TOOLS } from "../../core/agent/ourTools.ts";
import type { Executor } from "../../core/plugin/plugin.ts";
import {
	DEFAULT_ID,
	type PluginResource,
	RESOURCE_TYPES,
	resourceNamed,
} from "../../core/plugin/resource.ts";
import { checkInput } from "../types/checkValue.ts";
import type { Place, Report } from "../types/readType.ts";
import { checkAddress, type Wrong } from "./checkExecutor.ts";
import {
	executor as executorSchema,
	resourceSchema,
	SHORT_FORMS,
	type WrittenExecutor,
} from "./executorSchema.ts";
import { parsed, withoutIdle } from "./readYaml.ts";
import type { Manifest, WrittenCommand } from "./schema.ts";

export interface LocatedExecutor {
	readonly executor: Executor;
	placeOf(field: string): Place;
}

export function readExecutor(
	command: WrittenCommand,
	place: Place,
	{ resources, report }: { readonly resources: readonly PluginResource[]; readonly report: Report },
): LocatedExecutor | undefined {
	const found = writtenIn(command, place, report);
	if (!found) return undefined;
	const { value, placeOf } = found;
	const data = parsed(executorSchema, withoutIdle(value, placeOf, report), {
		report,
		placeOf: ([field = "", ...below]) => [...placeOf(String(field)), ...below],
	});
	if (!data) return undefined;
	const tell = (field: string, message: string) => report.error(placeOf(field), message);
	const all = { ...DEFAULTS[data.kind], ...withResource(data, { resources, error: tell }) };
	const given = Object.entries(all as object).filter(([, item]) => item !== undefined);
	return { executor: Object.fromEntries(given) as Executor, placeOf };
}

function writtenIn(command: WrittenCommand, place: Place, report: Report) {
	const { executor } = command;
	const short = Object.entries(SHORT_FORMS).filter(([word]) => command[word] !== undefined);
	const [first, second] = short;
	if (second || (first && executor !== undefined)) {
		const message = `A command does one thing: “${first?.[0]}” is there already.`;
		report.error([...place, second?.[0] ?? "executor"], message);
		return undefined;
	}
	if (executor !== undefined) {
		const at = [...place, "executor"];
		return { value: executor, placeOf: (field: string) => (field === "" ? at : [...at, field]) };
	}
	if (!first) {
		const wanted = `${Object.keys(SHORT_FORMS).join(":, ")}:`;
		report.error(place, `The command does not say what it does. Write one of ${wanted}, or an executor.`);
		return undefined;
	}
	const [word, { kind, field: main }] = first;
	const value = command[word];
	const at = [...place, word];
	if (isRecord(value)) return { value: { kind, ...value }, placeOf: (field: string) => [...at, field] };
	const fields = kind === "program" ? lineOf(value, at, report) : { [main]: value };
	return { value: { kind, ...fields }, placeOf: () => at };
}

/** Splits a program's command line at spaces. Values are inserted later, so they cannot add arguments. */
function lineOf(value: unknown, place: Place, report: Report): object {
	if (typeof value === "string" && /["'\\]/.test(value))
		report.error(place, "Quotation marks are not read here. Write a list: the program, then each argument.");
	const words = typeof value === "string" ? wordList(value.replace(/\{\{\s*(\w+)\s*\}\}/g, "{{$1}}")) : value;
	const [program, ...rest] = Array.isArray(words) ? words : [words];
	return { program, arguments: rest };
}

const DEFAULTS: Readonly<Partial<Record<Executor["kind"], object>>> = {
	prompt: { tools: READING_TOOLS },
	vscode: { arguments: [] },
	tool: { input: {} },
	http: { method: "GET", headers: {}, timeout: 30 },
	program: { arguments: [], timeout: 30 },
};

interface ReadParts {
	readonly resources: readonly PluginResource[];
	error(field: string, message: string): void;
}

function withResource({ ...written }: WrittenExecutor, parts: ReadParts): object {
	switch (written.kind) {
		case "agent":
			return { kind: "agent", name: written.agent, template: written.template };
		case "chain":
			return { kind: "chain", name: written.chain, template: written.template };
		case "http":
			return requestWith(written, parts);
		case "sparql":
			return queryWith(written, parts);
		case "tool":
		case "program":
		case "prompt":
			return { ...written, resource: found(RESOURCES[written.kind], written, parts) };
		case "retrieval": {
			// The command's own values override those of the resource.
			const resource = found("index", written, parts);
			const { sources = resource?.sources, types = resource?.types } = written;
			return { ...written, sources, types, resource };
		}
		case "vscode":
			return written;
	}
}

const RESOURCES = { tool: "mcp", program: "files", prompt: "model" } as const;

function requestWith(written: Extract<WrittenExecutor, { kind: "http" }>, parts: ReadParts): object {
	const resource = found("http", written, parts);
	if (!resource) return { ...written, resource };
	if (!written.url.startsWith("/"))
		parts.error("url", "With a resource, the address is a path that begins with /.");
	const headers = { ...resource.headers, ...written.headers };
	return { ...written, url: resource.url + written.url, headers, resource };
}

function queryWith(written: Extract<WrittenExecutor, { kind: "sparql" }>, parts: ReadParts): object {
	const resource = found("sparql", written, parts);
	if (!resource) return { ...written, resource };
	if (written.limit !== undefined)
		parts.error("limit", "An endpoint only knows the limit in the query: write LIMIT.");
	const { url, headers } = resource;
	return { ...DEFAULTS.http, kind: "http", method: "POST", query: written.query, url, headers, resource };
}

/** Finds the named resource by id, name or type. Reports a missing resource, and one of another type. */
function found<Type extends PluginResource["type"]>(
	type: Type,
	{ resource: word, kind }: { readonly resource?: string | undefined; readonly kind: string },
	{ resources, error }: ReadParts,
): Extract<PluginResource, { readonly type: Type }> | undefined {
	if (word === undefined) return undefined;
	const resource = resourceNamed(resources, word);
	if (resource?.type === type) return resource as Extract<PluginResource, { readonly type: Type }>;
	const names = resources.map((one) => (one.name === "" ? `${one.id} (${one.type})` : one.name));
	error(
		"resource",
		resource
			? `A command of the kind ${kind} needs a resource of the type ${type}, not ${resource.type}.`
			: `There is no resource “${word.slice(0, 80)}”. Available: ${names.join(", ") || "none"}.`,
	);
	return undefined;
}

const MOST = 20;
const WHERE: Place = ["config", "resources"];

/** Reads the resources from a plugin's file. Other files with configuration cannot change resources. */
export function readResources({ config, hosts = [] }: Manifest, report: Report): PluginResource[] {
	const written = config?.["resources"];
	if (written === undefined) return [];
	if (!Array.isArray(written) || written.length > MOST) {
		report.error(WHERE, `Resources are a list of at most ${MOST}, each with a type and a config.`);
		return [];
	}
	const all = written.flatMap((item, index) => readOne(item, [...WHERE, index], report));
	for (const one of all) {
		const wrong = (field: string, message: string) => report.error([...one.place, "config", field], message);
		checkNames(one, all, report);
		checkResource(one.resource, hosts, wrong);
	}
	return all.map(({ resource }) => resource);
}

function checkNames({ resource, place }: LocatedResource, all: readonly LocatedResource[], report: Report) {
	const free = { id: DEFAULT_ID, name: "" };
	for (const field of ["id", "name"] as const) {
		const word = resource[field];
		const isTaken = all.some((other) => other.resource !== resource && other.resource[field] === word);
		if (word !== free[field] && isTaken)
			report.error([...place, field], `There is another resource with the ${field} “${word}”.`);
	}
}

type LocatedResource = ReturnType<typeof readOne>[number];

function readOne(item: unknown, place: Place, report: Report) {
	const outer = withoutIdle(item, (field) => [...place, field], report);
	const config = withoutIdle(fieldOf(outer, "config"), (field) => [...place, "config", field], report);
	const given = isRecord(outer) && config !== undefined ? { ...outer, config } : outer;
	if (!RESOURCE_TYPES.some((type) => type === textOf(item, "type"))) {
		const types = RESOURCE_TYPES.join(", ");
		const unknown = `The type of a resource must be one of ${types}. Other types are not opened for plugins.`;
		report.error(place, unknown);
		return [];
	}
	const data = parsed(resourceSchema, given, { report, placeOf: (path) => [...place, ...path] });
	return data ? [{ place, resource: resourceOf(data) }] : [];
}

function resourceOf({ id = DEFAULT_ID, name = "", type, config = {} }: z.infer<typeof resourceSchema>) {
	const own = { id, name, type };
	if ("name" in config) return { ...own, model: config.name } as PluginResource;
	if (!("url" in config)) return { ...own, ...config } as PluginResource;
	return { ...own, headers: {}, ...config, url: config.url.replace(/\/+$/, "") } as PluginResource;
}

function checkResource(resource: PluginResource, hosts: readonly string[], wrong: Wrong): void {
	const field = { name: "folder", type: { kind: "path" }, isRequired: true } as const;
	const mistake = resource.type === "files" && checkInput({ folder: resource.folder }, [field], {});
	if (mistake) wrong("folder", mistake);
	if (!("url" in resource)) return;
	checkAddress(resource, hosts, wrong);
	if (/[{?#]/.test(resource.url))
		wrong("url", "The address of a resource has no placeholders, and nothing after its path.");
	const { health = "/" } = { health: undefined, ...resource };
	if (!health.startsWith("/")) wrong("health", "Write a path below the address that begins with /.");
}
