import { readFileSync, writeFileSync } from "node:fs";
import { fileSchemas } from "./fileSchemas.ts";
import { mcpDocs } from "./mcpTables.ts";
import { mcpTools, toolContributions, toolTexts } from "./toolContributions.ts";

/** Writes tools into the manifest and the docs, and the schemas of users' files, from the code. */
const manifest = JSON.parse(readFileSync("package.json", "utf8"));
manifest.contributes.languageModelTools = toolContributions();
const texts = { ...JSON.parse(readFileSync("package.nls.json", "utf8")), ...toolTexts() };
const files = { "package.json": manifest, "package.nls.json": texts, ...fileSchemas() };
for (const [path, content] of Object.entries(files))
	writeFileSync(path, `${JSON.stringify(content, undefined, "\t")}\n`);
writeFileSync("docs/mcp.md", mcpDocs(mcpTools()));
