import { Failure } from "../../base/failure.ts";
import type { PluginConsents, PluginStanding } from "../../core/plugin/consent.ts";
import type { PluginCommand, PluginDefinition } from "../../core/plugin/plugin.ts";
import { onlyReads } from "./reach.ts";

/** Rejects with a `Failure` where a command does more than read, and the person did not agree to its plugin as it is. */
export async function requireAgreed(
	{ standingOf }: Pick<PluginConsents, "standingOf">,
	plugin: PluginDefinition,
	command: Pick<PluginCommand, "executor">,
): Promise<void> {
	if (onlyReads(command)) return;
	const standing = await standingOf(plugin);
	if (standing !== "agreed") throw new Failure("UNTRUSTED", `${why(plugin, standing)} ${ADVICE}`);
}

function why({ name }: PluginDefinition, standing: Exclude<PluginStanding, "agreed">): string {
	return standing === "changed"
		? `The plugin ${name} has changed since the user agreed to it, and this command does more than read.`
		: `The user has not agreed to the plugin ${name} yet, and this command does more than read.`;
}

const ADVICE = "They can review it with “Review Plugin” in the Plugins view of VS Code. Continue without it.";
