import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { createPluginConsents } from "../../src/permissions/pluginConsents.ts";
import { createPluginFiles } from "../../src/worker/plugins/pluginFiles.ts";
import type { Workspace } from "../worker/workspace.ts";
import { EXAMPLE } from "./example.ts";

/** The plugins to copy, and the seed's component, in a folder; `host` serves the weather. */
export function exampleFiles(host: string): Record<string, string> {
	const example = (name: string) => readFileSync(`docs/examples/plugins/${name}/plugin.yaml`, "utf8");
	return {
		".copilot-ld/plugins/people/plugin.yaml": example("people"),
		".copilot-ld/plugins/weather/plugin.yaml": example("weather").replaceAll("127.0.0.1:8080", host),
		".copilot-ld/plugins/example/plugin.yaml": EXAMPLE,
	};
}

/** A server of this machine that knows the weather, and what it was asked. */
export async function serveWeather(t: Pick<TestContext, "after">) {
	const seen: string[] = [];
	const server = createServer((request, response) => {
		seen.push(`${request.method} ${request.url}`);
		response.writeHead(200, { "content-type": "application/json" }).end('{"sky":"clear"}');
	});
	await once(server.listen(0, "127.0.0.1"), "listening");
	t.after(() => server.close());
	const address = server.address();
	return { host: `127.0.0.1:${typeof address === "object" ? address?.port : ""}`, seen };
}

/** As a person does in VS Code. */
export async function agreeToAll(workspace: Workspace): Promise<void> {
	const uri = workspace.uri("").replace(/\/$/, "");
	const files = createPluginFiles({ folders: [{ uri, name: "kb" }], home: workspace.root });
	const folder = join(workspace.dataFolder, "permissions");
	const consents = createPluginConsents({ folder, workspaceUri: () => uri });
	const { plugins } = await files.registry(new AbortController().signal);
	for (const plugin of plugins) await consents.agree(plugin);
}
