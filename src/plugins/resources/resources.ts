import { Failure, messageOf } from "../../base/failure.ts";
import { type ConfinedRequest, sendConfined } from "../../base/http/confinedRequest.ts";
import { untilAborted } from "../../base/jobs/untilAborted.ts";
import { requireFolderWithin, type WorkPlace } from "../../base/program/runProgram.ts";
import type { PluginDefinition } from "../../core/plugin/plugin.ts";
import type { PluginResource, ResourceState } from "../../core/plugin/resource.ts";
import { fillPlaces } from "../manifest/template.ts";
import { configured } from "../run/deed.ts";
import { type OpenResource, openMcpServer } from "./mcpServer.ts";

type LookForResource = (signal: AbortSignal) => Promise<unknown>;

export type StartResource = (
	resource: PluginResource,
	plugin: PluginDefinition,
	how: { readonly signal: AbortSignal; readonly look?: LookForResource | undefined },
) => Promise<OpenResource>;

/** Opens plugins' resources at first use, shares them, and closes them in reverse order. */
export type Resources = ReturnType<typeof createResources>;

interface Held {
	readonly holders: Set<string>;
	readonly opened: Promise<OpenResource>;
	state: ResourceState;
}

export function createResources(
	start: StartResource,
	{ startMs = 10_000, onChange = () => undefined }: { startMs?: number; onChange?: () => void } = {},
) {
	/** In the order in which the resources were opened. */
	const held = new Map<string, Held>();
	const begin = beginBy(start, { startMs, onChange });
	const release = async (key: string, one: Held) => {
		held.delete(key);
		await one.opened.then((opened) => opened.close()).catch(() => undefined);
	};
	const releaseAll = async (isOver: (key: string, one: Held) => boolean) => {
		for (const [key, one] of [...held].reverse()) if (isOver(key, one)) await release(key, one);
	};
	return {
		/** Resolves when the resource is ready. Rejects with a `Failure` that explains the cause to a model. */
		use: async (
			resource: PluginResource,
			plugin: PluginDefinition,
			{ signal, look }: { readonly signal: AbortSignal; readonly look?: LookForResource },
		) => {
			const key = keyOf(resource, plugin);
			const before = held.get(key);
			// The next call retries a failed resource.
			const one = before && before.state.kind !== "failed" ? before : begin(resource, plugin, look);
			held.set(key, one);
			one.holders.add(plugin.name);
			return untilAborted(one.opened, signal).catch((thrown) => {
				signal.throwIfAborted();
				const why = one.state.kind === "failed" ? one.state.why : messageOf(thrown);
				throw new Failure("ENDPOINT_FAILED", wordsFor(resource, plugin, why));
			});
		},
		stateOf: (resource: PluginResource, plugin: PluginDefinition) =>
			held.get(keyOf(resource, plugin))?.state ?? { kind: "unused" },
		keep: async (plugins: readonly PluginDefinition[]) => {
			const wanted = holdersOf(plugins);
			await releaseAll((key, { holders }) => {
				for (const name of holders) if (!wanted.get(key)?.has(name)) holders.delete(name);
				return holders.size === 0;
			});
		},
		close: () => releaseAll(() => true),
	};
}

/** Starts a resource within a time limit. Callers share the start, so no caller's signal stops it. */
function beginBy(start: StartResource, { startMs, onChange }: { startMs: number; onChange: () => void }) {
	return (resource: PluginResource, plugin: PluginDefinition, look: LookForResource | undefined): Held => {
		const limit = AbortSignal.timeout(startMs);
		const opened = untilAborted(start(resource, plugin, { signal: limit, look }), limit);
		const one: Held = { holders: new Set(), opened, state: { kind: "starting" } };
		const enter = (state: ResourceState) => {
			one.state = state;
			onChange();
		};
		void opened.then(
			() => enter({ kind: "ready" }),
			(thrown) => {
				const why = limit.aborted ? `it did not start within ${startMs / 1000} s` : messageOf(thrown);
				enter({ kind: "failed", why });
			},
		);
		return one;
	};
}

/** Plugins share a resource if the keys are equal. Resources with placeholders are not shared. */
function keyOf({ id: _, name: __, ...what }: PluginResource, { source }: PluginDefinition): string {
	const isOwn = JSON.stringify(what).includes("{{");
	const place = what.type === "files" ? source.uri.split("/").slice(0, -3).join("/") : "";
	return JSON.stringify([isOwn ? source.uri : place, what]);
}

function holdersOf(plugins: readonly PluginDefinition[]): ReadonlyMap<string, ReadonlySet<string>> {
	const holders = new Map<string, Set<string>>();
	for (const plugin of plugins)
		for (const resource of plugin.isDisabled ? [] : plugin.resources) {
			const key = keyOf(resource, plugin);
			holders.set(key, (holders.get(key) ?? new Set()).add(plugin.name));
		}
	return holders;
}

function wordsFor({ type, id, name }: PluginResource, plugin: PluginDefinition, why: string): string {
	const called = name === "" ? id : name;
	return `The resource ${called} (${type}) of the plugin ${plugin.name} is not available: ${why.replace(/\.$/, "")}. Continue without this command, or try it again later.`;
}

export function createStartResource(
	placeOf: (plugin: PluginDefinition) => WorkPlace | undefined,
): StartResource {
	return async (resource, plugin, { signal, look }) => {
		switch (resource.type) {
			case "mcp":
				return openMcpServer(requestTo(resource, plugin), signal);
			case "files": {
				const place = placeOf(plugin);
				if (!place) throw new Error("no folder is open");
				await requireFolderWithin(place.folder, resource.folder);
				break;
			}
			case "sparql":
				await requireAnswer(asking(requestTo(resource, plugin)), signal);
				break;
			case "http":
				if (resource.health !== undefined)
					await requireAnswer(requestTo(resource, plugin, resource.health), signal);
				break;
			case "index":
			case "model":
				// These resources are our own, so only the caller can check them.
				await look?.(signal);
		}
		return NOTHING_TO_CLOSE;
	};
}

function requestTo(
	{ url, headers }: Extract<PluginResource, { readonly url: string }>,
	plugin: PluginDefinition,
	path = "",
): ConfinedRequest {
	const values = configured(plugin);
	const filled = Object.entries(headers).map(([name, value]) => [name, fillPlaces(value, values)]);
	const own = { method: "GET", url: new URL(url + path), headers: Object.fromEntries(filled) };
	return { ...own, hosts: plugin.hosts, timeoutMs: 60_000, maxBytes: 64_000 };
}

function asking(request: ConfinedRequest): ConfinedRequest {
	const headers = { "content-type": "application/sparql-query", accept: "application/sparql-results+json" };
	return { ...request, method: "POST", headers: { ...headers, ...request.headers }, body: "ASK {}" };
}

async function requireAnswer(request: ConfinedRequest, signal: AbortSignal): Promise<void> {
	const { status } = await sendConfined(request, signal);
	if (status >= 400) throw new Error(`it answers with ${status}`);
}

const NOTHING_TO_CLOSE = { close: async () => undefined };
