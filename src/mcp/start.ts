import { OLDEST_NODE } from "./oldestNode.ts";

// The MCP program starts here, in syntax that an old Node can read: a client may start it with any Node.
if (process.versions.node.localeCompare(OLDEST_NODE, undefined, { numeric: true }) < 0) {
	process.stderr.write(
		`Copilot-LD needs Node ${OLDEST_NODE} or newer, and this is ${process.versions.node}. Install a newer one from https://nodejs.org, or name its path as the command in the client's configuration.\n`,
	);
	process.exitCode = 2;
} else void import("./main.ts");
