import { realpathSync } from "node:fs";
import { isFailure } from "../base/failure.ts";
import { cacheFolder } from "./arguments/dataFolder.ts";
import { helpText } from "./arguments/help.ts";
import { parseMcpArguments } from "./arguments/parseArguments.ts";
import { readSecrets } from "./arguments/secrets.ts";
import { optionsOf } from "./arguments/serviceOptions.ts";
import { findPrograms } from "./programs.ts";
import type { runFolderTests } from "./runFolderTests.ts";
import { serveStdio } from "./serveStdio.ts";

// The MCP program: it answers a client over standard input and output until the input ends.
try {
	const programs = findPrograms(realpathSync(process.argv[1] ?? ""));
	const cache = cacheFolder(process.env, process.platform);
	const args = parseMcpArguments(process.argv.slice(2));
	if (args === "help") process.stdout.write(helpText(cache));
	else if (args === "version") process.stdout.write(`${programs.version}\n`);
	else {
		const options = optionsOf(args, { cache, modelFolder: programs.modelFolder });
		const { isTextOnly, permissions, tests, model, agents: limits } = args;
		const secrets = readSecrets(process.env);
		if (tests) void runTests(programs, { options, secrets, model, ...tests });
		else serveStdio(programs, { options, permissions, isStructured: !isTextOnly, secrets, model, limits });
	}
} catch (thrown) {
	if (!isFailure(thrown)) throw thrown;
	process.stderr.write(`${thrown.message}\nTry --help.\n`);
	process.exitCode = 2;
}

async function runTests(...run: Parameters<typeof runFolderTests>): Promise<void> {
	const { runFolderTests } = await import("./runFolderTests.ts");
	process.exit(await runFolderTests(...run));
}
