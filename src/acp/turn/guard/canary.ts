import { normalize, sep } from "node:path";
import { textOf } from "../../../base/values.ts";
import type { CallState } from "../../updates/toolCalls.ts";

/** Programs that only look, with nothing but names after them. An option may make them write, or run something else. */
const READ_ONLY =
	/^(?:pwd|whoami|date(?: \+[%\w:-]+)?|(?:ls|cat|head|tail|wc|echo|which)(?: [\w./@:=~][\w./@:=~-]*)*|ls -[alhtr1]+(?: [\w./@:=~][\w./@:=~-]*)*|git (?:status|log|diff|show|rev-parse)(?: (?:HEAD|--oneline|--stat|--short|--cached|--staged|-s|-n \d+|-\d+))*|git branch --show-current)$/;

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

/** What a call did, by what it did it with: a title is what a model says of it. */
export function deedOf({ call, title, diffs }: CallState): string {
	return textOf(call.input, "command") ?? textOf(call.input, "path") ?? diffs[0]?.path ?? title;
}
