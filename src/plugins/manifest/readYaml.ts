import { isDeepYaml, type LocatedYaml, readLocatedYaml } from "../../base/yaml/locatedYaml.ts";
import type { FileProblem } from "../../core/fileProblem.ts";
import type { Place, Report } from "../types/located.ts";

/** Characters of a file. */
const MAX_LENGTH = 64_000;
/** The same as JSON, in which one may take six. */
const MAX_WRITTEN = 6 * MAX_LENGTH;

/** Reads YAML that is bounded in all that it may ask for. Never throws: if it cannot be read, `problems` says why. */
export function readYaml(text: string, uri: string) {
	const problems: FileProblem[] = [];
	const { value, mistake, lineOf } = readBounded(text);
	const add = (severity: FileProblem["severity"]) => (place: Place, message: string) =>
		void problems.push({ uri, line: lineOf(place), severity, message });
	if (mistake) problems.push({ uri, severity: "error", ...mistake });
	const report: Report = { error: add("error"), warning: add("warning") };
	return { value, lineOf, report, problems, isYaml: mistake === undefined };
}

function readBounded(text: string): LocatedYaml {
	if (text.length > MAX_LENGTH) return refused(`The file is longer than ${MAX_LENGTH} characters.`);
	if (isDeepYaml(text)) return refused("The file is nested too deeply.");
	const read = readLocatedYaml(text);
	const written = lengthOf(read.value);
	if (written === undefined) return refused("An alias refers to something that contains it.");
	return written > MAX_WRITTEN ? refused("The aliases repeat more than a plugin may have.") : read;
}

function refused(message: string): LocatedYaml {
	return { value: undefined, mistake: { line: 1, message }, lineOf: () => 1 };
}

/** Length without aliases, which are written out; `undefined` for a value that contains itself. */
function lengthOf(value: unknown): number | undefined {
	try {
		return JSON.stringify(value)?.length ?? 0;
	} catch {
		return undefined;
	}
}
