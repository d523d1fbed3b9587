import { normalize, sep } from "node:path";
import { textOf } from "../../base/values.ts";
import type { CallState } from "../updates/toolCalls.ts";

/** Programs that only look, in the plain form in which they can do nothing else. */
const READ_ONLY =
	/^(?:ls|pwd|cat|head|tail|wc|echo|which|date|whoami|git (?:status|log|diff|show|branch --show-current|rev-parse))(?: [\w./@:=~-]+)*$/;

/**
 * Whether a call that went well changed something: then somebody must have been asked. The CLI runs what only reads
 * without asking, and writes the plan into its own folder.
 */
export function wantedPermission({ call, kind, diffs, status }: CallState, ownFolder: string): boolean {
	if (status !== "ok") return false;
	if (kind === "delete" || kind === "move") return true;
	const command = textOf(call.input, "command");
	if (kind === "execute") return command !== undefined && !READ_ONLY.test(command.trim());
	return diffs.some(({ path }) => !normalize(path).startsWith(ownFolder + sep));
}
