import { messageOf } from "../../base/failure.ts";

const REASONS: Readonly<Record<string, string>> = {
	EACCES: "cannot be read: permission denied",
	EPERM: "cannot be read: permission denied",
	EBUSY: "cannot be read: another program has locked it",
	ENAMETOOLONG: "cannot be read: its path is too long",
	ELOOP: "a link (links are not followed)",
};

/** Whether a file is not there, or not any more. */
export function isMissing(thrown: unknown): boolean {
	return ["ENOENT", "ENOTDIR"].includes(codeOf(thrown));
}

/** Whether there is a file of that name already. */
export function isTaken(thrown: unknown): boolean {
	return codeOf(thrown) === "EEXIST";
}

/** Why a file is not in the index, in words that follow its name. */
export function reasonOf(thrown: unknown): string {
	return REASONS[codeOf(thrown)] ?? `cannot be read: ${messageOf(thrown)}`;
}

function codeOf(thrown: unknown): string {
	return thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
}
