import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ask } from "./ask.ts";
import { build } from "./build.ts";
import { thisTarget } from "./nativeLibraries.ts";
import { packageFor } from "./package.ts";
import { sampleFolder, scriptedModelFolder } from "./paths.ts";
import { step } from "./step.ts";
import { checkOff, conclude, type Tally } from "./tally.ts";
import { obtainServer } from "./vscode/obtainServer.ts";

const QUESTION = "When are the fog horns tested?";
const SOURCE = "handbook/fog-signals.md";

/**
 * Packs the extension for this platform, installs it into a new VS Code, and asks a question. Requires minified
 * programs.
 */
export async function testVsix(): Promise<Tally> {
	// Outside of the repository, whose modules would hide a package missing from the VSIX.
	const dataFolder = await mkdtemp(join(tmpdir(), "copilot-ld-vsix-"));
	const tally = await checkOff("the VSIX of this platform installs, activates and answers", async () => {
		await install(await packageFor(thisTarget()), dataFolder);
		// VS Code runs a bundle only with an extension under development; this one is not asked.
		const where = { folder: sampleFolder, extensions: [scriptedModelFolder] as const, dataFolder };
		const { answer, citations } = await ask({ text: QUESTION, ...where });
		if (!citations.some(({ path }) => path === SOURCE))
			throw new Error(`It does not cite ${SOURCE}: ${answer}`);
	});
	if (tally.failed === 0) await rm(dataFolder, { recursive: true, force: true });
	return tally;
}

async function install(vsix: string, dataFolder: string): Promise<void> {
	const server = await obtainServer();
	const folders = ["--server-data-dir", dataFolder, "--extensions-dir", join(dataFolder, "extensions")];
	const args = [server, "--accept-server-license-terms", ...folders, "--install-extension", vsix];
	await step("Installing the VSIX", () => promisify(execFile)(process.execPath, args));
}

if (import.meta.main) {
	await build("--minify");
	conclude(await testVsix());
}
