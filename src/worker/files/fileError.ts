import { messageOf } from "../../base/failure.ts";
import { codeOf } from "../../base/files/fileError.ts";

const REASONS: Readonly<Record<string, string>> = {
	EACCES: "cannot be read: permission denied",
	EPERM: "cannot be read: permission denied",
	EBUSY: "cannot be read: it is locked by another program",
	ENAMETOOLONG: "cannot be read: its path is too long",
	ELOOP: "a link (links are not followed)",
};

export function isTaken(thrown: unknown): boolean {
	return codeOf(thrown) === "EEXIST";
}

/** Why a file is not in the index, in words that follow its name. */
export function reasonOf(thrown: unknown): string {
	return REASONS[codeOf(thrown)] ?? `cannot be read: ${messageOf(thrown)}`;
}
