import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { Failure } from "../../base/failure.ts";
import type { PluginConsents, PluginDefinition } from "../../core/plugin/plugin.ts";
import { createSealedLines } from "./sealedLines.ts";

export const CONSENT_FILE = "plugins.jsonl";

const line = z.strictObject({
	/** URI of the plugin's file; `instance` names one of several instances of the plugin. */
	plugin: z.string(),
	instance: z.string(),
	/** URI of the workspace; empty for the user's own plugins, which apply to all workspaces. */
	workspace: z.string(),
	fingerprint: z.string(),
	at: z.number(),
});

interface ConsentsOptions {
	readonly folder: string;
	workspaceUri(): string;
	/** Versions of plugins to which the user consented on the command line. */
	readonly agreed?: readonly { readonly name: string; readonly hash: string }[];
}

export function createPluginConsents({ folder, workspaceUri, agreed = [] }: ConsentsOptions): PluginConsents {
	const lines = createSealedLines(join(folder, CONSENT_FILE), (value) => line.safeParse(value).data);
	const keyOf = ({ source, agreedWith, ...own }: PluginDefinition) => ({
		plugin: agreedWith?.uri ?? source.uri,
		instance: agreedWith?.instance ?? own.instance,
		workspace: source.level === "user" ? "" : workspaceUri(),
	});
	return {
		consentStateOf: async (plugin) => {
			const { fingerprint, name, agreedWith } = plugin;
			const isMeant = (one: (typeof agreed)[number]) => one.name === name || agreedWith !== undefined;
			if (agreed.some((one) => isMeant(one) && fingerprint?.startsWith(one.hash))) return "agreed";
			const key = keyOf(plugin);
			// A damaged line does not count as consent: the user is asked again.
			const said = (await lines.read()).flatMap(({ value }) => value ?? []);
			const last = said.findLast(({ plugin: uri, instance, workspace }) =>
				isDeepStrictEqual({ plugin: uri, instance, workspace }, key),
			);
			if (!last) return "unseen";
			return last.fingerprint === fingerprint ? "agreed" : "changed";
		},
		agree: async (plugin) => {
			const { fingerprint, name } = plugin;
			const message = `The folder of the plugin ${name} contains a link, or is too large to check: it could change unnoticed.`;
			if (fingerprint === undefined) throw new Failure("BAD_INPUT", message);
			await lines.append([{ ...keyOf(plugin), fingerprint, at: Date.now() }]);
		},
	};
}
