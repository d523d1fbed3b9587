import { readFileSync, writeFileSync } from "node:fs";
import { chainFileSchema } from "../src/orchestrator/plan/chainFile.ts";
import { toolContributions } from "./toolContributions.ts";

/** Writes the tools into the manifest, as the code describes them. */
const manifest = JSON.parse(readFileSync("package.json", "utf8"));
manifest.contributes.languageModelTools = toolContributions();
writeFileSync("package.json", `${JSON.stringify(manifest, undefined, "\t")}\n`);
writeFileSync("media/chain.schema.json", `${JSON.stringify(chainFileSchema(), undefined, "\t")}\n`);
