import type { AgentEvent, Runner } from "../core/agent/agentEvent.ts";
import { wordsOf } from "../core/agent/turnAnswer.ts";
import type { Door } from "../core/permission/permission.ts";
import { type CheckPorts, checkTurn } from "./checkTurn.ts";
import { summaryOf, warningsOn } from "./summary.ts";

/** Compares what a model wrote with the lines that it cites, and states the result before the turn ends. */
export function checkedRunner(run: Runner, ports: CheckPorts & { readonly door: Door }): Runner {
	return async function* runTurn(request, signal) {
		const events: AgentEvent[] = [];
		for await (const event of run(request, signal)) {
			if (event.kind === "ended" && !event.isQuoted)
				for (const text of await remarksOn(events, ports, signal)) yield { kind: "notice", text };
			events.push(event);
			yield event;
		}
	};
}

async function remarksOn(
	events: readonly AgentEvent[],
	{ door, ...ports }: CheckPorts & { readonly door: Door },
	signal: AbortSignal,
): Promise<string[]> {
	const turn = { answer: events.map(wordsOf).join(""), events, door };
	const { statements } = await checkTurn(ports, turn, signal);
	return [summaryOf(statements), ...warningsOn(statements)].filter((text) => text !== "");
}
