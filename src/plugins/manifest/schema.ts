import * as z from "zod/mini";
import { HOOK_EVENTS } from "../../core/plugin/plugin.ts";
import { count, executor, maybe, resourceSchema, shortSchemas, text, texts } from "./executorSchema.ts";

/** Pattern of plugin names. `plugin_<plugin>_<command>` must be a valid tool name for all providers. */
export const PLUGIN_NAME = /^[a-z][a-z0-9-]{0,31}$/;
const COMMAND_NAME = /^[A-Za-z]\w{0,39}$/;

const info = z.looseObject({
	title: maybe(text, "The plugin's name for people; the folder's name if omitted."),
	description: maybe(text, "The purpose of the plugin, for people and models."),
	description_for_human: maybe(text, "The purpose of the plugin, for people only."),
	description_for_model: maybe(text, "The purpose of the plugin, for models only."),
	prompt: maybe(text, "The role of a model that works for the plugin: the beginning of its instructions."),
	prompt_file_name: maybe(text, "The name of a file next to this one that contains the prompt."),
	prompt_file_path: z.optional(z.unknown()),
});

const hook = z.strictObject({
	event: z.enum(HOOK_EVENTS).check(z.describe("When the command runs.")),
	command: z.string().check(z.describe("A command of this plugin that asks no language model.")),
	tools: maybe(
		texts,
		"Only around calls of these tools, in which * matches any characters; all tools if omitted.",
	),
	deny_when: maybe(text, "Refuses the prompt or call if the result of the command begins with this text."),
	reason: maybe(text, "The reason for a refusal, for people and models."),
	timeout: maybe(count(30), "Time limit in seconds; 5 if omitted."),
});

const commandName = maybe(
	z.string().check(z.regex(COMMAND_NAME)),
	"Letters, digits and _; models call it by this name.",
);

/** The other parts of a command are validated by `readExecutor.ts` and `types/`. */
const command = z.looseObject({
	name: commandName,
	command_name: commandName,
	description: maybe(text, "For models: what the command does, and when to call it."),
});

const configAs = <Type extends z.ZodMiniType>(type: Type) =>
	maybe(type, "Values for parameters and placeholders, which the workspace and the user may override.");

export const manifestSchema = z.looseObject({
	commands: z.optional(z.array(command).check(z.maxLength(50))),
	info: z.optional(info),
	hosts: maybe(
		texts,
		"Hosts to which http commands may send requests, with the port unless it is the default port. Hosts on this machine or its networks must be listed also as addresses. If omitted, the hosts of the commands' URLs.",
	),
	config: configAs(z.record(z.string(), z.unknown())),
	hooks: maybe(
		z.array(hook).check(z.maxLength(20)),
		"Commands that run around prompts and calls, after the user has agreed to the plugin.",
	),
	type: maybe(text, "plugin, or copilot: a persona that models ask as a single tool."),
	plugins: maybe(
		z.array(z.string().check(z.regex(PLUGIN_NAME))).check(z.maxLength(30)),
		"Names of the plugins whose commands a copilot may call.",
	),
	inherit_resources: maybe(
		z.boolean(),
		"For a copilot: whether the plugins in its folder may use its resources.",
	),
	group_id: maybe(text, "Names the component, together with artifact_id and version; local if omitted."),
	artifact_id: maybe(text, "Names the component; the folder's name if omitted."),
	version: maybe(text, "As in 1.2.3, 1.2.3-any or 1.2.3-SNAPSHOT; 1.0.0 if omitted."),
	as_plugin: maybe(z.boolean(), "Whether the commands are offered; true if omitted."),
});

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
				"string, date, iri, int, float, bool, List[…], Dict[str, …]; a mapping of named values; a list of named fields for a list of objects; or a name that a _type_ref defines.",
			),
		),
		name: maybe(z.string(), "The name of the field, in a list of named fields."),
		description: maybe(z.string(), "What the value is, for models."),
		required: maybe(z.boolean(), "Whether the value must be given; true if omitted."),
		optional: maybe(z.boolean(), "In a response: whether the value may be absent."),
		enum: maybe(z.array(z.unknown()), "All allowed values."),
		example: maybe(z.unknown(), "An example of a value."),
		asset_ref_acceptable: maybe(
			z.boolean(),
			"Whether the value may be a reference to an earlier result, as in asset://3/rows.",
		),
	});
	const value = z.optional(z.looseObject({ type, description: z.optional(z.string()) }));
	const parameters = maybe(
		z.record(z.string(), z.union([z.string(), field])),
		"The parameters by name, each as a type or as a mapping with a type.",
	);
	const config = z.looseObject({
		resources: maybe(z.array(resourceSchema), "Servers, files and models that several commands can use."),
	});
	const parts = { parameters, parameter: value, response: value, executor: z.optional(executor) };
	const commands = z.array(z.extend(command, { ...shortSchemas, ...parts })).check(z.maxLength(50));
	const whole = { commands: z.optional(commands), config: configAs(config) };
	return z.toJSONSchema(z.extend(manifestSchema, whole), { io: "input", target: "draft-7" });
}
