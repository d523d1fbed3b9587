import type { CommandBody, HookEvent, PluginHook } from "../../core/plugin/plugin.ts";
import type { Report } from "../types/readType.ts";
import type { Manifest } from "./schema.ts";

/** Names of the texts that the command of a hook can receive. */
const FACTS = ["prompt", "session", "tool", "input", "result"];

/** Executors that hooks may use: none that asks a model, because such a hook could trigger itself. */
const HOOKABLE: ReadonlySet<string> = new Set(["sparql", "retrieval", "http", "program"]);
const DENYING: ReadonlySet<HookEvent> = new Set(["before_prompt", "before_call"]);
const OF_CALLS: ReadonlySet<HookEvent> = new Set(["before_call", "after_call"]);

export function readHooks(
	{ hooks = [], config = {} }: Manifest,
	commands: readonly CommandBody[],
	report: Report,
): PluginHook[] {
	const configured = new Set(Object.keys(config));
	return hooks.map((hook, index) => {
		const { event, command, tools = [], deny_when: denyWhen, reason, timeout = 5 } = hook;
		const wrong = (field: string, message: string) => report.error(["hooks", index, field], message);
		for (const message of mistakesIn(command, commands, configured)) wrong("command", message);
		if (hook.tools && !OF_CALLS.has(event)) wrong("tools", "Only before_call and after_call apply to tools.");
		if (denyWhen !== undefined && !DENYING.has(event))
			wrong("deny_when", "Only before_prompt and before_call can refuse.");
		return {
			event,
			command,
			tools,
			timeoutMs: timeout * 1000,
			...(denyWhen !== undefined && { denyWhen }),
			...(reason !== undefined && { reason }),
		};
	});
}

function mistakesIn(name: string, commands: readonly CommandBody[], configured: ReadonlySet<string>) {
	const command = commands.find((one) => one.name === name);
	if (!command) return [`There is no command “${name.slice(0, 80)}” here.`];
	const { executor, parameters } = command;
	const kind = executor.kind === "http" && executor.query !== undefined ? "endpoint" : executor.kind;
	if (!HOOKABLE.has(kind)) return [`“${name}” cannot be a hook: its executor is ${kind}.`];
	return parameters
		.filter((one) => one.isRequired && !configured.has(one.name) && !FACTS.includes(one.name))
		.map((one) => `“${one.name}” has no value: a hook receives ${FACTS.join(", ")}.`);
}
