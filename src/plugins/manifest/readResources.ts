import type * as z from "zod/mini";
import { fieldOf, isRecord, textOf } from "../../base/values.ts";
import { DEFAULT_ID, type PluginResource, RESOURCE_TYPES } from "../../core/plugin/resource.ts";
import { checkInput } from "../types/checkValue.ts";
import type { Place, Report } from "../types/readType.ts";
import { checkAddress, type Wrong } from "./checkExecutor.ts";
import { resourceSchema } from "./executorSchema.ts";
import { parsed, withoutIdle } from "./readYaml.ts";
import type { Manifest } from "./schema.ts";

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
