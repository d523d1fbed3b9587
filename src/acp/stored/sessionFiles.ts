import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { parseDocument } from "yaml";
import { Failure } from "../../base/failure.ts";
import { isMissing } from "../../base/files/fileError.ts";
import { textOf } from "../../base/values.ts";
import { isAlive } from "../link/processTree.ts";

/** What the CLI stores of its sessions. The formats are undocumented, so everything is read with care. */
export type SessionFiles = ReturnType<typeof createSessionFiles>;

export function createSessionFiles(home: string) {
	const state = join(home, "session-state");
	// Next to the sessions, so that a rename moves the whole folder at once.
	const trash = join(home, "copilot-ld-trash");
	const folderOf = (id: string) => join(state, checkId(id));
	const requireFree = async (id: string, except?: number) => {
		const pid = await openedBy(folderOf(id), except);
		if (pid !== undefined)
			throw new Failure("BUSY", `Process ${pid} has this session open. Close it there first.`);
	};
	return {
		/** Of all sessions that have a folder. */
		ids: async () => (await readdir(state).catch(() => [])).filter(isId),
		folderOf,
		/** The folder that the session works in, as the CLI stored it; `undefined` if that cannot be read. */
		cwdOf: (id: string) => cwdIn(folderOf(id)),
		/** The process that has the session open, other than `except`. */
		openedBy: (id: string, except?: number) => openedBy(folderOf(id), except),
		/** Rejects with a `Failure` if another process has it open. */
		rename: async (id: string, title: string, except?: number) => {
			await requireFree(id, except);
			await renameIn(folderOf(id), title);
		},
		/** Hides it from every list. Rejects with a `Failure` if a process has it open. */
		delete: async (id: string, except?: number) => {
			await requireFree(id, except);
			await mkdir(trash, { recursive: true });
			await rename(folderOf(id), join(trash, id)).catch(notThere);
		},
		restore: async (id: string) => {
			await rename(join(trash, checkId(id)), folderOf(id)).catch(notThere);
		},
		/** Removes for good what was deleted before a time, in milliseconds since 1970. */
		emptyTrash: async (before: number) => {
			for (const name of await readdir(trash).catch(() => [])) {
				const folder = join(trash, name);
				// The time at which the folder was moved.
				const { ctimeMs } = await stat(folder);
				if (ctimeMs < before) await rm(folder, { recursive: true, force: true });
			}
		},
	};
}

/** Ids become paths, so one that could leave the folder is not an id. */
function checkId(id: string): string {
	if (isId(id)) return id;
	throw new Failure("NOT_FOUND", "The GitHub Copilot CLI has no such session.");
}

function isId(name: string): boolean {
	return /^[\w-]+$/.test(name);
}

/** The CLI marks an open session with `inuse.<pid>.lock`; a killed CLI leaves its mark behind. */
async function openedBy(folder: string, except?: number): Promise<number | undefined> {
	const names = await readdir(folder).catch(() => []);
	const pids = names.flatMap((name) => /^inuse\.(\d+)\.lock$/.exec(name)?.[1] ?? []).map(Number);
	return pids.find((pid) => pid !== except && isAlive(pid));
}

async function cwdIn(folder: string): Promise<string | undefined> {
	const text = await readFile(join(folder, "workspace.yaml"), "utf8").catch(() => "");
	const document = parseDocument(text);
	const cwd = document.errors.length > 0 ? undefined : textOf(document.toJS(), "cwd");
	return cwd !== undefined && isAbsolute(cwd) ? cwd : undefined;
}

/** Every list shows `name`; `user_named` keeps the CLI from inventing another title. */
async function renameIn(folder: string, title: string): Promise<void> {
	const file = join(folder, "workspace.yaml");
	const document = parseDocument(await readFile(file, "utf8").catch(notThere));
	if (document.errors.length > 0)
		throw new Failure("STORE_UNREADABLE", `“${file}” cannot be read, so the session keeps its name.`);
	document.set("name", title.trim());
	document.set("user_named", true);
	const draft = `${file}.${process.pid}.tmp`;
	await writeFile(draft, document.toString());
	await rename(draft, file);
}

function notThere(error: NodeJS.ErrnoException): never {
	if (!isMissing(error)) throw error;
	throw new Failure("NOT_FOUND", "The GitHub Copilot CLI no longer has this session.", { cause: error });
}
