import { execFile } from "node:child_process";
import { lstat, readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { Failure } from "../../../base/failure.ts";
import { isBelow } from "../../../base/files/paths.ts";
import { inParallel } from "../../../base/jobs/inParallel.ts";
import { visibleText } from "../../../base/text/visibleText.ts";
import { textOf } from "../../../base/values.ts";
import type { AgentEvent } from "../../../core/agent/agentEvent.ts";
import { mayUseKind } from "../../../core/agent/allowedTools.ts";
import type { CallState } from "../../updates/turnReader.ts";
import type { CallGuard, CallGuardDeps } from "./callGuard.ts";
import { namesOf } from "./reads.ts";

interface WatchDeps extends CallGuardDeps {
	readonly guard: CallGuard;
	readonly cwd: string;
	isSwitchOn(): boolean;
	fail(reason: Failure): void;
}

export type TurnWatch = ReturnType<typeof createTurnWatch>;

/** Checks calls after they have run, for cases that neither a hook nor a question covered. */
export function createTurnWatch(deps: WatchDeps) {
	const finished = new Map<string, CallState>();
	let judging: Promise<unknown> = Promise.resolve();
	let before: WorkspaceFiles | undefined;
	return {
		begin: async () => {
			before = await workspaceFiles(deps.cwd);
		},
		saw: (events: readonly AgentEvent[]) => {
			const ended = events.flatMap((event) => (event.kind === "toolFinished" ? [event.call.id] : []));
			for (const state of ended.flatMap((id) => deps.calls.get(id) ?? [])) {
				finished.set(state.call.id, state);
				if (isUnasked(state, deps) || isForbidden(state, deps)) deps.fail(ranNotAllowed(deedOf(state)));
				judging = Promise.all([judging, stopWhereDenied(state, deps)]);
			}
		},
		end: async () => {
			await judging;
			if (before && !deps.isSwitchOn()) await tellChanges(before, [...finished.values()], deps);
		},
	};
}

function isUnasked(state: CallState, { desk, folder, isSwitchOn }: WatchDeps): boolean {
	return !isSwitchOn() && wantedPermission(state, folder) && !desk.wasAllowed(state);
}

/** Whether an agent changed something without a tool for it, because a repository switched off our hooks. */
function isForbidden({ call, status }: CallState, { agent, guard }: WatchDeps): boolean {
	if (status !== "ok" || guard.knows(call.id)) return false;
	return CHANGING.has(call.name) && !mayUseKind(agent?.tools, call.name);
}

/** Kinds of calls that identify their tool without a hook. */
const CHANGING: ReadonlySet<string> = new Set(["shell", "edit", "delete", "move"]);

/** Stops the turn after a denied read. Without hooks, reads are known only after they have happened. */
async function stopWhereDenied({ call, kind, status, text }: CallState, { guard, reads, fail }: WatchDeps) {
	if (status !== "ok" || !["read", "search"].includes(kind) || guard.knows(call.id)) return;
	const isSearch = textOf(call.input, "pattern") !== undefined;
	const files = [
		...(await reads.named(call.input)),
		...(isSearch ? await reads.found(call.input, text) : []),
	];
	const denied = files.find(({ effect }) => effect === "deny");
	if (!denied) return;
	const message = `The GitHub Copilot CLI read “${visibleText(denied.path)}”, although the rules deny that. The turn was stopped, but the model may have seen it: treat its content as known to the model.`;
	fail(new Failure("NOT_ALLOWED", message));
}

/** Reports changed files that no allowed call explains. An allowed command explains any change. */
async function tellChanges(
	before: WorkspaceFiles,
	finished: readonly CallState[],
	{ cwd, desk, show }: WatchDeps,
): Promise<void> {
	const allowed = finished.filter(desk.wasAllowed);
	if (allowed.some(({ kind }) => kind !== "edit" && kind !== "read")) return;
	const explained = new Set(allowed.flatMap(({ diffs }) => diffs.map(({ path }) => resolve(cwd, path))));
	const after = await workspaceFiles(cwd);
	const changed = changedFiles(before, after).filter((path) => !explained.has(path));
	if (changed.length === 0) return;
	const text = `While this turn ran, files changed that no allowed call explains: ${namesOf(changed)}. If it was not you or another program, it was a hook or a tool of an MCP server.`;
	show({ kind: "notice", text });
}

function ranNotAllowed(deed: string): Failure {
	const message = `The GitHub Copilot CLI ran “${visibleText(deed)}”, although nobody allowed that. The turn was stopped: check what changed. A hook of the repository may have allowed it, or this version of the CLI has an error.`;
	return new Failure("CLI_FAILED", message);
}

/** Commands that only read, with safe options only: other options could write files or run programs. */
const READ_ONLY =
	/^(?:pwd|whoami|date(?: \+[%\w:-]+)?|(?:ls|cat|head|tail|wc|echo|which)(?: [\w./@:=~][\w./@:=~-]*)*|ls -[alhtr1]+(?: [\w./@:=~][\w./@:=~-]*)*|git (?:status|log|diff|show|rev-parse)(?: (?:HEAD|--oneline|--stat|--short|--cached|--staged|-s|-n \d+|-\d+))*|git branch --show-current)$/;

/** Whether a finished call needed permission: it changed something other than the CLI's own files. */
export function wantedPermission({ call, kind, diffs, status }: CallState, ownFolder: string): boolean {
	if (status !== "ok") return false;
	if (kind === "delete" || kind === "move") return true;
	const command = textOf(call.input, "command");
	if (kind === "execute") return command !== undefined && !READ_ONLY.test(command.trim());
	return diffs.some(({ path }) => !isBelow(path, ownFolder));
}

/** Prefers the command or path to the title, because the model writes the title. */
function deedOf({ call, title, diffs }: CallState): string {
	return textOf(call.input, "command") ?? textOf(call.input, "path") ?? diffs[0]?.path ?? title;
}

type WorkspaceFiles = Awaited<ReturnType<typeof workspaceFiles>>;

/** Maximum number of files to compare, which takes 0.1 to 0.2 seconds. */
const MAX_FILES = 10_000;
const AT_ONCE = 200;
const GIT_MS = 5000;
const GIT_BYTES = 16 * 1024 * 1024;
const SKIPPED = new Set(["node_modules", ".git", ".venv", "__pycache__"]);

const run = promisify(execFile);

/** Lists git's configuration and its tracked and unignored files; without git, all files in the folder. */
async function workspaceFiles(folder: string) {
	const listed = (await filesOfGit(folder)) ?? (await filesBelow(folder, MAX_FILES));
	const paths = listed.slice(0, MAX_FILES);
	const found = await inParallel(paths, AT_ONCE, markOf, new AbortController().signal);
	return { marks: new Map(found.flat()), isCut: listed.length > MAX_FILES };
}

function changedFiles(before: WorkspaceFiles, after: WorkspaceFiles): string[] {
	const paths = new Set([...before.marks.keys(), ...after.marks.keys()]);
	// In a cut list, a new file displaces another file, which then only seems to be deleted.
	const isSure = (path: string) =>
		!(before.isCut || after.isCut) || (before.marks.has(path) && after.marks.has(path));
	return [...paths].filter((path) => isSure(path) && before.marks.get(path) !== after.marks.get(path));
}

async function filesOfGit(folder: string): Promise<string[] | undefined> {
	const args = ["-c", "core.fsmonitor=false", "ls-files", "-z", "--cached", "--others", "--exclude-standard"];
	try {
		const options = { cwd: folder, timeout: GIT_MS, maxBuffer: GIT_BYTES, windowsHide: true };
		const { stdout } = await run("git", args, options);
		const own = [".git/config", ".git/HEAD", ".git/index.lock"].map((name) => join(folder, name));
		const hooks = await filesBelow(join(folder, ".git", "hooks"), 100);
		const names = new Set(stdout.split("\0").filter(Boolean));
		return [...own, ...hooks, ...[...names].map((name) => join(folder, name))];
	} catch {
		// Git is missing, the folder is no repository, or the repository is too large.
		return undefined;
	}
}

async function filesBelow(folder: string, max: number): Promise<string[]> {
	const files: string[] = [];
	const folders = [folder];
	for (let next = folders.shift(); next !== undefined && files.length <= max; next = folders.shift()) {
		const at = next;
		const entries = await readdir(at, { withFileTypes: true }).catch(() => []);
		for (const entry of entries) {
			if (!entry.isDirectory()) files.push(join(at, entry.name));
			else if (!SKIPPED.has(entry.name)) folders.push(join(at, entry.name));
		}
	}
	return files;
}

/** Includes `ctime`, which reveals a change even if the modification time was reset. */
async function markOf(path: string): Promise<[path: string, mark: string][]> {
	const found = await lstat(path).catch(() => undefined);
	return found ? [[path, `${found.size} ${found.mtimeMs} ${found.ctimeMs} ${found.mode}`]] : [];
}
