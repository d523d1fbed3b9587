import { Failure } from "../../base/failure.ts";
import type {
	PluginCommand,
	PluginConsents,
	PluginDefinition,
	PluginStanding,
} from "../../core/plugin/plugin.ts";
import type { FollowedPlugins } from "../run/followPlugins.ts";
import { onlyReads } from "./reach.ts";

interface Agreeing extends Pick<PluginConsents, "standingOf"> {
	/** The current files of plugins. */
	readonly followed: Pick<FollowedPlugins, "registry" | "forget">;
}

/** Rejects with a `Failure` if a command does more than read, and the user did not agree to the current version of its plugin. */
export async function requireAgreed(
	{ standingOf, followed }: Agreeing,
	plugin: PluginDefinition,
	command: Pick<PluginCommand, "executor">,
): Promise<void> {
	if (onlyReads(command)) return;
	const standing = await standingOf(plugin);
	if (standing === "agreed" && (await isAsRead(plugin, command, followed))) return;
	const why = standing === "agreed" ? "changed" : standing;
	throw new Failure("UNTRUSTED", `${reasonFor(plugin, why)} ${ADVICE}`);
}

/** A program may be beside the file, or read what is there as its script: what was known of that folder may be some seconds old. */
async function isAsRead(
	{ source, instance, fingerprint }: PluginDefinition,
	{ executor }: Pick<PluginCommand, "executor">,
	{ registry, forget }: Agreeing["followed"],
): Promise<boolean> {
	if (executor.kind !== "program") return true;
	forget();
	const { plugins } = await registry(never);
	const now = plugins.find((one) => one.source.uri === source.uri && one.instance === instance);
	return now?.fingerprint === fingerprint;
}

const never = new AbortController().signal;

function reasonFor({ name }: PluginDefinition, standing: Exclude<PluginStanding, "agreed">): string {
	return standing === "changed"
		? `The plugin ${name} has changed since the user agreed to it, and this command does more than read.`
		: `The user has not agreed to the plugin ${name} yet, and this command does more than read.`;
}

const ADVICE = "They can review it with “Review Plugin” in the Plugins view of VS Code. Continue without it.";
