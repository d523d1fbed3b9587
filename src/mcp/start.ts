import { OLDEST_NODE } from "./oldestNode.ts";

// Starts the MCP program. Uses syntax of old versions of Node, because clients may run any version.
if (process.versions.node.localeCompare(OLDEST_NODE, undefined, { numeric: true }) < 0) {
	process.stderr.write(
		`Copilot-LD needs Node ${OLDEST_NODE} or newer, and this is ${process.versions.node}. Install a newer one from https://nodejs.org, or name its path as the command in the client's configuration.\n`,
	);
	process.exitCode = 2;
} else void import("./main.ts");
