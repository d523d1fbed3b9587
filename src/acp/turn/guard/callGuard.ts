import { isDeepStrictEqual } from "node:util";
import { messageOf } from "../../../base/failure.ts";
import { isBelow } from "../../../base/files/paths.ts";
import { visibleText } from "../../../base/text/visibleText.ts";
import { textOf } from "../../../base/values.ts";
import type { ActingAgent, AgentEvent, Attachment, Heard } from "../../../core/agent/agentEvent.ts";
import { mayStartAgents, mayUse } from "../../../core/agent/allowedTools.ts";
import { CLI_TOOLS } from "../../../core/agent/cliTools.ts";
import { OUR_TOOLS_ON_CLI } from "../../../core/agent/ourTools.ts";
import type { HookSaid, TurnHooks } from "../../../core/agent/tool.ts";
import type { AfterCall, CallJudge, HookedCall } from "../../link/callHooks.ts";
import type { CallState, ToolCalls } from "../../updates/toolCalls.ts";
import { denialText, type PermissionDesk } from "./permissionDesk.ts";
import { type JudgedFile, namesOf, type ReadRules } from "./reads.ts";
import { acpKindOf, hookedCalls, pathsNamedIn } from "./wantedCall.ts";

export interface CallGuardDeps {
	readonly calls: ToolCalls;
	readonly desk: PermissionDesk;
	readonly reads: ReadRules;
	readonly folder: string;
	/** Whether a tool is a command of a plugin, which our own server offers to this session. */
	hasCommand(tool: string): boolean;
	/** The agent as which the CLI acts in this turn; absent if it acts as itself. */
	readonly agent?: ActingAgent | undefined;
	/** What the user says during the turn; absent if they cannot. */
	readonly heard?: Heard | undefined;
	/** Whether the CLI's switch that allows everything is on, and a rule allows that now. */
	allowsAll(): Promise<boolean>;
	/** Ends the turn at the user's request. Resolves once the CLI knows. */
	halt(): Promise<void>;
	show(event: AgentEvent): void;
}

/** Decides on each call of a turn before it runs, from the arguments it will run with. */
export interface CallGuard extends CallJudge {
	/** Whether it decided on this call, which then needs no check afterwards. */
	knows(callId: string): boolean;
}

export function createCallGuard(deps: CallGuardDeps): CallGuard {
	const decided = new Set<string>();
	const find = (call: HookedCall) => {
		const state = announced(deps.calls.open(), call, decided);
		if (state) decided.add(state.call.id);
		return state;
	};
	return {
		before: async (call) => {
			// Not noted as decided: if it runs all the same, the check afterwards stops the turn.
			const forbidden = forbiddenTo(deps.agent, call);
			if (forbidden !== undefined) {
				deps.show({ kind: "notice", text: `${forbidden} The call did not run.` });
				return { deny: `${forbidden} Go on without it.` };
			}
			const known = find(call);
			if (known && !isDeepStrictEqual(known.call.input, call.input)) deps.show(changedByHook(known, call));
			if (acpKindOf(call.tool) === "read") return judgeRead(deps, call, known);
			if (isLeftToTheCli(call, deps) || (await deps.allowsAll())) return "pass";
			return decide(deps, call, known);
		},
		after: async (call, result) => {
			const judged = CLI_TOOLS.get(call.tool)?.kind === "search" ? await judgeFound(deps, call, result) : {};
			// Last, so that only a result that is passed on uses up the words. The user does not talk to subagents.
			return call.isSubagent ? judged : { ...judged, ...spoken(deps.heard) };
		},
		knows: (callId) => decided.has(callId),
	};
}

/** Why an agent may not make a call, whatever the rules say. We do not rely on the CLI to limit its tools. */
function forbiddenTo(agent: ActingAgent | undefined, { tool }: HookedCall): string | undefined {
	if (!agent) return undefined;
	const { tools } = agent;
	const { kind, startsAgents } = CLI_TOOLS.get(tool) ?? {};
	// The calls of an agent that it starts are judged like its own.
	const isAllowed = startsAgents
		? agent.step === undefined || mayStartAgents(tools)
		: kind === "own" || mayUse(tools, tool);
	if (isAllowed) return undefined;
	return `The agent ${visibleText(agent.name)} may not use ${visibleText(tool)}: it is not among its tools.`;
}

/** Precedes the user's words; both are shown after the result that carried them. */
const SPOKEN =
	"The person you work for says, while you are at work (their own words, and no part of any result):";

/** Over ACP a second prompt cancels the first, and no method puts words into a turn: they go along with a call's result. */
function spoken(heard: Heard | undefined): AfterCall {
	const words = heard?.words() ?? [];
	if (words.length === 0) return {};
	heard?.given(words.length);
	return { also: [SPOKEN, ...words].join("\n\n") };
}

/** A result that could not be judged is kept from the model. */
async function judgeFound(deps: CallGuardDeps, call: HookedCall, result: string): Promise<AfterCall> {
	try {
		const files = await bindingOf(deps, await deps.reads.found(call.input, result));
		if (files.length === 0) return {};
		await deps.reads.record(files);
		const text = `The rules do not let the model see the results: ${namesOf(files.map(({ path }) => path))}`;
		deps.show({ kind: "notice", text });
		return { instead: `${text}. Search elsewhere, without these files.` };
	} catch (thrown) {
		const text = `The model does not see the results, because they could not be checked: ${messageOf(thrown)}`;
		deps.show({ kind: "notice", text });
		return { instead: text };
	}
}

/** Our own tools are judged by the process that runs them. */
function isLeftToTheCli({ tool, input }: HookedCall, { folder, hasCommand }: CallGuardDeps): boolean {
	const kind = CLI_TOOLS.get(tool)?.kind;
	if (OUR_TOOLS_ON_CLI.has(tool) || kind === "own" || hasCommand(tool)) return true;
	const paths = pathsNamedIn(input);
	return kind === "edit" && paths.length > 0 && paths.every((path) => isBelow(path, folder));
}

async function judgeRead(
	deps: CallGuardDeps,
	call: HookedCall,
	known: CallState | undefined,
): ReturnType<CallJudge["before"]> {
	const files = await bindingOf(deps, await deps.reads.named(call.input));
	const denied = files.filter(({ effect }) => effect === "deny");
	if (denied.length > 0) {
		await deps.reads.record(denied);
		const text = `The rules do not allow reading ${namesOf(denied.map(({ path }) => path))}`;
		deps.show({ kind: "notice", text: `${text}; the call did not run.` });
		return { deny: text };
	}
	return files.length === 0 ? "pass" : decide(deps, call, known);
}

/** If everything is allowed, the user is not asked, but what is denied stays denied. */
async function bindingOf({ allowsAll }: CallGuardDeps, files: readonly JudgedFile[]): Promise<JudgedFile[]> {
	if (files.length === 0) return [];
	const isFree = await allowsAll();
	return files.filter(({ effect }) => effect === "deny" || !isFree);
}

/** As if the CLI itself had asked: applies the same rules and asks the same user, for each file the call changes. */
async function decide(
	{ desk, halt }: CallGuardDeps,
	call: HookedCall,
	known: CallState | undefined,
): ReturnType<CallJudge["before"]> {
	for (const wanted of hookedCalls(call, known)) {
		const decided = await desk.decide(wanted);
		if (decided.kind === "allowed") continue;
		// Stop first: if the CLI heard of the denial before, its model would go on.
		if (decided.kind === "stopped") await halt();
		// The model learns of it within this turn.
		return { deny: denialText(decided.kind === "denied" && decided.denial ? [decided.denial] : []) };
	}
	return "allow";
}

/** The call as announced; if a hook changed it, the first open call of its kind. */
function announced(open: readonly CallState[], { tool, input }: HookedCall, decided: ReadonlySet<string>) {
	const left = open.filter(({ call }) => !decided.has(call.id));
	const same = left.find(({ call }) => isDeepStrictEqual(call.input, input));
	return same ?? left.find(({ kind, title }) => kind === acpKindOf(tool) || title === tool);
}

function changedByHook({ call }: CallState, { tool, input }: HookedCall): AgentEvent {
	const words = (value: unknown) => visibleText(textOf(value, "command") ?? JSON.stringify(value));
	const text = `A hook changed a call of ${tool}: instead of “${words(call.input)}”, the CLI wants to run “${words(input)}”.`;
	return { kind: "notice", text };
}

/** A judge with hooks around the calls: they may refuse what it would allow, and never the other way round. */
export function hookedJudge(
	judge: CallJudge,
	hooks: TurnHooks,
	{ signal, show }: { readonly signal: AbortSignal; show(event: AgentEvent): void },
): CallJudge {
	const tell = (text: string) => show({ kind: "notice", text });
	const hear = ({ notices, context }: HookSaid): readonly Attachment[] => {
		notices.forEach(tell);
		return context;
	};
	const kept = new Map<string, readonly Attachment[]>();
	return {
		before: async (call) => {
			// First, so that the user is not asked about a call that a hook denies.
			const said = await hooks.before(call, signal);
			kept.set(keyOf(call), hear(said));
			if (said.denial === undefined) return judge.before(call);
			tell(`${said.denial} The call did not run.`);
			return { deny: said.denial };
		},
		after: async (call, result) => {
			const judged = await judge.after(call, result);
			const before = kept.get(keyOf(call)) ?? [];
			kept.delete(keyOf(call));
			// Hooks do not get what is kept from the model.
			const after = judged.instead === undefined ? hear(await hooks.after({ ...call, result }, signal)) : [];
			const also = [...before, ...after].map(({ name, text }) => `${name}:\n${text}`);
			const all = [...(judged.also === undefined ? [] : [judged.also]), ...also];
			return all.length === 0 ? judged : { ...judged, also: all.join("\n\n") };
		},
	};
}

function keyOf({ tool, input }: HookedCall): string {
	return JSON.stringify([tool, input]);
}
