import { readdir, readFile } from "node:fs/promises";
import { kill } from "../../base/program/runProgram.ts";

/** A variable in an agent's environment, inherited by what it starts. */
export const MARK = "COPILOT_LD_LINK";

/** Ends the shells of a dead process: no signal to its group reaches them. Only Linux shows the environment of a process. */
export async function killMarked(mark: string): Promise<void> {
	if (process.platform !== "linux") return;
	const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
	await Promise.all(
		pids.map(async (pid) => {
			// Processes come and go, and others' cannot be read.
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
		// It exists, but is not ours.
		return (error as NodeJS.ErrnoException).code === "EPERM";
	}
}
