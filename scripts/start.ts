import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { formatCitation } from "../src/core/knowledge/citation.ts";
import type { TurnRecord } from "../src/vscode/turn/turnRecord.ts";
import { ask } from "./ask.ts";
import { build } from "./build.ts";
import { type OpenOptions, openVscode } from "./openVscode.ts";
import { cacheFolder, root, sampleFolder } from "./paths.ts";

/** `npm start`: a real VS Code with this extension on a folder; with `--ask`, the answer to one question. */
async function main(): Promise<void> {
	const { folder, question } = readArguments();
	await build();
	const where: OpenOptions = {
		folder,
		extensions: [root],
		dataFolder: join(cacheFolder, "profile"),
	};
	if (question === undefined) await openVscode(where);
	else print(await ask({ ...where, text: question }));
}

function readArguments(): { folder: string; question: string | undefined } {
	const { values } = parseArgs({ options: { folder: { type: "string" }, ask: { type: "string" } } });
	// npm changes to the repository's root; a person means the folder that they stand in.
	const { INIT_CWD = "" } = process.env;
	const folder = values.folder ? resolve(INIT_CWD, values.folder) : sampleFolder;
	if (!existsSync(folder)) throw new Error(`There is no folder ${folder}.`);
	if (values.ask?.trim() === "") throw new Error('Say what to ask: npm start -- --ask "question".');
	return { folder, question: values.ask };
}

function print({ answer, citations, tools }: TurnRecord): void {
	console.log(`\n${answer.trim()}\n`);
	console.log(["Sources:", ...citations.map(formatCitation)].join("\n  "));
	console.log(["Tools:", ...tools.map(({ name, input }) => `${name} ${JSON.stringify(input)}`)].join("\n  "));
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => process.exit(130));
try {
	await main();
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}
