import type { AgentEvent, ToolCall } from "../../src/core/agent/agentEvent.ts";
import type { Hit } from "../../src/core/knowledge/knowledge.ts";

/** What happened in a turn before and beside its answer, in order. */
export type TurnStep =
	/** Without a result if the call did not return. */
	| { readonly kind: "tool"; readonly call: ToolCall; readonly result?: ToolResult }
	| { readonly kind: "retrieved"; readonly hits: readonly Hit[] }
	| { readonly kind: "thought"; readonly text: string }
	| { readonly kind: "notice"; readonly text: string }
	| Extract<AgentEvent, { readonly kind: "permission" | "diff" | "plan" }>;

export interface ToolResult {
	readonly ok: boolean;
	readonly text: string;
}

/** A call and its result are one step, at the position of the call; consecutive thoughts are one, too. */
export function stepsOf(events: readonly AgentEvent[]): TurnStep[] {
	const steps: TurnStep[] = [];
	const calls = new Map<string, number>();
	const lastPlan = events.findLast(({ kind }) => kind === "plan");
	for (const event of events) {
		switch (event.kind) {
			case "toolStarted":
				calls.set(event.call.id, steps.push({ kind: "tool", call: event.call }) - 1);
				break;
			case "toolFinished": {
				const { call, ok, text } = event;
				steps[calls.get(call.id) ?? steps.length] = { kind: "tool", call, result: { ok, text } };
				break;
			}
			case "thought": {
				const last = steps.at(-1);
				if (last?.kind !== "thought") steps.push({ kind: "thought", text: event.text });
				else steps[steps.length - 1] = { kind: "thought", text: last.text + event.text };
				break;
			}
			case "retrieved":
			case "notice":
			case "permission":
			case "diff":
				steps.push(event);
				break;
			case "plan":
				// Each plan replaces the one before.
				if (event === lastPlan) steps.push(event);
		}
	}
	return steps;
}
