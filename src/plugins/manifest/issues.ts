import type * as z from "zod/mini";
import type { Executor } from "../../core/plugin/plugin.ts";
import type { Place, Report } from "../types/located.ts";

/** Tells what a schema has against a file, each at its place. */
export function reportIssues(issues: readonly z.core.$ZodIssue[], report: Report): void {
	for (const issue of issues) {
		if (issue.code === "unrecognized_keys")
			for (const key of issue.keys) report.error([...issue.path, key], `“${key}” is not supported here.`);
		else report.error(issue.path, wordsOf(issue));
	}
}

function wordsOf(issue: z.core.$ZodIssue): string {
	const what = `“${nameOf(issue.path)}”`;
	switch (issue.code) {
		case "invalid_type":
			return issue.input === undefined
				? `${what} is missing.`
				: `${what} must be ${typeWords(issue.expected)}.`;
		case "too_small":
			return `${what} must have or be at least ${issue.minimum}.`;
		case "too_big":
			return `${what} must have or be at most ${issue.maximum}.`;
		case "invalid_value":
			return `${what} must be ${issue.values.map((value) => JSON.stringify(value)).join(" or ")}.`;
		case "invalid_union":
			return `${what} must be one of these: ${EXECUTORS.join(", ")}.`;
		case "invalid_format":
			return `${what} must begin with a letter and have at most 40 letters, digits, and underscores.`;
		default:
			return `${what} is not valid.`;
	}
}

function nameOf(path: Place): string {
	return path.map(String).join(".") || "The file";
}

const EXECUTORS: readonly Executor["kind"][] = [
	...(["sparql", "retrieval", "prompt"] as const),
	...(["vscode", "tool", "agent", "chain", "http", "program"] as const),
];

const TYPES: Readonly<Record<string, string>> = {
	string: "a text",
	boolean: "true or false",
	number: "a number",
	int: "a whole number",
	array: "a list",
	object: "a mapping",
	record: "a mapping",
};

function typeWords(expected: string): string {
	return TYPES[expected] ?? expected;
}
