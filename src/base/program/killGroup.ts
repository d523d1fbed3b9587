import { type ChildProcess, spawn } from "node:child_process";

/** Sends a signal to a process and the group that it leads. */
export function killGroup(
	child: ChildProcess,
	signal: "SIGTERM" | "SIGKILL",
	platform = process.platform,
): void {
	if (child.pid === undefined) return;
	if (platform === "win32") {
		const killer = spawn("taskkill", ["/pid", String(child.pid), "/t", "/f"], { stdio: "ignore" });
		// Without the system's tools the process ends at least itself.
		killer.on("error", () => child.kill(signal)).unref();
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
