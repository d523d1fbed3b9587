import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../paths.ts";
import { sourceTexts } from "./sources.ts";

/** Writes the English texts of the sources for translators, and returns them. */
export function writeEnglish(): readonly string[] {
	const { keys } = sourceTexts();
	mkdirSync(join(root, "l10n"), { recursive: true });
	writeTexts(
		"l10n/bundle.l10n.json",
		keys.map((key) => [key, key]),
	);
	return keys;
}

export function writeTexts(path: string, texts: readonly (readonly string[])[]): void {
	writeFileSync(join(root, path), `${JSON.stringify(Object.fromEntries(texts), undefined, "\t")}\n`);
}
