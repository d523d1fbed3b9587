import { Failure } from "../../base/failure.ts";
import { isRecord } from "../../base/values.ts";
import type { PluginCommand, PluginDefinition } from "../../core/plugin/plugin.ts";
import type { Field } from "../../core/plugin/valueType.ts";
import type { Bindings } from "../queries/bindQuery.ts";
import { checkInput } from "../types/checkValue.ts";

export function configured({ config }: PluginDefinition): ReadonlyMap<string, unknown> {
	return new Map(
		config.flatMap(({ path, value }) =>
			path.length === 1 && path[0] !== undefined ? [[path[0], value]] : [],
		),
	);
}

/** What a caller may say: what the configuration says can be left out. */
export function parametersOf(plugin: PluginDefinition, { parameters }: PluginCommand): readonly Field[] {
	const given = configured(plugin);
	return parameters.map((field) => (given.has(field.name) ? { ...field, isRequired: false } : field));
}

/** What a call gives, over what the configuration gives. Throws a `Failure` whose words tell a model what is wrong. */
export function valuesFor(
	plugin: PluginDefinition,
	command: PluginCommand,
	input: unknown,
): ReadonlyMap<string, unknown> {
	const given = configured(plugin);
	const ofParameters = command.parameters.flatMap(({ name }) =>
		given.has(name) ? [[name, given.get(name)]] : [],
	);
	const all = { ...Object.fromEntries(ofParameters), ...(isRecord(input) ? input : {}) };
	const mistake =
		input === undefined || isRecord(input)
			? checkInput(all, command.parameters, plugin.types)
			: "The input must be an object.";
	if (mistake !== undefined) throw new Failure("BAD_INPUT", `Wrong input. ${mistake}`);
	return new Map([...given, ...Object.entries(all)]);
}

export function bindingsFor({ parameters }: PluginCommand, values: ReadonlyMap<string, unknown>): Bindings {
	const types = new Map(parameters.map(({ name, type }) => [name, type.kind === "list" ? type.items : type]));
	return new Map(
		[...values].map(([name, value]) => [name, { value, isIri: types.get(name)?.kind === "iri" }]),
	);
}
