import type * as z from "zod/mini";

/** Describes a schema violation in a sentence; `whole` names the value at the root. */
export function issueWords(issue: z.core.$ZodIssue, whole: string): string {
	const what = issue.path.length > 0 ? `“${issue.path.map(String).join(".")}”` : whole;
	switch (issue.code) {
		case "invalid_type":
			return issue.input === undefined
				? `${what} is missing.`
				: `${what} must be ${TYPES[issue.expected] ?? issue.expected}.`;
		case "too_small":
			return tooSmall(issue, what);
		case "too_big":
			return tooBig(issue, what);
		case "invalid_value":
			return `${what} must be ${issue.values.map((value) => JSON.stringify(value)).join(" or ")}.`;
		default:
			return `${what} is not valid.`;
	}
}

const TYPES: Readonly<Record<string, string>> = {
	string: "a text",
	boolean: "true or false",
	number: "a number",
	int: "a whole number",
	array: "a list",
	object: "a mapping",
	record: "a mapping",
};

function tooSmall({ origin, minimum }: z.core.$ZodIssueTooSmall, what: string): string {
	if (!hasLength(origin)) return `${what} must be at least ${minimum}.`;
	return minimum === 1 ? `${what} must not be empty.` : `${what} must have a length of at least ${minimum}.`;
}

function tooBig({ origin, maximum }: z.core.$ZodIssueTooBig, what: string): string {
	if (!hasLength(origin)) return `${what} must be at most ${maximum}.`;
	return `${what} must have a length of at most ${maximum}.`;
}

function hasLength(origin: string): boolean {
	return origin === "string" || origin === "array";
}
