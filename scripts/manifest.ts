import { readFileSync, writeFileSync } from "node:fs";
import { fileSchemas } from "./fileSchemas.ts";
import { toolContributions } from "./toolContributions.ts";

/** Writes the tools into the manifest, and the schemas of the files that people write, as the code describes them. */
const manifest = JSON.parse(readFileSync("package.json", "utf8"));
manifest.contributes.languageModelTools = toolContributions();
writeFileSync("package.json", `${JSON.stringify(manifest, undefined, "\t")}\n`);
for (const [path, schema] of Object.entries(fileSchemas()))
	writeFileSync(path, `${JSON.stringify(schema, undefined, "\t")}\n`);
