import { ourTools } from "./ourTools.ts";
import type { RunScope } from "./stepRunner.ts";

/** How agents know the server with our tools; some put it before the names of the tools. */
export const MCP_SERVER = "copilot-ld";

/** Our tools as the Copilot CLI names them, but for commands of plugins; each call is decided over where it runs. */
export const OUR_TOOLS_ON_CLI: ReadonlySet<string> = new Set(
	ourTools(({ about }, name) => about !== "plugins" && name !== "ask").map((name) => `${MCP_SERVER}-${name}`),
);

export interface StepGrant {
	/** Rules of permission for the chain apply in its steps. */
	readonly chain: string;
	readonly agent: string;
	readonly scope: RunScope;
}

/** Our tools for agents on this machine, over HTTP. */
export interface McpEndpoint {
	/** Listens, on the loopback interface only. `url` is the address of the Model Context Protocol there. */
	start(): Promise<{ readonly url: string }>;
	/** Bearer token of a session. Expires hours after its last call; with a step, calls stay within the step's grant. */
	tokenFor(session: string, step?: StepGrant): string;
	/** Whether the session was told of a command of a plugin by this name. */
	hasCommand(session: string, tool: string): boolean;
	/** Makes one token worthless; with the last one of a session, what is at work for it ends. */
	end(token: string): void;
	/** Makes every token of a session worthless, and ends what is at work for it. */
	revoke(session: string): void;
	/** Ends everything; no socket is left. */
	close(): Promise<void>;
}
