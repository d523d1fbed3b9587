import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { pathToFileURL } from "node:url";

export interface ServerOptions {
	/** `server-main.js` of the VS Code server. */
	readonly program: string;
	/** Folder for settings, state and log of the server. */
	readonly dataFolder: string;
	readonly extensionsFolder: string;
	readonly env?: NodeJS.ProcessEnv;
	/** Lets a page run test bundles. VS Code then shows no toasts, and so no progress notifications. */
	readonly isTest?: boolean;
}

export interface Server {
	/** Host and port. */
	readonly authority: string;
	/** The address that opens a folder in a browser; it contains the server's access token. */
	addressFor(folder: string, query?: Readonly<Record<string, string>>): string;
	/** Settles when the server has ended for any reason. */
	readonly ended: Promise<unknown>;
	stop(): Promise<void>;
}

/**
 * The port to use if it is free. VS Code keeps the state of a folder by its address, so with another port at each
 * start, it would rebuild the index every time.
 */
const PREFERRED_PORT = 41391;
/** Lets the server choose a free port. */
const ANY_PORT = 0;

/** Starts a VS Code server on the loopback interface; resolves when it listens. */
export async function startServer(options: ServerOptions): Promise<Server> {
	await mkdir(options.dataFolder, { recursive: true });
	// Tests start with new data each time, so they need no fixed port.
	const preferred = options.isTest ? undefined : await startOn(PREFERRED_PORT, options);
	const server = preferred ?? (await startOn(ANY_PORT, options));
	if (!server) throw new Error("The VS Code server found no free port.");
	return server;
}

/** Starts a server; `undefined` if the port is in use. */
async function startOn(port: number, options: ServerOptions): Promise<Server | undefined> {
	const token = randomBytes(16).toString("hex");
	const args = [options.program, ...argumentsFor(options, token, port)];
	const env = { ...process.env, ...options.env };
	const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] });
	const stopWithUs = () => child.kill();
	process.once("exit", stopWithUs);
	const log = createWriteStream(join(options.dataFolder, "server.log"));
	child.stdout.pipe(log, { end: false });
	child.stderr.pipe(log, { end: false });
	const ended = once(child, "close").finally(() => process.off("exit", stopWithUs));
	const early = ended.then(([code]) => {
		throw new Error(`The VS Code server ended with ${code}. See ${log.path}.`);
	});
	const stop = async () => {
		child.kill();
		await ended;
	};
	const found = await Promise.race([portSaidBy(child.stdout), takenPortSaidBy(child.stderr), early]);
	if (found === undefined) {
		await stop();
		return undefined;
	}
	const authority = `127.0.0.1:${found}`;
	return {
		authority,
		addressFor: (folder, query) => {
			const { pathname } = pathToFileURL(folder);
			const parameters = new URLSearchParams({ tkn: token, ...query });
			return `http://${authority}/?folder=${pathname}&${parameters}`;
		},
		ended,
		stop,
	};
}

export function argumentsFor(options: ServerOptions, token: string, port: number): string[] {
	return [
		"--host",
		"127.0.0.1",
		"--port",
		String(port),
		"--connection-token",
		token,
		"--accept-server-license-terms",
		"--telemetry-level",
		"off",
		...(options.isTest ? ["--enable-smoke-test-driver"] : []),
		"--server-data-dir",
		options.dataFolder,
		"--extensions-dir",
		options.extensionsFolder,
	];
}

function portSaidBy(output: Readable): Promise<string> {
	const { promise, resolve } = Promise.withResolvers<string>();
	createInterface({ input: output }).on("line", (line) => {
		const port = /^Extension host agent listening on (\d+)/.exec(line)?.[1];
		if (port) resolve(port);
	});
	return promise;
}

/** Resolves when the server reports that the port is in use; it then runs on without listening. */
function takenPortSaidBy(errors: Readable): Promise<undefined> {
	const { promise, resolve } = Promise.withResolvers<undefined>();
	createInterface({ input: errors }).on("line", (line) => {
		if (line.includes("EADDRINUSE")) resolve(undefined);
	});
	return promise;
}
