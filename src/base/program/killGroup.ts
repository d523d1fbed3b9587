import { type ChildProcess, spawn } from "node:child_process";

/** Sends a signal to a process and the group that it leads. */
export function killGroup(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): void {
	if (child.pid === undefined) return;
	if (process.platform === "win32") {
		spawn("taskkill", ["/pid", String(child.pid), "/t", "/f"], { stdio: "ignore" }).unref();
		return;
	}
	kill(-child.pid, signal);
}

/** One that is gone already needs no signal. */
export function kill(pid: number, signal: "SIGTERM" | "SIGKILL"): void {
	try {
		process.kill(pid, signal);
	} catch {
		// Already gone.
	}
}
