import * as vscode from "vscode";
import { Failure } from "../../base/failure.ts";
import { createCallsAtWork } from "../../base/jobs/callsAtWork.ts";
import { type WorkPlace, workPlaceOf } from "../../base/program/runProgram.ts";
import type { ToolContext } from "../../core/agent/tool.ts";
import type {
	PluginCommand,
	PluginConsents,
	PluginDefinition,
	PluginFiles,
} from "../../core/plugin/plugin.ts";
import { createSessionConfig } from "../../plugins/manifest/config.ts";
import { createResources, createStartResource } from "../../plugins/resources/resources.ts";
import { requireAgreed } from "../../plugins/share/requireAgreed.ts";
import { callHostTool } from "../cancellation.ts";
import { folderPaths } from "../folders.ts";
import { createLiveFiles } from "../liveFiles.ts";
import { requireTrust } from "../registerEach.ts";

export type LivePlugins = ReturnType<typeof createLivePlugins>;

/** Actions of VS Code that a plugin's commands use, once the user or a rule has allowed them. */
const hostActions = {
	runCommand: async (command: string, args: readonly unknown[]): Promise<unknown> => {
		if ((await vscode.commands.getCommands(true)).includes(command))
			return vscode.commands.executeCommand(command, ...args);
		throw new Failure("NOT_FOUND", `VS Code has no command ${command} now: an extension may be missing.`);
	},
	callTool: async (name: string, input: object, context: ToolContext): Promise<string> => {
		if (vscode.lm.tools.some((tool) => tool.name === name)) return callHostTool(name, input, context);
		throw new Failure("NOT_FOUND", `VS Code knows no tool ${name} now: its MCP server may not be running.`);
	},
};

export function createLivePlugins(files: PluginFiles, { consentStateOf, agree }: PluginConsents) {
	const followed = createLiveFiles(files);
	const { onChange } = followed;
	const session = createSessionConfig(onChange);
	const errors = new Map<string, string>();
	const resources = createResources(createStartResource(placeOf), { onChange });
	const keeping = followed.onDidRead(({ plugins }) => void resources.keep(plugins));
	return {
		...followed,
		session,
		registry: async (signal?: AbortSignal) => session.over(await followed.registry(signal)),
		requireRun: async (plugin: PluginDefinition, command: PluginCommand) => {
			requireTrust(TRUST_FIRST);
			await requireAgreed({ consentStateOf, followed }, plugin, command);
		},
		consentStateOf,
		agree: async (plugin: PluginDefinition) => {
			await agree(plugin);
			onChange();
		},
		placeOf,
		calls: createCallsAtWork(),
		resources,
		host: hostActions,
		/** The error of a command's last call; `undefined` if it succeeded. */
		lastErrorOf: (command: string) => errors.get(command),
		onRun: (command: string, error: string | undefined) => {
			if (errors.get(command) === error) return;
			if (error === undefined) errors.delete(command);
			else errors.set(command, error);
			onChange();
		},
		dispose: () => {
			void resources.close();
			vscode.Disposable.from(keeping, followed).dispose();
		},
	};
}

function placeOf({ source }: PluginDefinition): WorkPlace | undefined {
	return workPlaceOf(source.uri, folderPaths());
}

const TRUST_FIRST = vscode.l10n.t(
	"Plugins are not run in an untrusted folder, because its files would define what they do. Trust the folder first.",
);
