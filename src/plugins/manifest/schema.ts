import * as z from "zod/mini";
import { HOOK_EVENTS } from "../../core/plugin/plugin.ts";
import { count, described, executor, resourceSchema, shortSchemas, text, texts } from "./executorSchema.ts";

const MAX_COMMANDS = 50;
const MAX_HOOKS = 20;

/** What a name may be, so that `plugin_<plugin>_<command>` is a name that every provider of models takes. */
export const PLUGIN_NAME = /^[a-z][a-z0-9-]{0,31}$/;
const COMMAND_NAME = /^[A-Za-z]\w{0,39}$/;

const info = z.looseObject({
	title: z.optional(text).check(described("The plugin's name for people; that of its folder if left out.")),
	description: z.optional(text).check(described("What it is for, for people and models.")),
	description_for_human: z.optional(text).check(described("The same, for people only.")),
	description_for_model: z.optional(text).check(described("The same, for models only.")),
	prompt: z.optional(text).check(described("What a model that works for the plugin is told to be.")),
	prompt_file_name: z.optional(text).check(described("A file beside this one that says the same.")),
	prompt_file_path: z.optional(z.unknown()),
});

const hook = z.strictObject({
	event: z.enum(HOOK_EVENTS).check(described("When it is run.")),
	command: z.string().check(described("A command of this plugin that asks no language model.")),
	tools: z
		.optional(texts)
		.check(described("Only around calls of these tools; * stands for any signs. Of all if left out.")),
	deny_when: z
		.optional(text)
		.check(described("It refuses the prompt or the call where its result begins so.")),
	reason: z.optional(text).check(described("Why it refuses, for people and models.")),
	timeout: z.optional(count(30)).check(described("Seconds that it may take; 5 if left out.")),
});

const commandName = z
	.optional(z.string().check(z.regex(COMMAND_NAME)))
	.check(described("Letters, digits and _; models call it by this name."));

const ANYTHING = z.optional(z.unknown());

/** Parts that are not validated here: `readExecutor.ts` and `types/` read them, and report mistakes. */
const UNREAD = {
	parameters: ANYTHING,
	parameter: ANYTHING,
	response: ANYTHING,
	executor: ANYTHING,
	query: ANYTHING,
	search: ANYTHING,
	prompt: ANYTHING,
	http: ANYTHING,
	run: ANYTHING,
};

function manifestWith<Parts extends Readonly<Record<keyof typeof UNREAD, z.ZodMiniType>>>(
	parts: Parts,
	config: z.ZodMiniType<Readonly<Record<string, unknown>>> = z.record(z.string(), z.unknown()),
) {
	const command = z.looseObject({
		name: commandName,
		command_name: commandName,
		description: z.optional(text).check(described("For models: what it does and when to call it.")),
		...parts,
	});
	return z.looseObject({
		commands: z.optional(z.array(command).check(z.maxLength(MAX_COMMANDS))),
		info: z.optional(info),
		hosts: z
			.optional(texts)
			.check(
				described(
					"Where requests of http commands may go, with the port where it is not the usual one; what is on this machine or its networks also as an address. Those that the addresses name if left out.",
				),
			),
		config: z
			.optional(config)
			.check(described("Values for parameters and places; others may override them.")),
		hooks: z
			.optional(z.array(hook).check(z.maxLength(MAX_HOOKS)))
			.check(described("Commands that are run around prompts and calls, once the person has agreed.")),
		type: z.optional(text).check(described("plugin; or copilot: a persona that is asked as one tool.")),
		plugins: z
			.optional(z.array(z.string().check(z.regex(PLUGIN_NAME))).check(z.maxLength(30)))
			.check(described("Names of the plugins whose commands a copilot may call.")),
		inherit_resources: z
			.optional(z.boolean())
			.check(described("Of a copilot: whether the plugins in its own folder may name its resources.")),
		group_id: z
			.optional(text)
			.check(described("With artifact_id and version it names the component; local if left out.")),
		artifact_id: z.optional(text).check(described("The name of the folder if left out.")),
		version: z
			.optional(text)
			.check(described("As in 1.2.3, 1.2.3-any or 1.2.3-SNAPSHOT; 1.0.0 if left out.")),
		as_plugin: z
			.optional(z.boolean())
			.check(described("Whether its commands are offered; true if left out.")),
	});
}

export const manifestSchema = manifestWith(UNREAD);

export type Manifest = z.infer<typeof manifestSchema>;
export type WrittenCommand = NonNullable<Manifest["commands"]>[number];

/** Further fields of the component that are allowed but not read here. */
export const OTHER_FIELDS: ReadonlySet<string> = new Set(["url", "developers", "licenses", "name"]);

/** For editors: with what a type may be. */
export function pluginFileSchema(): object {
	const type: z.ZodMiniType = z.lazy(() =>
		z.union([z.string(), z.record(z.string(), z.union([z.string(), field])), z.array(field)]),
	);
	const flag = (words: string) => z.optional(z.boolean()).check(described(words));
	const field: z.ZodMiniType = z.looseObject({
		type: type.check(
			described(
				"string, date, iri, int, float, bool, List[…], Dict[str, …]; a mapping of named values; a list of named fields for a list of objects; or a name that a _type_ref gives.",
			),
		),
		name: z.optional(z.string()).check(described("In a list of named fields.")),
		description: z.optional(z.string()).check(described("What the value is, for models.")),
		required: flag("Whether it must be given; it must if left out."),
		optional: flag("Of a response: whether it may be absent."),
		enum: z.optional(z.array(z.unknown())).check(described("All values that there may be.")),
		example: z.optional(z.unknown()).check(described("One value, as an example.")),
		asset_ref_acceptable: flag(
			"Whether a reference to an earlier result may stand for it, as in asset://3/rows.",
		),
	});
	const value = z.optional(z.looseObject({ type, description: z.optional(z.string()) }));
	const parameters = z
		.optional(z.record(z.string(), z.union([z.string(), field])))
		.check(described("What it takes, by name: a type, or a mapping with the type."));
	const config = z.looseObject({
		resources: z.optional(z.array(resourceSchema)).check(described("What several commands work with.")),
	});
	const parts = { parameters, parameter: value, response: value, executor: z.optional(executor) };
	return z.toJSONSchema(manifestWith({ ...shortSchemas, ...parts }, config), {
		io: "input",
		target: "draft-7",
	});
}
