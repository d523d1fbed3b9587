import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { createPluginConsents } from "../../src/permissions/records/pluginConsents.ts";
import { createPluginFiles } from "../../src/worker/plugins/pluginFiles.ts";
import { portOf } from "../support/listening.ts";
import type { Workspace } from "../worker/workspace.ts";
import { EXAMPLE } from "./example.ts";

/** The example plugins of the docs and the guide's component; `host` serves the weather. */
export function exampleFiles(host: string): Record<string, string> {
	const example = (name: string) => readFileSync(`docs/examples/plugins/${name}/plugin.yaml`, "utf8");
	const weather = example("weather").replaceAll("127.0.0.1:8080", host);
	const all = Object.entries({ people: example("people"), weather, example: EXAMPLE });
	return Object.fromEntries(all.map(([name, text]) => [`.copilot-ld/plugins/${name}/plugin.yaml`, text]));
}

export async function serveWeather(t: Pick<TestContext, "after">) {
	const seen: string[] = [];
	const server = createServer((request, response) => {
		seen.push(`${request.method} ${request.url}`);
		response.writeHead(200, { "content-type": "application/json" }).end('{"sky":"clear"}');
	});
	return { host: `127.0.0.1:${await portOf(t, server)}`, seen };
}

export async function agreeToAll(workspace: Workspace): Promise<void> {
	const uri = workspace.uri("").replace(/\/$/, "");
	const permissions = join(workspace.dataFolder, "permissions");
	await agreeIn({ uri, home: workspace.dataFolder, permissions, workspaceUri: uri });
}

/** Agrees to the plugins of the folder `uri`; `permissions` is the folder of rules and consents. */
export async function agreeIn(
	{ uri, home, permissions, workspaceUri }: Record<"uri" | "home" | "permissions" | "workspaceUri", string>,
	name?: string,
): Promise<void> {
	const files = createPluginFiles({ folders: [{ uri, name: "kb" }], home });
	const consents = createPluginConsents({ folder: permissions, workspaceUri: () => workspaceUri });
	const { plugins } = await files.registry(new AbortController().signal);
	const chosen = plugins.filter((plugin) => name === undefined || plugin.name === name);
	assert.notEqual(chosen.length, 0);
	for (const plugin of chosen) await consents.agree(plugin);
}
