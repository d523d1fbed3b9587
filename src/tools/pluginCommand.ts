import { Failure, messageOf } from "../base/failure.ts";
import { visibleText } from "../base/visibleText.ts";
import type { Runner } from "../core/agent/agentEvent.ts";
import type { Tool, ToolContext, ToolResult } from "../core/agent/tool.ts";
import {
	commandName,
	type Executor,
	type PluginCommand,
	type PluginDefinition,
	toolNameOf,
} from "../core/plugin/plugin.ts";
import { fillPlaces } from "../plugins/manifest/template.ts";
import { bindQuery } from "../plugins/queries/bindQuery.ts";
import { bindingsFor, parametersOf, valuesFor } from "../plugins/run/commandInput.ts";
import { inputSchemaOf } from "../plugins/types/jsonSchema.ts";
import { answerOf } from "./ask.ts";

/** What commands are done with: tools of ours, at the door of the caller. */
export interface CommandTools {
	readonly query: Tool;
	readonly search: Tool;
	/** Absent where there is no model to be had. */
	openRunner?(context: ToolContext): Promise<Runner>;
}

interface CommandParts {
	readonly tools: CommandTools;
	requireRun(plugin: PluginDefinition, command: PluginCommand): void | Promise<void>;
	onRun?(command: string, error: string | undefined): void;
}

/** A command as a tool. It does what our own tools do, so that what holds of them holds of it. */
export function createCommandTool(
	plugin: PluginDefinition,
	command: PluginCommand,
	{ tools, requireRun, onRun = () => undefined }: CommandParts,
): Tool {
	const name = commandName(plugin.name, command.name);
	const structure = { sparql: tools.query, retrieval: tools.search, prompt: undefined }[
		command.executor.kind
	];
	return {
		name: toolNameOf(plugin.name, command.name),
		title: visibleText(`${plugin.title}: ${command.name}`),
		summary: visibleText(command.description),
		description: describeCommand(plugin, command),
		inputSchema: inputSchemaOf(parametersOf(plugin, command), plugin.types),
		...(structure?.outputSchema && { outputSchema: structure.outputSchema }),
		isReadOnly: true,
		announce: () => `Running ${name}`,
		permission: (input) => ({
			tool: name,
			uses: [toolNameOf(plugin.name, command.name), USES[command.executor.kind]],
			mutates: false,
			arguments: [],
			title: `Run ${name} with ${JSON.stringify(input ?? {})}`,
		}),
		run: async (input, context) => {
			await requireRun(plugin, command);
			try {
				const values = valuesFor(plugin, command, input);
				const result = await run({ plugin, command, tools }, values, context);
				onRun(name, undefined);
				return result;
			} catch (thrown) {
				if (!context.signal.aborted) onRun(name, messageOf(thrown));
				throw thrown;
			}
		},
	};
}

/** The tools whose rules hold for a command. */
const USES: Readonly<Record<Executor["kind"], string>> = {
	sparql: "query_graph",
	retrieval: "search_knowledge",
	prompt: "ask",
};

function describeCommand(
	{ descriptionForModel }: PluginDefinition,
	{ description, response }: PluginCommand,
) {
	const gives = response === "" ? [] : [`Returns: ${response}.`];
	return [description, ...gives, `Part of: ${descriptionForModel}`].join("\n");
}

interface Called {
	readonly plugin: PluginDefinition;
	readonly command: PluginCommand;
	readonly tools: CommandTools;
}

async function run(
	{ plugin, command, tools }: Called,
	values: ReadonlyMap<string, unknown>,
	context: ToolContext,
): Promise<ToolResult> {
	const { executor } = command;
	switch (executor.kind) {
		case "sparql": {
			const { query, kind: _, ...limits } = executor;
			const sparql = bindQuery(query, bindingsFor(command, values));
			return tools.query.run({ sparql, ...limits }, context);
		}
		case "retrieval": {
			const { query, kind: _, ...choice } = executor;
			return tools.search.run({ query: fillPlaces(query, values), ...choice }, context);
		}
		case "prompt": {
			const question = fillPlaces(executor.template, values);
			const agent = {
				name: commandName(plugin.name, command.name),
				persona: plugin.prompt,
				tools: executor.tools,
			};
			const runner = await requireRunner(tools, context);
			return {
				text: await answerOf(runner({ question, history: [], attachments: [], agent }, context.signal)),
			};
		}
	}
}

async function requireRunner({ openRunner }: CommandTools, context: ToolContext): Promise<Runner> {
	if (openRunner) return openRunner(context);
	throw new Failure(
		"NO_MODEL",
		"This command asks a language model, and there is none here. Go on without it.",
	);
}
