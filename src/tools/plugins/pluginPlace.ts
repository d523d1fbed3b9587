import type { WorkPlace } from "../../base/program/workPlace.ts";
import type { PluginCommand, PluginDefinition, PluginFiles } from "../../core/plugin/plugin.ts";
import type { Resources } from "../../plugins/resources/resources.ts";
import type { CallsAtWork } from "../../plugins/run/callsAtWork.ts";
import type { HostActions } from "./doDeed.ts";

/** Where plugins come from, and whether they may run here. */
export interface PluginPlace extends Pick<PluginFiles, "registry"> {
	/** Has the next look read the files again; absent where nothing is kept. */
	forget?(): void;
	/** Throws, or rejects with, a `Failure` that says why a command may not run. */
	requireRun(plugin: PluginDefinition, command: PluginCommand): void | Promise<void>;
	/** Where a plugin works; `undefined` where no folder is open. */
	placeOf(plugin: PluginDefinition): WorkPlace | undefined;
	readonly calls: CallsAtWork;
	/** Absent where nothing is held for plugins. */
	readonly resources?: Pick<Resources, "use">;
	/** Absent outside of an editor. */
	readonly host?: HostActions;
	/** Told of each call of a command; absent where nobody looks. */
	onRun?(command: string, error: string | undefined): void;
}
