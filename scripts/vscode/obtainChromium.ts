import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";
import { runProgram } from "../runProgram.ts";
import { step } from "../step.ts";

const NAMES = [
	"chromium",
	"chromium-browser",
	"google-chrome",
	"google-chrome-stable",
	"microsoft-edge",
	"chrome.exe",
	"msedge.exe",
];

/** Paths of installed Chromium browsers that are not on the PATH. */
const PLACES = [
	"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
	"/Applications/Chromium.app/Contents/MacOS/Chromium",
	"/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
	String.raw`C:\Program Files\Google\Chrome\Application\chrome.exe`,
	String.raw`C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe`,
];

/** Path of a Chromium: an existing one, else Debian's, else Playwright's. */
export async function obtainChromium(): Promise<string> {
	const { CHROMIUM } = process.env;
	const found = CHROMIUM ?? installed();
	if (found) return found;
	await step("Installing Chromium", install);
	const program = installed();
	if (program) return program;
	throw new Error(
		"No Chromium. Install Chromium, Chrome or Edge (on Debian: apt-get install chromium), or set CHROMIUM to its program.",
	);
}

function installed(): string | undefined {
	const { PATH = "" } = process.env;
	const folders = PATH.split(delimiter);
	const candidates = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
	return [...candidates, ...PLACES, chromium.executablePath()].find((path) => existsSync(path));
}

/** Prefers Debian's package, which has the needed libraries, unlike Playwright's download, but requires root. */
async function install(): Promise<void> {
	const attempt = (await isDebianRoot()) ? installFromDebian : installFromPlaywright;
	await attempt().catch((error: unknown) => console.error(`  ${error}`));
}

async function isDebianRoot(): Promise<boolean> {
	if (process.getuid?.() !== 0) return false;
	const system = await readFile("/etc/os-release", "utf8").catch(() => "");
	return /^ID=debian$/m.test(system);
}

async function installFromDebian(): Promise<void> {
	const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
	await runProgram("apt-get", ["update", "-qq"], { env });
	await runProgram("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "chromium"], { env });
}

function installFromPlaywright(): Promise<void> {
	const cli = join(import.meta.dirname, "..", "..", "node_modules", "playwright-core", "cli.js");
	return runProgram(process.execPath, [cli, "install", "chromium"]);
}
