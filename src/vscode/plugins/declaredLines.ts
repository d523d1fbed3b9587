import { l10n } from "vscode";
import { shellWord } from "../../base/text/shellWord.ts";
import { boundedText, visibleText } from "../../base/text/visibleText.ts";
import {
	type CommandBody,
	type Executor,
	isActing,
	type PluginDefinition,
	type PluginHook,
} from "../../core/plugin/plugin.ts";
import type { PluginResource } from "../../core/plugin/resource.ts";

/** A plugin as it declares itself, without the parts that the workspace or the user adds. */
export type Declaring = Omit<PluginDefinition, "commands" | "isDisabled" | "source"> & {
	readonly commands: readonly CommandBody[];
};

/** Lines to read before a plugin, and the plugins in its folder, may run. Commands that act come first. */
export function declaredLines(plugin: Declaring, inner: readonly Declaring[]): string[] {
	const { groupId, artifactId, version, title, hooks } = plugin;
	const all = [plugin, ...inner];
	const names = new Set(inner.map(({ name }) => name));
	const commands = all.flatMap(commandsOf).map((command) => withoutInner(command, names));
	const { reading = [], doing = [] } = Object.groupBy(commands, (command) =>
		isActing(command.executor) ? "doing" : "reading",
	);
	const titles = inner.map((one) => `${shortName(one)}, ${shown(one.title, SHORT)}`);
	const hosts = all.flatMap((one) => one.hosts.map(visibleText));
	const resources = all.flatMap((one) => one.resources.map(resourceWords));
	const prompts = all.flatMap(({ prompt }) => (prompt === "" ? [] : [shown(prompt, SHOWN)]));
	const runsPrograms = doing.some(({ executor }) => executor.kind === "program");
	return [
		`${shown(title, SHORT)} (${shown(`${groupId}:${artifactId} ${version}`, SHORT)})`,
		...listed(l10n.t("With the plugins in its folder:"), titles),
		...listed(l10n.t("May do more than read:"), doing.map(told)),
		...(runsPrograms ? [l10n.t("A program is not confined: it can do whatever you can do.")] : []),
		...listed(l10n.t("Runs by itself:"), hooks.map(hookWords)),
		...listed(l10n.t("Sends requests to:"), hosts),
		...listed(l10n.t("Works with:"), resources),
		...listed(l10n.t("Only reads:"), reading.map(told)),
		...listed(l10n.t("Tells a language model:"), prompts),
		...listed(l10n.t("Is configured with:"), all.flatMap(valuesOf)),
	];
}

/** Maximum characters of a name or a description. */
export const SHORT = 100;
/** Maximum characters of a prompt or a value. */
const SHOWN = 300;

export function shown(text: string, most: number): string {
	return boundedText(visibleText(text), most);
}

function listed(heading: string, items: readonly string[]): string[] {
	return items.length === 0 ? [] : [heading, ...new Set(items.map((item) => `• ${item}`))];
}

/** The plugin's name without the prefix, which is the copilot's name and may differ for each user. */
function shortName({ name, within }: { readonly name: string; readonly within?: string }): string {
	return within === undefined ? "" : name.slice(within.length + 1);
}

function commandsOf({ commands, ...plugin }: Declaring): CommandBody[] {
	const before = plugin.within === undefined ? "" : `${shortName(plugin)}:`;
	return commands.map((command) => ({ ...command, name: `${before}${command.name}` }));
}

/** Removes plugins in the plugin's own folder from those that a prompt may call. */
function withoutInner({ executor, ...command }: CommandBody, inner: ReadonlySet<string>): CommandBody {
	if (executor.kind !== "prompt" || !executor.plugins) return { ...command, executor };
	const plugins = executor.plugins.filter((name) => !inner.has(name));
	return { ...command, executor: { ...executor, plugins } };
}

function told({ name, description, executor }: CommandBody): string {
	const words = doneBy(visibleText(name), executor);
	return description === "" ? words : `${words} (“${shown(description, SHORT)}”)`;
}

function doneBy(name: string, executor: Executor): string {
	switch (executor.kind) {
		case "sparql":
			return l10n.t("{0} queries the graph", name);
		case "retrieval":
			return l10n.t("{0} searches the knowledge", name);
		case "prompt":
			return asksWith(name, executor.plugins ?? []);
		case "vscode": {
			const line = [executor.command, ...executor.arguments.map((one) => JSON.stringify(one))].join(" ");
			return l10n.t("{0} runs the command {1} of VS Code", name, visibleText(line));
		}
		case "tool": {
			const { tool, resource, input } = executor;
			const where = visibleText(resource ? `${tool} (${resource.url})` : tool);
			const given = visibleText(JSON.stringify(input));
			return l10n.t("{0} calls the tool {1} with {2}", name, where, given);
		}
		case "agent":
			return asks(l10n.t("{0} asks the agent {1}", name, visibleText(executor.name)), executor.template);
		case "chain":
			return asks(l10n.t("{0} starts the chain {1}", name, visibleText(executor.name)), executor.template);
		case "http":
			return sends(name, executor);
		case "program":
			return runs(name, executor);
	}
}

function asks(whom: string, what: string): string {
	return `${whom}: ${visibleText(what)}`;
}

function asksWith(name: string, plugins: readonly string[]): string {
	const alone = l10n.t("{0} asks a language model, which may use your quota", name);
	if (plugins.length === 0) return alone;
	const others = visibleText(plugins.join(", "));
	return l10n.t("{0}, and calls commands of the plugins {1}, each of which needs permission", alone, others);
}

type Doing<Kind extends Executor["kind"]> = Extract<Executor, { kind: Kind }>;

function sends(name: string, { method, url, headers, body, query }: Doing<"http">): string {
	if (query !== undefined)
		return asks(l10n.t("{0} asks the SPARQL endpoint {1}", name, addressOf({ url, headers })), query);
	const sent = linesOf(headers);
	if (body !== undefined) sent.push(JSON.stringify(body));
	const request = visibleText(`${method} ${url}`);
	if (sent.length === 0) return l10n.t("{0} sends {1}", name, request);
	return l10n.t("{0} sends {1} with {2}", name, request, visibleText(sent.join(", ")));
}

function runs(name: string, { program, arguments: words, input, resource }: Doing<"program">): string {
	const line = visibleText([program, ...words].map(shellWord).join(" "));
	const run =
		resource?.type === "files"
			? l10n.t("{0} runs the program {1} in the folder {2}", name, line, visibleText(resource.folder))
			: l10n.t("{0} runs the program {1}", name, line);
	return input === undefined ? run : l10n.t("{0}, with the input {1}", run, visibleText(input));
}

function hookWords({ event, command, tools, denyWhen }: PluginHook): string {
	const when = EVENTS[event](visibleText(command));
	const around = tools.length === 0 ? when : l10n.t("{0} of {1}", when, visibleText(tools.join(", ")));
	return denyWhen === undefined ? around : l10n.t("{0}, and may refuse it", around);
}

const EVENTS: Readonly<Record<PluginHook["event"], (command: string) => string>> = {
	session_start: (command) => l10n.t("{0}, before the first prompt of a session", command),
	before_prompt: (command) => l10n.t("{0}, before each prompt", command),
	before_call: (command) => l10n.t("{0}, before each call", command),
	after_call: (command) => l10n.t("{0}, after each call", command),
	session_end: (command) => l10n.t("{0}, after each answer", command),
};

function resourceWords(resource: PluginResource): string {
	switch (resource.type) {
		case "http":
			return l10n.t("the server {0}", addressOf(resource));
		case "sparql":
			return l10n.t("the SPARQL endpoint {0}", addressOf(resource));
		case "mcp":
			return l10n.t("the MCP server {0}", addressOf(resource));
		case "files":
			return l10n.t("the folder {0}", visibleText(resource.folder));
		case "model":
			return l10n.t("the language model {0}", visibleText(resource.model));
		case "index": {
			const part = [...(resource.sources ?? []), ...(resource.types ?? [])].join(", ");
			return part === ""
				? l10n.t("the index of the workspace")
				: l10n.t("a part of the index: {0}", visibleText(part));
		}
	}
}

type Address = { readonly url: string; readonly headers: Readonly<Record<string, string>> };

function addressOf({ url, headers }: Address): string {
	const sent = linesOf(headers);
	return visibleText(sent.length === 0 ? url : `${url} (${sent.join(", ")})`);
}

function linesOf(headers: Address["headers"]): string[] {
	return Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
}

function valuesOf({ config, ...plugin }: Declaring): string[] {
	const before = plugin.within === undefined ? "" : `${shortName(plugin)}: `;
	return config.map(({ path, value }) =>
		shown(`${before}${path.join(".")} = ${JSON.stringify(value)}`, SHOWN),
	);
}
