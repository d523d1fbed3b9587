import { Failure } from "../../base/failure.ts";
import type { Followed } from "../../base/jobs/follow.ts";
import {
	isActing,
	type PluginCommand,
	type PluginConsents,
	type PluginDefinition,
	type PluginRegistry,
} from "../../core/plugin/plugin.ts";

interface Agreeing {
	readonly consentStateOf: PluginConsents["consentStateOf"];
	readonly followed: Followed<PluginRegistry>;
}

/** Rejects with a `Failure` if the command acts and the user has not agreed to this version of the plugin. */
export async function requireAgreed(
	{ consentStateOf, followed }: Agreeing,
	plugin: PluginDefinition,
	command: PluginCommand,
): Promise<void> {
	if (!isActing(command.executor)) return;
	const standing = await consentStateOf(plugin);
	if (standing === "agreed" && (await isAsRead(plugin, command, followed))) return;
	const { name } = plugin;
	const reason =
		standing === "unseen"
			? `The user has not agreed to the plugin ${name} yet, and this command does more than read.`
			: `The plugin ${name} has changed since the user agreed to it, and this command does more than read.`;
	throw new Failure("UNTRUSTED", `${reason} ${ADVICE}`);
}

/** Whether a plugin is unchanged. Reads the files of programs again, because they may have just changed. */
async function isAsRead(
	{ source, instance, fingerprint }: PluginDefinition,
	{ executor }: PluginCommand,
	{ registry, forget }: Agreeing["followed"],
): Promise<boolean> {
	if (executor.kind !== "program") return true;
	forget();
	const { plugins } = await registry(never);
	const now = plugins.find((one) => one.source.uri === source.uri && one.instance === instance);
	return now?.fingerprint === fingerprint;
}

const never = new AbortController().signal;

const ADVICE = "They can review it with “Review Plugin” in the Plugins view of VS Code. Continue without it.";

/** Whether a plugin, or a plugin in its folder, requires consent. */
export function needsConsent(plugin: PluginDefinition, all: readonly PluginDefinition[]): boolean {
	return [plugin, ...pluginsInFolderOf(plugin, all)].some(
		({ commands, hooks }) => hooks.length > 0 || commands.some(({ executor }) => isActing(executor)),
	);
}

export function pluginsInFolderOf({ source }: PluginDefinition, all: readonly PluginDefinition[]) {
	return all.filter((one) => one.agreedWith?.uri === source.uri);
}

/** The copilot whose consent covers a plugin; `undefined` if it is not inside of a copilot. */
export function agreedWith({ agreedWith: outer }: PluginDefinition, all: readonly PluginDefinition[]) {
	return outer && all.find(({ source, instance }) => source.uri === outer.uri && instance === outer.instance);
}
