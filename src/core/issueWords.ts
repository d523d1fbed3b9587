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
			if (hasLength(issue.origin))
				return issue.minimum === 1
					? `${what} must not be empty.`
					: `${what} must have a length of at least ${issue.minimum}.`;
			return `${what} must be at least ${issue.minimum}.`;
		case "too_big":
			return hasLength(issue.origin)
				? `${what} must have a length of at most ${issue.maximum}.`
				: `${what} must be at most ${issue.maximum}.`;
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

function hasLength(origin: string): boolean {
	return origin === "string" || origin === "array";
}
