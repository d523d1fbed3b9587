import { rm } from "node:fs/promises";
import { join } from "node:path";
import { ask } from "./ask.ts";
import { build } from "./build.ts";
import { thisTarget } from "./lancedb.ts";
import { packageFor } from "./package.ts";
import { demoModelFolder, outFolder, sampleFolder } from "./paths.ts";
import { runProgram } from "./runProgram.ts";
import { step } from "./step.ts";
import { checkOff, conclude, type Tally } from "./tally.ts";
import { obtainServer } from "./vscode/obtainServer.ts";

const QUESTION = "Which equipment does the museum have?";

/** Packages the extension for this platform, installs it into a VS Code that knows nothing of it, and asks. */
export async function testVsix(): Promise<Tally> {
	await build("--minify");
	return checkOff("the VSIX of this platform installs, activates and answers", async () => {
		const dataFolder = join(outFolder, "vsix");
		await rm(dataFolder, { recursive: true, force: true });
		await install(await packageFor(thisTarget()), dataFolder);
		const answer = await ask({
			text: QUESTION,
			folder: sampleFolder,
			extensions: [demoModelFolder],
			dataFolder,
		});
		if (answer.citations.length === 0) throw new Error(`The answer cites nothing: ${answer.answer}`);
	});
}

async function install(vsix: string, dataFolder: string): Promise<void> {
	const server = await obtainServer();
	const folders = ["--server-data-dir", dataFolder, "--extensions-dir", join(dataFolder, "extensions")];
	const args = [server, "--accept-server-license-terms", ...folders, "--install-extension", vsix];
	await step("Installing the VSIX", () => runProgram(process.execPath, args));
}

if (import.meta.main) conclude(await testVsix());
