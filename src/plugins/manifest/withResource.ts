import type { Executor } from "../../core/plugin/plugin.ts";
import { type PluginResource, resourceNamed } from "../../core/plugin/resource.ts";
import type { WrittenCommand } from "./schema.ts";

type Written = WrittenCommand["executor"];

/** With what its resource says in place of the resource's name. */
export type CompiledExecutor =
	| Exclude<Written, { readonly resource?: unknown }>
	| WithResource<Extract<Written, { readonly kind: "http" | "program" | "retrieval" | "prompt" }>>
	| Omit<Extract<Written, { readonly kind: "sparql" | "tool" }>, "resource">
	| Extract<Executor, { readonly kind: "endpoint" | "mcp" }>;

type WithResource<One> = One extends unknown
	? Omit<One, "resource" | "sources" | "types"> & {
			readonly resource?: PluginResource | undefined;
			readonly sources?: readonly string[] | undefined;
			readonly types?: readonly string[] | undefined;
		}
	: never;

interface Told {
	error(field: string, message: string): void;
}

/** Finds the resource by its id, its name or its type. */
export function withResource(
	written: Written,
	resources: readonly PluginResource[],
	report: Told,
): CompiledExecutor {
	switch (written.kind) {
		case "http":
			return requestWith(written, resources, report);
		case "sparql":
			return queryWith(written, resources, report);
		case "tool":
			return callWith(written, resources, report);
		case "retrieval":
			return searchWith(written, resources, report);
		case "program":
			return { ...written, resource: found("files", written, resources, report) };
		case "prompt":
			return { ...written, resource: found("model", written, resources, report) };
		default:
			return written;
	}
}

/** What it says itself counts, where it says something. */
function searchWith(
	written: Extract<Written, { readonly kind: "retrieval" }>,
	resources: readonly PluginResource[],
	report: Told,
): CompiledExecutor {
	const resource = found("index", written, resources, report);
	const { sources = resource?.sources, types = resource?.types } = written;
	return { ...written, sources, types, resource };
}

function callWith(
	{ resource: word, ...own }: Extract<Written, { readonly kind: "tool" }>,
	resources: readonly PluginResource[],
	report: Told,
): CompiledExecutor {
	const resource = found("mcp", { resource: word, kind: own.kind }, resources, report);
	if (!resource) return own;
	return { kind: "mcp", tool: own.tool, input: own.input ?? {}, url: resource.url, resource };
}

function requestWith(
	{ resource: word, ...own }: Extract<Written, { readonly kind: "http" }>,
	resources: readonly PluginResource[],
	report: Told,
): CompiledExecutor {
	const resource = found("http", { resource: word, kind: own.kind }, resources, report);
	if (!resource) return own;
	if (!own.url.startsWith("/"))
		report.error("url", "With a resource, the address is a path that begins with /.");
	const headers = { ...resource.headers, ...own.headers };
	return { ...own, url: resource.url + own.url, headers, resource };
}

function queryWith(
	{ resource: word, ...own }: Extract<Written, { readonly kind: "sparql" }>,
	resources: readonly PluginResource[],
	report: Told,
): CompiledExecutor {
	const resource = found("sparql", { resource: word, kind: own.kind }, resources, report);
	if (!resource) return own;
	if (own.limit !== undefined)
		report.error("limit", "An endpoint only knows the limit in the query: write LIMIT.");
	return { kind: "endpoint", query: own.query, url: resource.url, headers: resource.headers, resource };
}

/** `undefined` where none is named, or the one that is named does not do. */
function found<Type extends PluginResource["type"]>(
	type: Type,
	{ resource: word, kind }: { readonly resource?: string | undefined; readonly kind: string },
	resources: readonly PluginResource[],
	report: Told,
): Extract<PluginResource, { readonly type: Type }> | undefined {
	if (word === undefined) return undefined;
	const resource = resourceNamed(resources, word);
	if (!resource)
		report.error(
			"resource",
			`There is no resource “${word.slice(0, 80)}”. Available: ${namesOf(resources)}.`,
		);
	else if (isOf(resource, type)) return resource;
	else
		report.error(
			"resource",
			`A command of the kind ${kind} needs a resource of the type ${type}, not ${resource.type}.`,
		);
	return undefined;
}

function isOf<Type extends PluginResource["type"]>(
	resource: PluginResource,
	type: Type,
): resource is Extract<PluginResource, { readonly type: Type }> {
	return resource.type === type;
}

function namesOf(resources: readonly PluginResource[]): string {
	return resources.map(({ id, name, type }) => (name === "" ? `${id} (${type})` : name)).join(", ") || "none";
}
