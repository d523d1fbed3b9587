import { messageOf } from "../base/failure.ts";
import type { AgentEvent, Runner } from "../core/agent/agentEvent.ts";
import { wordsOf } from "../core/agent/turnAnswer.ts";
import type { Door } from "../core/permission/permission.ts";
import { type CheckPorts, checkTurn } from "./checkTurn.ts";
import { summaryOf, warningsOn } from "./summary.ts";

/** Nobody waits long for the comparison. */
const PATIENCE_MS = 5000;

/** Compares what a model wrote with the lines that it cites, and states the result before the turn ends. */
export function checkedRunner(run: Runner, ports: CheckPorts & { readonly door: Door }): Runner {
	return async function* runTurn(request, signal) {
		const events: AgentEvent[] = [];
		for await (const event of run(request, signal)) {
			if (isEnd(event)) yield* await remarksOn(events.filter(isOwn), ports, signal);
			events.push(event);
			yield event;
		}
	};
}

function isEnd(event: AgentEvent): boolean {
	return event.kind === "ended" && !event.isQuoted;
}

function isOwn({ step, within }: AgentEvent): boolean {
	return step === undefined && within === undefined;
}

async function remarksOn(
	events: readonly AgentEvent[],
	{ door, ...ports }: CheckPorts & { readonly door: Door },
	signal: AbortSignal,
): Promise<AgentEvent[]> {
	const turn = { answer: events.map(wordsOf).join(""), events, door };
	try {
		const late = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
		const { statements } = await checkTurn(ports, turn, late);
		const texts = [summaryOf(statements), ...warningsOn(statements)].filter((text) => text !== "");
		return texts.map((text) => ({ kind: "notice", text }));
	} catch (thrown) {
		signal.throwIfAborted();
		return [{ kind: "notice", text: `The answer was not compared with its sources: ${messageOf(thrown)}` }];
	}
}
