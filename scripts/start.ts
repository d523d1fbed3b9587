import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { build } from "./build.ts";
import { cacheFolder, endpointModelFolder, root, sampleFolder } from "./paths.ts";

/** `npm start`: a real VS Code with this extension on a folder; with `--ask`, the answer to one question. */
async function main(): Promise<void> {
	const { folder, question, endpoint } = readArguments();
	if (question !== undefined) {
		await build();
		const { askFolder } = await import("./askFolder.ts");
		console.log(`\n${await askFolder({ question, folder, endpoint })}`);
		return;
	}
	// Check the endpoint before building, so that a wrong address is reported at once.
	if (endpoint) {
		const { endpointVariables } = await import("./endpointModel/endpoint.ts");
		Object.assign(process.env, await endpointVariables(endpoint, new AbortController().signal));
	}
	await build();
	const { openVscode } = await import("./openVscode.ts");
	const extensions = endpoint ? ([root, endpointModelFolder] as const) : ([root] as const);
	await openVscode({ folder, extensions, dataFolder: join(cacheFolder, "profile") });
}

const USAGE = `
npm start                                   VS Code with this extension and its sample
npm start -- --folder DIR                   the same with a folder
npm start -- --folder DIR --ask QUESTION    the answer to one question
  --model-endpoint ADDRESS --model NAME     by a language model of an OpenAI-compatible server
  --model-key-variable NAME                 the environment variable with its key`;

const OPTIONS = {
	folder: { type: "string" },
	ask: { type: "string" },
	"model-endpoint": { type: "string" },
	model: { type: "string" },
	"model-key-variable": { type: "string" },
} as const;

function readOptions() {
	try {
		return parseArgs({ options: OPTIONS }).values;
	} catch (thrown) {
		throw new Error(`${thrown instanceof Error ? thrown.message : thrown}\n${USAGE}`, { cause: thrown });
	}
}

function readArguments() {
	const values = readOptions();
	// npm changes to the repository's root, but paths are relative to the user's current folder.
	const { INIT_CWD = "" } = process.env;
	const folder = values.folder ? resolve(INIT_CWD, values.folder) : sampleFolder;
	if (!existsSync(folder)) throw new Error(`There is no folder ${folder}.`);
	if (values.ask?.trim() === "") throw new Error('Say what to ask: npm start -- --ask "question".');
	const { "model-endpoint": address, model: name, "model-key-variable": keyVariable } = values;
	if ((address ?? keyVariable) !== undefined && name === undefined)
		throw new Error("Say which model: npm start -- --model-endpoint http://localhost:11434/v1 --model NAME.");
	if (name !== undefined && address === undefined)
		throw new Error(
			"Say where the model is: npm start -- --model-endpoint http://localhost:11434/v1 --model NAME.",
		);
	const endpoint = address !== undefined && name !== undefined ? { address, name, keyVariable } : undefined;
	return { folder, question: values.ask, endpoint };
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => process.exit(130));
try {
	await main();
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}
