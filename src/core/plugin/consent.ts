import type { PluginDefinition } from "./plugin.ts";

/** `unseen` where the person never agreed to the plugin, `changed` where they agreed to what it was before. */
export type PluginStanding = "agreed" | "changed" | "unseen";

/** Which plugins the person agreed to, each as it was then. */
export interface PluginConsents {
	standingOf(plugin: PluginDefinition): Promise<PluginStanding>;
	/** To the plugin as it is. Rejects where it cannot be told whether it changes. */
	agree(plugin: PluginDefinition): Promise<void>;
}
