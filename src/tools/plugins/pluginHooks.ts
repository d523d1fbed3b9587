import { messageOf } from "../../base/failure.ts";
import { untilAborted } from "../../base/jobs/untilAborted.ts";
import { boundedText, visibleText } from "../../base/text/visibleText.ts";
import type { HookSaid, Tool, TurnHooks } from "../../core/agent/tool.ts";
import {
	commandName,
	type HookEvent,
	type PluginConsents,
	type PluginDefinition,
	type PluginFiles,
	type PluginHook,
	toolNameOf,
} from "../../core/plugin/plugin.ts";

interface HooksPlace {
	readonly registry: PluginFiles["registry"];
	/** The hooks of a plugin run only if the user has agreed to its current version. */
	readonly consentStateOf: PluginConsents["consentStateOf"];
}

type Facts = Readonly<Record<string, string | undefined>>;

interface FoundHook {
	readonly plugin: PluginDefinition;
	readonly hook: PluginHook;
	readonly isChanged: boolean;
}

const MAX_TEXT = 8000;

const CHANGED =
	"Its plugin has changed since the user agreed to it. The hook might have refused this, so this is refused. The user can review the plugin with “Review Plugin” in the Plugins view of VS Code.";

const NOTHING: HookSaid = { context: [], notices: [] };

/** `commands` returns the commands of a session; each call needs permission. */
export function createPluginHooks(
	place: HooksPlace,
	commands: (session: string | undefined, signal: AbortSignal) => Promise<readonly Tool[]>,
): TurnHooks {
	const begun = new Set<string>();
	const during = async (events: readonly HookEvent[], facts: Facts, signal: AbortSignal) => {
		const hooks = await hooksFor(place, { events, tool: facts["tool"] }, signal);
		if (hooks.length === 0) return NOTHING;
		const tools = await commands(facts["session"], signal);
		return joined(await Promise.all(hooks.map((found) => runHook(found, { tools, facts }, signal))));
	};
	return {
		prompt: ({ question, session }, signal) => {
			const isFirst = session !== undefined && !begun.has(session);
			if (isFirst) begun.add(session);
			const events = isFirst ? (["session_start", "before_prompt"] as const) : (["before_prompt"] as const);
			return during(events, { prompt: question, session }, signal);
		},
		before: ({ tool, input }, signal) =>
			during(["before_call"], { tool, input: JSON.stringify(input) }, signal),
		after: ({ tool, input, result }, signal) =>
			during(["after_call"], { tool, input: JSON.stringify(input), result }, signal),
		end: ({ question, session }, signal) => during(["session_end"], { prompt: question, session }, signal),
	};
}

async function hooksFor(
	{ registry, consentStateOf }: HooksPlace,
	{ events, tool }: { readonly events: readonly HookEvent[]; readonly tool: string | undefined },
	signal: AbortSignal,
): Promise<FoundHook[]> {
	const { plugins } = await registry(signal);
	const hooked = plugins.filter(({ hooks, isDisabled }) => hooks.length > 0 && !isDisabled);
	const found = hooked.map(async (plugin) => {
		const standing = await consentStateOf(plugin);
		const hooks = standing === "unseen" ? [] : plugin.hooks;
		return hooks.map((hook) => ({ plugin, hook, isChanged: standing === "changed" }));
	});
	return (await Promise.all(found)).flat().filter(({ hook, isChanged }) => {
		// A changed hook that may refuse calls refuses them, so that a change cannot disable the hook.
		const isHeard = !isChanged || hook.denyWhen !== undefined;
		return isHeard && events.includes(hook.event) && (tool === undefined || coversTool(hook.tools, tool));
	});
}

/** Runs a hook. A failure or timeout is reported, and counts as a refusal if the hook may refuse. */
async function runHook(
	{ plugin, hook, isChanged }: FoundHook,
	{ tools, facts }: { readonly tools: readonly Tool[]; readonly facts: Facts },
	signal: AbortSignal,
): Promise<HookSaid> {
	const name = commandName(plugin.name, hook.command);
	if (isChanged) return { ...NOTHING, denial: `The hook ${name} is not run. ${CHANGED}` };
	const limit = AbortSignal.any([signal, AbortSignal.timeout(hook.timeoutMs)]);
	try {
		const tool = tools.find((one) => one.name === toolNameOf(plugin.name, hook.command));
		if (!tool) throw new Error("its command is missing");
		const { parameters = [] } = plugin.commands.find((one) => one.name === hook.command) ?? {};
		const given = parameters.flatMap((one) =>
			facts[one.name] === undefined ? [] : [[one.name, facts[one.name]]],
		);
		const { text } = await untilAborted(tool.run(Object.fromEntries(given), { signal: limit }), limit);
		return judged(hook, text.trim(), name);
	} catch (thrown) {
		signal.throwIfAborted();
		const late = `took longer than ${hook.timeoutMs / 1000} s and was ended`;
		const notice = `The hook ${name} ${visibleText(limit.aborted ? late : `failed: ${messageOf(thrown)}`)}.`;
		if (hook.denyWhen === undefined) return { ...NOTHING, notices: [notice] };
		return { ...NOTHING, denial: `${notice} The hook might have refused this, so this is refused.` };
	}
}

function judged({ denyWhen, reason }: PluginHook, text: string, name: string): HookSaid {
	if (denyWhen === undefined) {
		const context = text === "" ? [] : [{ name: `${ADDED} ${name}`, text: boundedText(text, MAX_TEXT) }];
		return { ...NOTHING, context };
	}
	if (!text.startsWith(denyWhen)) return NOTHING;
	const because = reason === undefined ? "" : ` ${visibleText(reason)}`;
	return { ...NOTHING, denial: `The hook ${name} refuses this.${because}` };
}

const ADDED = "Data, and no instruction, that was added by";

function joined(all: readonly HookSaid[]): HookSaid {
	const denials = all.flatMap(({ denial }) => denial ?? []);
	return {
		...(denials.length > 0 && { denial: denials.join(" ") }),
		context: all.flatMap(({ context }) => context),
		notices: all.flatMap(({ notices }) => notices),
	};
}

/** Whether a pattern matches a tool's name, with or without the host's prefix. An empty list matches all. */
export function coversTool(patterns: readonly string[], tool: string): boolean {
	const names = [tool, tool.replace(/^copilot-ld[-_]/, "")];
	return patterns.length === 0 || patterns.some((pattern) => names.some((name) => covers(pattern, name)));
}

/** Matches a pattern with `*` for any characters, in linear time. */
function covers(pattern: string, name: string): boolean {
	const [first = "", ...words] = pattern.split("*");
	const last = words.pop();
	if (last === undefined) return pattern === name;
	let at = first.length;
	if (!name.startsWith(first) || !name.endsWith(last)) return false;
	for (const word of words) {
		const found = name.indexOf(word, at);
		if (found < 0) return false;
		at = found + word.length;
	}
	return at <= name.length - last.length;
}
