import { pathToFileURL } from "node:url";

const isBuilt = process.env["COPILOT_LD_BUILT"] === "true";

/**
 * Programs that tests start as separate processes: the bundles, which start faster, if `npm test` has just
 * built them; else the sources, so that a single test file needs no build.
 */
export const WORKER = isBuilt ? "dist/worker.cjs" : "src/worker/main.ts";
export const MCP_PROGRAM = isBuilt ? "dist/mcp.cjs" : "src/mcp/main.ts";

/** Environment for programs that use prompts: their sources are in JSX, which Node does not support. */
export const PROMPTS_ENV: Readonly<Record<string, string>> = isBuilt
	? {}
	: { NODE_OPTIONS: `--import ${pathToFileURL("test/support/tsxHook.ts").href}` };
