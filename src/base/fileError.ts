import { Failure, messageOf } from "./failure.ts";

/** Whether a file is not there, or not any more. */
export function isMissing(thrown: unknown): boolean {
	return ["ENOENT", "ENOTDIR"].includes(codeOf(thrown));
}

export function codeOf(thrown: unknown): string {
	return thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
}

/** Runs a step on the disk; what goes wrong there becomes words that a person can act on. */
export async function onDisk<Result>(doing: string, step: () => Promise<Result>): Promise<Result> {
	try {
		return await step();
	} catch (cause) {
		if (cause instanceof Failure) throw cause;
		const advice =
			codeOf(cause) === "ENOSPC" ? "Make room on the disk." : "Look at the rights of that folder.";
		throw new Failure("STORE_UNREADABLE", `${doing} failed (${messageOf(cause)}). ${advice}`, { cause });
	}
}
