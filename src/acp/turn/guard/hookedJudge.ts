import type { Attachment } from "../../../core/agent/agentEvent.ts";
import type { HookSaid, TurnHooks } from "../../../core/agent/tool.ts";
import type { CallJudge, HookedCall } from "../../link/callHooks.ts";

interface HookedJudgeDeps {
	readonly hooks: TurnHooks;
	readonly signal: AbortSignal;
	tell(notice: string): void;
}

/** A judge with hooks around the calls: they may refuse what it would allow, and never the other way round. */
export function hookedJudge(judge: CallJudge, deps: HookedJudgeDeps | undefined): CallJudge {
	if (!deps) return judge;
	const { hooks, signal, tell } = deps;
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
