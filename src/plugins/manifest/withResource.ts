import type { Executor } from "../../core/plugin/plugin.ts";
import { type PluginResource, resourceNamed } from "../../core/plugin/resource.ts";
import type { WrittenCommand } from "./schema.ts";

type Written = WrittenCommand["executor"];

/** With what its resource says in place of the resource's name. */
export type CompiledExecutor =
	| Exclude<Written, { readonly kind: "http" | "program" | "sparql" }>
	| WithResource<Extract<Written, { readonly kind: "http" }>>
	| WithResource<Extract<Written, { readonly kind: "program" }>>
	| Omit<Extract<Written, { readonly kind: "sparql" }>, "resource">
	| Extract<Executor, { readonly kind: "endpoint" }>;

type WithResource<One> = Omit<One, "resource"> & { readonly resource?: PluginResource };

interface Told {
	error(field: string, message: string): void;
}

/** Finds the resource by its id, its name or its type. */
export function withResource(
	written: Written,
	resources: readonly PluginResource[],
	report: Told,
): CompiledExecutor {
	if (written.kind === "http") return requestWith(written, resources, report);
	if (written.kind === "sparql") return queryWith(written, resources, report);
	if (written.kind !== "program") return written;
	const { resource: word, ...own } = written;
	const resource = found("files", { word, kind: own.kind }, resources, report);
	return { ...own, ...(resource && { resource }) };
}

function requestWith(
	{ resource: word, ...own }: Extract<Written, { readonly kind: "http" }>,
	resources: readonly PluginResource[],
	report: Told,
): CompiledExecutor {
	const resource = found("http", { word, kind: own.kind }, resources, report);
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
	const resource = found("sparql", { word, kind: own.kind }, resources, report);
	if (!resource) return own;
	if (own.limit !== undefined)
		report.error("limit", "An endpoint has no limit but the query's: write LIMIT.");
	return { kind: "endpoint", query: own.query, url: resource.url, headers: resource.headers, resource };
}

/** `undefined` where none is named, or the one that is named does not do. */
function found<Type extends PluginResource["type"]>(
	type: Type,
	{ word, kind }: { readonly word: string | undefined; readonly kind: string },
	resources: readonly PluginResource[],
	report: Told,
): Extract<PluginResource, { readonly type: Type }> | undefined {
	if (word === undefined) return undefined;
	const resource = resourceNamed(resources, word);
	if (!resource)
		report.error(
			"resource",
			`There is no resource “${word.slice(0, 80)}”. There are: ${namesOf(resources)}.`,
		);
	else if (isOf(resource, type)) return resource;
	else
		report.error(
			"resource",
			`A command of the kind ${kind} works with a resource of the type ${type}, not ${resource.type}.`,
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
