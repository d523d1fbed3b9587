import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { unescaped } from "../src/base/text/visibleText.ts";
import { SECRET_VARIABLES } from "../src/core/knowledge/secretVariables.ts";
import type { EndpointOptions } from "./endpointModel/endpoint.ts";
import { root } from "./paths.ts";

export interface FolderQuestion {
	readonly question: string;
	/** Absolute path. */
	readonly folder: string;
	/** The server of the model that answers; Passages if absent. */
	readonly endpoint: EndpointOptions | undefined;
}

/** Milliseconds between two checks of an index that is being built. */
const PAUSE = 200;

/** Asks the MCP program, which needs no window, when the index is up to date. Returns the answer as plain text. */
export async function askFolder({ question, folder, endpoint }: FolderQuestion): Promise<string> {
	const { address, name, keyVariable } = endpoint ?? {};
	const key = keyVariable === undefined ? undefined : process.env[keyVariable];
	if (keyVariable !== undefined && !key) throw new Error(`The variable ${keyVariable} is empty.`);
	const model = address && name ? ["--model-endpoint", address, "--model", name] : [];
	const program = [join(root, "dist", "mcp.cjs"), "--workspace", folder, ...model];
	const env = { ...process.env, ...(key && { [SECRET_VARIABLES.model]: key }) } as Record<string, string>;
	const client = new Client({ name: "npm start", version: "1" });
	await client.connect(new StdioClientTransport({ command: process.execPath, args: program, env }));
	const call = async (tool: string, input: Record<string, unknown>) => {
		const { content, isError, structuredContent } = await client.callTool({ name: tool, arguments: input });
		const text = (content as readonly { readonly text?: string }[]).map((part) => part.text ?? "").join("\n");
		if (isError) throw new Error(text);
		return { text, index: Object(structuredContent).index as { readonly state: string } | undefined };
	};
	try {
		let { index } = await call("describe_ontology", { refresh: true });
		for (; index?.state === "indexing"; { index } = await call("describe_ontology", {}))
			await setTimeout(PAUSE);
		return unescaped((await call("ask", { question })).text.replaceAll("**", ""));
	} finally {
		await client.close();
	}
}
