import * as z from "zod/mini";
import { HOOK_EVENTS } from "../../core/plugin/plugin.ts";
import { count, executor, maybe, resourceSchema, shortSchemas, text, texts } from "./executorSchema.ts";

/** Pattern of plugin names. `plugin_<plugin>_<command>` must be a valid tool name for all providers. */
export const PLUGIN_NAME = /^[a-z][a-z0-9-]{0,31}$/;
const COMMAND_NAME = /^[A-Za-z]\w{0,39}$/;

const info = z.looseObject({
	title: maybe(text, "The plugin's name for people; that of its folder if left out."),
	description: maybe(text, "What it is for, for people and models."),
	description_for_human: maybe(text, "The same, for people only."),
	description_for_model: maybe(text, "The same, for models only."),
	prompt: maybe(text, "What a model that works for the plugin is told to be."),
	prompt_file_name: maybe(text, "A file beside this one that says the same."),
	prompt_file_path: z.optional(z.unknown()),
});

const hook = z.strictObject({
	event: z.enum(HOOK_EVENTS).check(z.describe("When it is run.")),
	command: z.string().check(z.describe("A command of this plugin that asks no language model.")),
	tools: maybe(texts, "Only around calls of these tools; * stands for any signs. Of all if left out."),
	deny_when: maybe(text, "It refuses the prompt or the call where its result begins so."),
	reason: maybe(text, "Why it refuses, for people and models."),
	timeout: maybe(count(30), "Seconds that it may take; 5 if left out."),
});

const commandName = maybe(
	z.string().check(z.regex(COMMAND_NAME)),
	"Letters, digits and _; models call it by this name.",
);

/** Parts that `readExecutor.ts` and `types/` validate instead of this schema. */
const UNREAD = {
	parameters: z.optional(z.unknown()),
	parameter: z.optional(z.unknown()),
	response: z.optional(z.unknown()),
	executor: z.optional(z.unknown()),
	query: z.optional(z.unknown()),
	search: z.optional(z.unknown()),
	prompt: z.optional(z.unknown()),
	http: z.optional(z.unknown()),
	run: z.optional(z.unknown()),
};

function manifestWith<Parts extends Readonly<Record<keyof typeof UNREAD, z.ZodMiniType>>>(
	parts: Parts,
	config: z.ZodMiniType<Readonly<Record<string, unknown>>> = z.record(z.string(), z.unknown()),
) {
	const command = z.looseObject({
		name: commandName,
		command_name: commandName,
		description: maybe(text, "For models: what it does and when to call it."),
		...parts,
	});
	return z.looseObject({
		commands: z.optional(z.array(command).check(z.maxLength(50))),
		info: z.optional(info),
		hosts: maybe(
			texts,
			"Where requests of http commands may go, with the port where it is not the usual one; what is on this machine or its networks also as an address. Those that the addresses name if left out.",
		),
		config: maybe(config, "Values for parameters and places; others may override them."),
		hooks: maybe(
			z.array(hook).check(z.maxLength(20)),
			"Commands that are run around prompts and calls, once the person has agreed.",
		),
		type: maybe(text, "plugin; or copilot: a persona that is asked as one tool."),
		plugins: maybe(
			z.array(z.string().check(z.regex(PLUGIN_NAME))).check(z.maxLength(30)),
			"Names of the plugins whose commands a copilot may call.",
		),
		inherit_resources: maybe(
			z.boolean(),
			"Of a copilot: whether the plugins in its own folder may name its resources.",
		),
		group_id: maybe(text, "With artifact_id and version it names the component; local if left out."),
		artifact_id: maybe(text, "The name of the folder if left out."),
		version: maybe(text, "As in 1.2.3, 1.2.3-any or 1.2.3-SNAPSHOT; 1.0.0 if left out."),
		as_plugin: maybe(z.boolean(), "Whether its commands are offered; true if left out."),
	});
}

export const manifestSchema = manifestWith(UNREAD);

export type Manifest = z.infer<typeof manifestSchema>;
export type WrittenCommand = NonNullable<Manifest["commands"]>[number];

/** Further fields that are allowed but ignored. */
export const OTHER_FIELDS: ReadonlySet<string> = new Set(["url", "developers", "licenses", "name"]);

export function pluginFileSchema(): object {
	const type: z.ZodMiniType = z.lazy(() =>
		z.union([z.string(), z.record(z.string(), z.union([z.string(), field])), z.array(field)]),
	);
	const field: z.ZodMiniType = z.looseObject({
		type: type.check(
			z.describe(
				"string, date, iri, int, float, bool, List[…], Dict[str, …]; a mapping of named values; a list of named fields for a list of objects; or a name that a _type_ref gives.",
			),
		),
		name: maybe(z.string(), "In a list of named fields."),
		description: maybe(z.string(), "What the value is, for models."),
		required: maybe(z.boolean(), "Whether it must be given; it must if left out."),
		optional: maybe(z.boolean(), "Of a response: whether it may be absent."),
		enum: maybe(z.array(z.unknown()), "All values that there may be."),
		example: maybe(z.unknown(), "One value, as an example."),
		asset_ref_acceptable: maybe(
			z.boolean(),
			"Whether a reference to an earlier result may stand for it, as in asset://3/rows.",
		),
	});
	const value = z.optional(z.looseObject({ type, description: z.optional(z.string()) }));
	const parameters = maybe(
		z.record(z.string(), z.union([z.string(), field])),
		"What it takes, by name: a type, or a mapping with the type.",
	);
	const config = z.looseObject({
		resources: maybe(z.array(resourceSchema), "What several commands work with."),
	});
	const parts = { parameters, parameter: value, response: value, executor: z.optional(executor) };
	return z.toJSONSchema(manifestWith({ ...shortSchemas, ...parts }, config), {
		io: "input",
		target: "draft-7",
	});
}
