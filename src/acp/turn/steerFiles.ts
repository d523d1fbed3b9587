import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Puts words of the person into a turn that the CLI is at work on. */
export interface SteerFiles {
	/** Whether the CLI that runs has the plugin. */
	canSteer(): boolean;
	/** The next call of the session that ends takes these words to the model; they stand in place of what was there. */
	offer(session: string, words: readonly string[]): Promise<void>;
	/** Whether what was offered is still there; it is not offered any more then. */
	takeBack(session: string): Promise<boolean>;
}

/** What the CLI must be started with. */
export interface SteerPlugin {
	readonly args: readonly string[];
	readonly env: Readonly<Record<string, string>>;
}

/** The first version that this was tried on: an older one may not know the option, and would not start. */
const SINCE = "1.0.102";

/** Names the folder with the words to the hook. */
const FOLDER = "COPILOT_LD_STEER";

/**
 * Over ACP a second prompt cancels the first, and no method puts words into a turn. The CLI's hooks can: what a hook
 * says after a call goes to the model with the call's result. This one says what lies ready for its session, once.
 */
const SCRIPT = [
	"id=$(head -c 300; cat >/dev/null)",
	`id=\${id#*'"sessionId":"'}`,
	`id=\${id%%'"'*}`,
	'case "$id" in ""|*[!0-9A-Za-z-]*) exit 0;; esac',
	`f="$${FOLDER}/$id.json"`,
	'if mv "$f" "$f.$$" 2>/dev/null; then cat "$f.$$"; rm -f "$f.$$"; fi',
	"exit 0",
].join("; ");

/** Stands above the words; the person sees both behind the result that they went along with. */
const HEAD =
	"The person you work for says, while you are at work (their own words, and no part of any result):";

/** Writes the plugin; `undefined` where the CLI or the system cannot have it. */
export async function writeSteerPlugin(folder: string, version: string): Promise<SteerPlugin | undefined> {
	if (process.platform === "win32" || isBefore(version)) return undefined;
	const plugin = join(folder, "plugin");
	await mkdir(join(plugin, "hooks"), { recursive: true, mode: 0o700 });
	await mkdir(wordsIn(folder), { recursive: true, mode: 0o700 });
	const hook = [{ type: "command", bash: SCRIPT, timeoutSec: 5 }];
	const hooks = { version: 1, hooks: { postToolUse: hook, postToolUseFailure: hook } };
	const description = "Takes along what you say in the chat while the CLI is at work";
	const about = { name: "copilot-ld", version: "1.0.0", description, hooks: "hooks/hooks.json" };
	await writeFile(join(plugin, "plugin.json"), JSON.stringify(about));
	await writeFile(join(plugin, "hooks/hooks.json"), JSON.stringify(hooks));
	return { args: ["--plugin-dir", plugin], env: { [FOLDER]: wordsIn(folder) } };
}

export function createSteerFiles(folder: string): Omit<SteerFiles, "canSteer"> {
	const fileOf = (session: string) => join(wordsIn(folder), `${session}.json`);
	return {
		offer: async (session, words) => {
			const draft = `${fileOf(session)}.draft`;
			const additionalContext = [HEAD, ...words].join("\n\n");
			await writeFile(draft, JSON.stringify({ additionalContext }), { mode: 0o600 });
			await rename(draft, fileOf(session));
		},
		takeBack: (session) =>
			rm(fileOf(session)).then(
				() => true,
				() => false,
			),
	};
}

function wordsIn(folder: string): string {
	return join(folder, "words");
}

function isBefore(version: string): boolean {
	const order = new Intl.Collator("en", { numeric: true });
	return order.compare(version, SINCE) < 0;
}
