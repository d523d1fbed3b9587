import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { messageOf } from "../../base/failure.ts";
import { tell } from "../arguments/mcpRun.ts";
import { createStdioTransport } from "./stdioTransport.ts";

/** Answers until the client closes a pipe or a signal asks to stop; then closes each part, and lets the process end. */
export function serveUntilClosed(server: Server, closers: readonly ((() => unknown) | undefined)[]): void {
	const stop = stopOnce(closers);
	server.onerror = (error) => tell(error.message);
	server.onclose = stop;
	// A client that closes stderr may still read answers.
	process.stderr.on("error", () => undefined);
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, stop);
	server.connect(createStdioTransport(process.stdin, process.stdout)).catch((thrown: unknown) => {
		tell(messageOf(thrown));
		stop();
	});
}

function stopOnce(closers: readonly ((() => unknown) | undefined)[]): () => void {
	let isStopping = false;
	const close = async () => {
		for (const part of closers) await part?.();
	};
	return () => {
		if (isStopping) return;
		isStopping = true;
		close()
			.catch((thrown: unknown) => tell(messageOf(thrown)))
			.finally(() => process.exit());
	};
}
