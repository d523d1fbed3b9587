import type * as z from "zod/mini";
import { isRecord } from "../../base/values.ts";
import { wordList } from "../../base/words/wordList.ts";
import { issueWords } from "../../core/issueWords.ts";
import type { Place, Report } from "../types/located.ts";
import { EXECUTOR_KINDS } from "./executorSchema.ts";

export function reportIssues(issues: readonly z.core.$ZodIssue[], report: Report): void {
	for (const issue of issues) {
		if (issue.code === "unrecognized_keys")
			for (const key of issue.keys) report.error([...issue.path, key], `“${key}” is not supported here.`);
		else report.error(issue.path, wordsOf(issue));
	}
}

/** Parameters of language models and components in the contract, which nothing reads here. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set(
	wordList(
		"max_tokens temperature require_token_len require_cost group_id artifact_id version instance_id setup",
	),
);

/** A value without what the contract knows and nothing reads here, each of which is named at its line. */
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
