import type * as z from "zod/mini";
import { isRecord } from "../../base/values.ts";
import { wordSet } from "../../base/words/wordList.ts";
import { isDeepYaml, type LocatedYaml, readLocatedYaml } from "../../base/yaml/locatedYaml.ts";
import type { FileProblem } from "../../core/fileProblem.ts";
import { issueWords } from "../../core/issueWords.ts";
import type { Place, Report } from "../types/readType.ts";
import { EXECUTOR_KINDS } from "./executorSchema.ts";

const MAX_LENGTH = 64_000;
/** Maximum length as JSON with aliases expanded. JSON may escape one character by six. */
const MAX_WRITTEN = 6 * MAX_LENGTH;

/** Reads YAML within limits on size and depth. Never throws; `problems` has the errors. */
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

/** Length as JSON with aliases expanded; `undefined` if a value contains itself. */
function lengthOf(value: unknown): number | undefined {
	try {
		return JSON.stringify(value)?.length ?? 0;
	} catch {
		return undefined;
	}
}

/** Parses a value, and reports each issue at its place in the file. Returns `undefined` if there are issues. */
export function parsed<Schema extends z.ZodMiniType>(
	schema: Schema,
	value: unknown,
	{ report, placeOf = (path) => path }: { readonly report: Report; placeOf?(path: Place): Place },
): z.infer<Schema> | undefined {
	const { data, error } = schema.safeParse(value, { reportInput: true });
	for (const issue of error?.issues ?? []) {
		const place = placeOf(issue.path);
		if (issue.code === "unrecognized_keys")
			for (const key of issue.keys) report.error([...place, key], `“${key}” is not supported here.`);
		else report.error(place, wordsOf({ ...issue, path: [...place] }));
	}
	return data;
}

/** Fields of resources that ConCopilot's contract allows, and that have no effect here. */
const WITHOUT_EFFECT = wordSet(
	"max_tokens temperature require_token_len require_cost group_id artifact_id version instance_id setup",
);

/** Removes the fields without effect, with a warning for each at its line. */
export function withoutIdle(value: unknown, placeOf: (field: string) => Place, report: Report): unknown {
	if (!isRecord(value)) return value;
	const idle = Object.keys(value).filter((key) => WITHOUT_EFFECT.has(key));
	for (const key of idle) report.warning(placeOf(key), `“${key}” has no effect here.`);
	return Object.fromEntries(
		Object.entries(value).filter(([key, item]) => !idle.includes(key) && item !== null),
	);
}

function wordsOf(issue: z.core.$ZodIssue): string {
	const what = `“${issue.path.map(String).join(".")}”`;
	switch (issue.code) {
		case "invalid_union":
			return `${what} must be one of these: ${EXECUTOR_KINDS.join(", ")}.`;
		case "invalid_format":
			return `${what} must begin with a letter and have at most 40 letters, digits, and underscores.`;
		default:
			return issueWords(issue, "The file");
	}
}
