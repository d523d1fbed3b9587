import type { CommandBody, HookEvent, PluginHook } from "../../core/plugin/plugin.ts";
import type { Report } from "../types/located.ts";
import type { Manifest, WrittenHook } from "./schema.ts";

/** Parameters that a hook's command may have; all of them are texts. */
const HOOK_FACTS = ["prompt", "session", "tool", "input", "result"] as const;

const FACTS: ReadonlySet<string> = new Set(HOOK_FACTS);

/** Nothing of these waits for a model: a hook that asks one could be run by what it does. */
const HOOKABLE: ReadonlySet<string> = new Set(["sparql", "retrieval", "http", "program"]);

const DENYING: ReadonlySet<HookEvent> = new Set(["before_prompt", "before_call"]);

const OF_CALLS: ReadonlySet<HookEvent> = new Set(["before_call", "after_call"]);

const TIMEOUT = 5;

export function readHooks(
	{ hooks = [], config = {} }: Manifest,
	commands: readonly CommandBody[],
	report: Report,
): PluginHook[] {
	return hooks.map((written, index) => {
		const mistakes = mistakesOf(written, commands, new Set(Object.keys(config)));
		for (const [field, message] of mistakes) report.error(["hooks", index, field], message);
		const { event, command, tools = [], deny_when: denyWhen, reason, timeout = TIMEOUT } = written;
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

/** Each mistake with its field. */
function mistakesOf(
	{ event, command: name, tools, deny_when }: WrittenHook,
	commands: readonly CommandBody[],
	configured: ReadonlySet<string>,
): (readonly [field: string, message: string])[] {
	const command = commands.find((one) => one.name === name);
	return [
		...(command ? mistakesIn(command, configured) : [`There is no command “${name.slice(0, 80)}” here.`]).map(
			(message) => ["command", message] as const,
		),
		...(tools && !OF_CALLS.has(event)
			? [["tools", "Only before_call and after_call apply to tools."] as const]
			: []),
		...(deny_when !== undefined && !DENYING.has(event)
			? [["deny_when", "Only before_prompt and before_call can refuse."] as const]
			: []),
	];
}

function mistakesIn({ name, executor, parameters }: CommandBody, configured: ReadonlySet<string>): string[] {
	const kind = executor.kind === "http" && executor.query !== undefined ? "endpoint" : executor.kind;
	if (!HOOKABLE.has(kind)) return [`“${name}” cannot be a hook: its executor is ${kind}.`];
	return parameters
		.filter((one) => one.isRequired && !configured.has(one.name) && !FACTS.has(one.name))
		.map((one) => `“${one.name}” has no value: a hook receives ${HOOK_FACTS.join(", ")}.`);
}
