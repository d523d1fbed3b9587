import { download, SilentReporter } from "@vscode/test-electron";
import { cacheFolder } from "../paths.ts";
import { step } from "../step.ts";

const VERSION = "1.139.1";
/** Milliseconds without a byte after which the download is given up. */
const PATIENCE_MS = 15_000;

/** Path of a desktop VS Code; `undefined` without a display, or if it cannot be downloaded. */
export async function obtainDesktop(): Promise<string | undefined> {
	if (!hasDisplay()) return undefined;
	const options = {
		version: VERSION,
		cachePath: cacheFolder,
		reporter: new SilentReporter(),
		timeout: PATIENCE_MS,
	};
	return step("Obtaining the desktop VS Code", () => download(options)).catch((error: Error) => {
		console.error(`  Not to be had: ${error.message}. The VS Code server is taken instead.`);
		return undefined;
	});
}

function hasDisplay(): boolean {
	if (process.platform !== "linux") return true;
	const { DISPLAY, WAYLAND_DISPLAY } = process.env;
	return Boolean(DISPLAY || WAYLAND_DISPLAY);
}
