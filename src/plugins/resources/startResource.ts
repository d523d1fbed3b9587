import { type ConfinedRequest, sendConfined } from "../../base/http/confinedRequest.ts";
import { requireFolderWithin, type WorkPlace } from "../../base/program/runProgram.ts";
import type { PluginDefinition } from "../../core/plugin/plugin.ts";
import type { PluginResource } from "../../core/plugin/resource.ts";
import { fillPlaces } from "../manifest/template.ts";
import { configured } from "../run/deed.ts";
import { openMcpServer } from "./mcpServer.ts";
import type { StartResource } from "./resources.ts";

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
