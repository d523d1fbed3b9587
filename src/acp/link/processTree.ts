import { readdir, readFile } from "node:fs/promises";
import { kill } from "../../base/program/runProgram.ts";

export const MARK = "COPILOT_LD_LINK";

/** Kills the shells of a dead process, which no signal to its group reaches. Works on Linux only. */
export async function killMarked(mark: string): Promise<void> {
	if (process.platform !== "linux") return;
	const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
	await Promise.all(
		pids.map(async (pid) => {
			// The process may have ended, or belong to another user.
			const environment = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
			if (environment.split("\0").includes(`${MARK}=${mark}`)) kill(Number(pid), "SIGKILL");
		}),
	);
}

export function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return pid > 0;
	} catch (error) {
		// The process exists, but belongs to another user.
		return (error as NodeJS.ErrnoException).code === "EPERM";
	}
}
