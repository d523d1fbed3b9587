import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { obtainDesktop } from "./vscode/obtainDesktop.ts";
import { obtainServer } from "./vscode/obtainServer.ts";
import { desktopArguments, linkExtensions, presetSettings } from "./vscode/profile.ts";
import { startServer } from "./vscode/server.ts";

export interface OpenOptions {
	/** Absolute path of the folder to open. */
	readonly folder: string;
	/** Absolute paths of the extensions to load. */
	readonly extensions: readonly [string, ...string[]];
	readonly dataFolder: string;
}

const HOW_TO_ASK = `In the chat, type for example: @copilot-ld what is this knowledge base about?
Ctrl-C ends it.`;

/** Opens VS Code for the user; resolves when it is closed. */
export async function openVscode(options: OpenOptions): Promise<void> {
	process.env["COPILOT_LD_GREET"] = "1";
	const desktop = await obtainDesktop();
	await (desktop ? openDesktop(desktop, options) : openServer(options));
}

async function openDesktop(program: string, { folder, extensions, dataFolder }: OpenOptions): Promise<void> {
	await presetSettings(join(dataFolder, "User"));
	const development = extensions.map((path) => `--extensionDevelopmentPath=${path}`);
	const child = spawn(program, [folder, ...development, ...desktopArguments(dataFolder)], {
		stdio: "ignore",
	});
	process.once("exit", () => child.kill());
	console.error(`VS Code is open on ${folder}.\n${HOW_TO_ASK}`);
	await once(child, "close");
}

async function openServer({ folder, extensions, dataFolder }: OpenOptions): Promise<void> {
	const program = await obtainServer();
	const extensionsFolder = join(dataFolder, "extensions");
	await presetSettings(join(dataFolder, "data", "User"));
	await linkExtensions(extensions, extensionsFolder);
	const server = await startServer({ program, dataFolder, extensionsFolder });
	console.error(`VS Code is open on ${folder}. Go to\n\n  ${server.addressFor(folder)}\n\n${HOW_TO_ASK}`);
	await server.ended;
}
