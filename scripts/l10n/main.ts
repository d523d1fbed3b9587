import { globSync, readFileSync, writeFileSync } from "node:fs";
import { sourceTexts } from "./sources.ts";

/** `npm run l10n`: writes the English texts that the sources ask for, takes out of the translations what nobody asks for, and says what they lack. */
const { keys } = sourceTexts();
write("l10n/bundle.l10n.json", Object.fromEntries(keys.map((key) => [key, key])));
for (const path of globSync("l10n/bundle.l10n.*.json")) {
	const known: Readonly<Record<string, string>> = JSON.parse(readFileSync(path, "utf8"));
	const translated = keys.flatMap((key) => (known[key] === undefined ? [] : [[key, known[key]] as const]));
	write(path, Object.fromEntries(translated));
	const missing = keys.filter((key) => known[key] === undefined);
	if (missing.length > 0)
		console.log(`${path} lacks:\n${missing.map((key) => JSON.stringify(key)).join("\n")}`);
}

function write(path: string, texts: object): void {
	writeFileSync(path, `${JSON.stringify(texts, undefined, "\t")}\n`);
}
