import { globSync, readFileSync } from "node:fs";
import { writeEnglish, writeTexts } from "./bundle.ts";

/** `npm run l10n`: writes the English texts, removes unused translations, and lists missing ones. */
const keys = writeEnglish();
for (const path of globSync("l10n/bundle.l10n.*.json")) {
	const known: Readonly<Record<string, string>> = JSON.parse(readFileSync(path, "utf8"));
	writeTexts(
		path,
		keys.flatMap((key) => (known[key] === undefined ? [] : [[key, known[key]]])),
	);
	const missing = keys.filter((key) => known[key] === undefined);
	if (missing.length > 0)
		console.log(`${path} lacks:\n${missing.map((key) => JSON.stringify(key)).join("\n")}`);
}
