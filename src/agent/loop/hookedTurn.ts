import { Failure } from "../../base/failure.ts";
import { visibleText } from "../../base/text/visibleText.ts";
import type { AgentEvent, Attachment, Runner } from "../../core/agent/agentEvent.ts";
import type { HookSaid, TurnHooks } from "../../core/agent/turnHooks.ts";
import type { AgentPorts } from "../ports.ts";

type RunTool = AgentPorts["runTool"];

/** Gives an engine what hooks say of its calls, and shows the person what they have to know. */
type HookedEngine = (around: (runTool: RunTool) => RunTool) => Runner;

/** An engine with hooks around its turns and around those of its calls that it runs through `around`. */
export function hookedTurn(hooks: TurnHooks, engine: HookedEngine): Runner {
	return async function* runTurn(request, signal) {
		const said = await hooks.prompt(request, signal);
		yield* noticesOf(said);
		if (said.denial !== undefined) throw new Failure("NOT_ALLOWED", said.denial);
		const notices: AgentEvent[] = [];
		const around = hookedCalls(hooks, (text) => notices.push({ kind: "notice", text }));
		const attachments = [...request.attachments, ...said.context];
		for await (const event of engine(around)({ ...request, attachments }, signal)) {
			yield* notices.splice(0);
			// Nothing is told after the end.
			if (event.kind === "ended") yield* noticesOf(await hooks.end(request, signal));
			yield event;
		}
	};
}

/** Passages with hooks around them, which may refuse; what they add nobody reads. */
export function hookedQuote(hooks: TurnHooks, passages: Runner): Runner {
	const prompt: TurnHooks["prompt"] = async (...asked) => ({
		...(await hooks.prompt(...asked)),
		context: [],
	});
	return hookedTurn({ ...hooks, prompt }, () => passages);
}

/** A step of a chain, whose prompt is one of the chain's session. Its answer does not end that one, and its calls have hooks where they run. */
export function hookedStep(hooks: TurnHooks, chain: string, step: Runner): Runner {
	const prompt: TurnHooks["prompt"] = ({ question }, signal) =>
		hooks.prompt({ question, session: chain }, signal);
	const end = async () => ({ context: [], notices: [] });
	return hookedTurn({ ...hooks, prompt, end }, () => step);
}

/** Runs calls of tools with hooks before and after them; a call that one refuses does not run. */
export function hookedCalls(hooks: TurnHooks, tell: (notice: string) => void) {
	return (runTool: RunTool): RunTool =>
		async (call, signal) => {
			const asked = { tool: call.name, input: call.input };
			const before = await hooks.before(asked, signal);
			before.notices.forEach(tell);
			if (before.denial !== undefined) {
				tell(`${before.denial} The call of ${visibleText(call.name)} did not run.`);
				throw new Failure("NOT_ALLOWED", before.denial);
			}
			const result = await runTool(call, signal);
			const after = await hooks.after({ ...asked, result }, signal);
			after.notices.forEach(tell);
			return [result, ...[...before.context, ...after.context].map(contextText)].join("\n\n");
		};
}

export function contextText({ name, text }: Attachment): string {
	return `${name}:\n${text}`;
}

function noticesOf({ notices }: HookSaid): AgentEvent[] {
	return notices.map((text) => ({ kind: "notice", text }));
}
