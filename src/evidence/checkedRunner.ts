import { messageOf } from "../base/failure.ts";
import type { AgentEvent, Runner } from "../core/agent/agentEvent.ts";
import { answering, wordsOf } from "../core/agent/turnAnswer.ts";
import type { Channel } from "../core/permission/permission.ts";
import { type CheckPorts, checkTurn, type TurnToCheck } from "./checkTurn.ts";
import { summaryOf, warningsOn } from "./summary.ts";

const PATIENCE_MS = 5000;

/** Compares a model's answer with the cited lines and reports the result before the turn ends. */
export function checkedRunner(run: Runner, ports: CheckPorts & { readonly channel: Channel }): Runner {
	return async function* runTurn(request, signal) {
		const events: AgentEvent[] = [];
		for await (const event of run(request, signal)) {
			if (event.kind === "ended" && !event.isQuoted) {
				const isOwn = ({ step, within }: AgentEvent) => step === undefined && within === undefined;
				const own = answering(events.filter(isOwn));
				const turn = { answer: own.map(wordsOf).join(""), events: own, channel: ports.channel };
				for (const text of await remarksOn(turn, ports, signal)) yield { kind: "notice", text };
			}
			events.push(event);
			yield event;
		}
	};
}

export async function remarksOn(turn: TurnToCheck, ports: CheckPorts, signal: AbortSignal) {
	try {
		const late = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
		const { statements } = await checkTurn(ports, turn, late);
		return [summaryOf(statements), ...warningsOn(statements)].filter((text) => text !== "");
	} catch (thrown) {
		signal.throwIfAborted();
		return [`The answer was not compared with its sources: ${messageOf(thrown)}`];
	}
}
