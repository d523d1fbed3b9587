import { realpathSync } from "node:fs";
import { isFailure } from "../base/failure.ts";
import { cacheFolder } from "./dataFolder.ts";
import { helpText } from "./help.ts";
import { parseMcpArguments } from "./parseArguments.ts";
import { findPrograms } from "./programs.ts";
import { runFolderTests } from "./runFolderTests.ts";
import { readSecrets } from "./secrets.ts";
import { serveStdio } from "./serveStdio.ts";
import { optionsOf } from "./serviceOptions.ts";

// The MCP program: it answers a client over standard input and output until the input ends.
try {
	const programs = findPrograms(realpathSync(process.argv[1] ?? ""));
	const cache = cacheFolder(process.env, process.platform);
	const args = parseMcpArguments(process.argv.slice(2));
	if (args === "help") process.stdout.write(helpText(cache));
	else if (args === "version") process.stdout.write(`${programs.version}\n`);
	else {
		const options = optionsOf(args, { cache, modelFolder: programs.modelFolder });
		const { isTextOnly, permissions, tests } = args;
		const secrets = readSecrets(process.env);
		if (tests) void runTests(programs, { options, secrets, junit: tests.junit });
		else serveStdio(programs, { options, permissions, isStructured: !isTextOnly, secrets });
	}
} catch (thrown) {
	if (!isFailure(thrown)) throw thrown;
	process.stderr.write(`${thrown.message}\nTry --help.\n`);
	process.exitCode = 2;
}

async function runTests(...run: Parameters<typeof runFolderTests>): Promise<void> {
	process.exit(await runFolderTests(...run));
}
