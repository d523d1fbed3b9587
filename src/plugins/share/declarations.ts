import { boundedText, visibleText } from "../../base/text/visibleText.ts";
import type { ConfigValue, PluginCommand, PluginDefinition, PluginHook } from "../../core/plugin/plugin.ts";
import { onlyReads } from "./reach.ts";

/** What a plugin says of itself, before anybody else says something of it. */
type Declaring = Pick<
	PluginDefinition,
	"groupId" | "artifactId" | "version" | "title" | "prompt" | "hosts" | "resources"
> & {
	readonly commands: readonly Pick<PluginCommand, "name" | "executor">[];
	readonly hooks: readonly PluginHook[];
	readonly config: readonly Pick<ConfigValue, "path" | "value">[];
};

/** What a person has to know before they let a plugin run: one line each, first what does more than read. */
export function declarationsOf(plugin: Declaring): string[] {
	const { groupId, artifactId, version, title, prompt, hosts, config } = plugin;
	const { reading = [], doing = [] } = Object.groupBy(plugin.commands, (command) =>
		onlyReads(command) ? "reading" : "doing",
	);
	const values = config.map(({ path, value }) => `${path.join(".")} = ${JSON.stringify(value)}`);
	return [
		`${title} (${groupId}:${artifactId} ${version})`,
		...doing.map(({ name, executor: { kind, ...what } }) => `Does: ${name}, ${kind} ${JSON.stringify(what)}`),
		...plugin.hooks.map(describeHook),
		...(hosts.length === 0 ? [] : [`Sends requests to: ${hosts.join(", ")}`]),
		...plugin.resources.map(
			({ type, id: _, name: __, ...what }) => `Works with: ${type} ${JSON.stringify(what)}`,
		),
		...reading.map(({ name, executor: { kind } }) => `Reads: ${name}, ${WORDS[kind] ?? kind}`),
		...(prompt === "" ? [] : [`Tells a language model: ${boundedText(prompt, SHOWN)}`]),
		...(values.length === 0 ? [] : [`Is configured with ${boundedText(values.join(", "), SHOWN)}`]),
	].map(visibleText);
}

function describeHook({ event, command, tools, denyWhen }: PluginHook): string {
	const around = tools.length === 0 ? "" : ` of ${tools.join(", ")}`;
	const may = denyWhen === undefined ? "" : ", and may refuse it";
	return `Runs by itself: ${command}, ${EVENTS[event]}${around}${may}`;
}

const EVENTS = {
	session_start: "before the first prompt of a session",
	before_prompt: "before each prompt",
	before_call: "before each call",
	after_call: "after each call",
	session_end: "after each answer",
} as const;

/** Characters of what is no command. */
const SHOWN = 300;

const WORDS: Readonly<Record<string, string>> = {
	sparql: "a query of the graph",
	retrieval: "a search of the knowledge",
	prompt: "a question to a language model, which may use your quota",
	copilot: "a question to a language model, which may use your quota and call commands of other plugins",
};
