import { isFailure } from "../../base/failure.ts";
import type { Field } from "../../core/plugin/valueType.ts";
import { bindQuery, countsIn } from "../queries/bindQuery.ts";

/** Why a query could not run, or would find anything, with some values of its parameters; `config` has names of values. */
export function mistakesInQuery(
	query: string,
	parameters: readonly Field[],
	config: readonly string[],
): string[] {
	const required = parameters.filter(({ isRequired }) => isRequired).map(({ name }) => name);
	const uncounted = countsIn(query).filter((name) => !config.includes(name) && !required.includes(name));
	return [
		...parameters.flatMap((parameter) => bindingMistake(query, parameter) ?? []),
		...uncounted.map(
			(name) => `“${name}” may have no value, but LIMIT and OFFSET need one: give it one in config.`,
		),
	];
}

function bindingMistake(query: string, { name, type }: Field): string | undefined {
	const isList = type.kind === "list";
	const { kind } = isList ? type.items : type;
	if (!Object.hasOwn(SAMPLES, kind))
		return `“${name}” cannot be used in a query: it is not a text, a number, a flag, or a list of them.`;
	const value = isList ? [SAMPLES[kind]] : SAMPLES[kind];
	try {
		bindQuery(query, new Map([[name, { value, kind }]]));
		return undefined;
	} catch (thrown) {
		if (isFailure(thrown)) return thrown.message;
		throw thrown;
	}
}

const SAMPLES: Readonly<Record<string, unknown>> = {
	string: "text",
	iri: "urn:thing",
	date: "2026-01-31",
	int: 1,
	float: 1.5,
	bool: true,
};
