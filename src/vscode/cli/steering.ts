import { join } from "node:path";
import type * as vscode from "vscode";
import {
	createSteerFiles,
	type SteerFiles,
	type SteerPlugin,
	writeSteerPlugin,
} from "../../acp/turn/steerFiles.ts";

/** Lets the person speak into turns of the CLI, where the CLI that runs can be spoken to. */
export interface CliSteering {
	readonly files: SteerFiles;
	/** What a CLI of this version is started with; nothing for one that we do not start. */
	pluginFor(version: string | undefined): Promise<SteerPlugin>;
}

const NOTHING: SteerPlugin = { args: [], env: {} };

export function createCliSteering({ globalStorageUri }: vscode.ExtensionContext): CliSteering {
	const folder = join(globalStorageUri.fsPath, "cli-steering");
	const files = createSteerFiles(folder);
	let isThere = false;
	return {
		files: { ...files, canSteer: () => isThere },
		pluginFor: async (version) => {
			const plugin = version === undefined ? undefined : await writeSteerPlugin(folder, version);
			isThere = plugin !== undefined;
			return plugin ?? NOTHING;
		},
	};
}
