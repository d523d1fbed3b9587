import type * as z from "zod/mini";
import { issueWords } from "../../core/issueWords.ts";
import type { Report } from "../types/located.ts";
import { EXECUTOR_KINDS } from "./executorSchema.ts";

export function reportIssues(issues: readonly z.core.$ZodIssue[], report: Report): void {
	for (const issue of issues) {
		if (issue.code === "unrecognized_keys")
			for (const key of issue.keys) report.error([...issue.path, key], `“${key}” is not supported here.`);
		else report.error(issue.path, wordsOf(issue));
	}
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
