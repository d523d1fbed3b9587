import { pathToFileURL } from "node:url";

const isBuilt = process.env["COPILOT_LD_BUILT"] === "true";

/**
 * What tests start in a process of its own: the programs that are shipped, which start much quicker,
 * where `npm test` has just built them; else the sources, so that a single file of tests needs no build.
 */
export const WORKER = isBuilt ? "dist/worker.cjs" : "src/worker/main.ts";
export const MCP_PROGRAM = isBuilt ? "dist/mcp.cjs" : "src/mcp/main.ts";

/** For a program that makes prompts: from its sources these are in a dialect that Node does not read. */
export const PROMPTS_ENV: Readonly<Record<string, string>> = isBuilt
	? {}
	: { NODE_OPTIONS: `--import ${pathToFileURL("test/support/tsxHook.ts").href}` };
