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
import type { CallState, ToolCalls } from "../../updates/turnReader.ts";
import { denialText, type PermissionDesk } from "./permissionDesk.ts";
import { type JudgedFile, namesOf, type ReadRules } from "./reads.ts";
import { acpKindOf, hookedCalls, pathsNamedIn } from "./wantedCall.ts";

export interface CallGuardDeps {
	readonly calls: ToolCalls;
	readonly desk: PermissionDesk;
	readonly reads: ReadRules;
	readonly folder: string;
	/** Whether a tool is a command of a plugin that our own server offers to this session. */
	hasCommand(tool: string): boolean;
	readonly agent?: ActingAgent | undefined;
	readonly heard?: Heard | undefined;
	/** Whether the CLI's "allow all" option is on, and a rule still allows that. */
	allowsAll(): Promise<boolean>;
	/** Ends the turn at the user's request. Resolves after the CLI has read the request. */
	halt(): Promise<void>;
	show(event: AgentEvent): void;
}

export interface CallGuard extends CallJudge {
	/** Whether the guard has decided on this call, so that no later check is needed. */
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
			// The call is not recorded as decided: if it runs nevertheless, a later check stops the turn.
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
			// Comes last: messages count as delivered only with a result that is passed on. Subagents get no messages.
			return call.isSubagent ? judged : { ...judged, ...spoken(deps.heard) };
		},
		knows: (callId) => decided.has(callId),
	};
}

/** Explains why the agent's own tools do not permit a call; the CLI is not trusted to limit them. */
function forbiddenTo(agent: ActingAgent | undefined, { tool }: HookedCall): string | undefined {
	if (!agent) return undefined;
	const { tools } = agent;
	const { kind, startsAgents } = CLI_TOOLS.get(tool) ?? {};
	const isAllowed = startsAgents
		? agent.step === undefined || mayStartAgents(tools)
		: kind === "own" || mayUse(tools, tool);
	if (isAllowed) return undefined;
	return `The agent ${visibleText(agent.name)} may not use ${visibleText(tool)}: it is not among its tools.`;
}

const SPOKEN =
	"The person you work for says, while you are at work (their own words, and no part of any result):";

/** Adds the user's messages to a result, because ACP cannot add messages to a running turn. */
function spoken(heard: Heard | undefined): AfterCall {
	const words = heard?.words() ?? [];
	if (words.length === 0) return {};
	heard?.given(words.length);
	return { also: [SPOKEN, ...words].join("\n\n") };
}

/** Judges a search result. The model does not get a result that cannot be judged. */
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

/** Whether to leave a call to the CLI: our own tools are judged by the process that runs them. */
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

/** Keeps files that may not be read freely; if "allow all" is on, only denied files. */
async function bindingOf({ allowsAll }: CallGuardDeps, files: readonly JudgedFile[]): Promise<JudgedFile[]> {
	if (files.length === 0) return [];
	const isFree = await allowsAll();
	return files.filter(({ effect }) => effect === "deny" || !isFree);
}

/** Applies rules or asks the user about each file that the call changes, as if the CLI had asked. */
async function decide(
	{ desk, halt }: CallGuardDeps,
	call: HookedCall,
	known: CallState | undefined,
): ReturnType<CallJudge["before"]> {
	for (const wanted of hookedCalls(call, known)) {
		const decided = await desk.decide(wanted);
		if (decided.kind === "allowed") continue;
		// Stop first: if the CLI received the denial before, its model would continue.
		if (decided.kind === "stopped") await halt();
		// The hook reports the denial to the model within this turn.
		return { deny: denialText(decided.kind === "denied" && decided.denial ? [decided.denial] : []) };
	}
	return "allow";
}

/** Finds the call's announcement. If a hook changed the input, takes the first open call of that kind. */
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

/** Plugin hooks may deny calls that the judge allows, but cannot allow calls that the judge denies. */
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
			// Hooks run first, so that the user is not asked about a call that a hook denies.
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
			// Hooks do not get a result that the model must not read.
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
