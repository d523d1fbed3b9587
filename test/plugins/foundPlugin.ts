import type { FoundManifest } from "../../src/plugins/manifest/assemble.ts";
import { readManifest } from "../../src/plugins/manifest/readManifest.ts";

export function foundPlugin(
	name: string,
	text: string,
	level: "workspace" | "user" = "workspace",
): FoundManifest {
	const uri = `file:///kb/.copilot-ld/plugins/${name}/plugin.yaml`;
	return { ...readManifest(text, { uri, name }), source: { uri, level } };
}

export function problemsIn(text: string, name = "small"): string[] {
	return foundPlugin(name, text).problems.map(
		({ line, severity, message }) => `${line} ${severity}: ${message}`,
	);
}
