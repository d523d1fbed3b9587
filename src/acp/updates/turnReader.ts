import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { fieldOf, numberOf, textOf } from "../../base/values.ts";
import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import { type AnswerReader, createAnswerReader } from "./answerReader.ts";
import { createToolCalls, type ToolCalls } from "./toolCalls.ts";

/** Reads an agent's updates about one turn. */
export interface TurnReader extends Pick<AnswerReader, "lastError" | "flush"> {
	readonly calls: ToolCalls;
	/** Ignores updates of unknown kinds. */
	read(update: SessionUpdate): AgentEvent[];
}

export function createTurnReader(): TurnReader {
	const calls = createToolCalls();
	const answer = createAnswerReader();
	return {
		calls,
		read: (update) => {
			switch (update.sessionUpdate) {
				case "agent_message_chunk":
					return answer.read(contentOf(update));
				case "agent_thought_chunk":
					return thought(contentOf(update));
				case "tool_call":
				case "tool_call_update":
					return [...answer.interrupt(), ...calls.read(update)];
				case "usage_update":
					return window(update);
				default:
					return [];
			}
		},
		lastError: answer.lastError,
		flush: answer.flush,
	};
}

function contentOf(update: SessionUpdate): string {
	return textOf(fieldOf(update, "content"), "text") ?? "";
}

function thought(text: string): AgentEvent[] {
	return text === "" ? [] : [{ kind: "thought", text }];
}

function window(update: SessionUpdate): AgentEvent[] {
	const usedTokens = numberOf(update, "used");
	const maxTokens = numberOf(update, "size");
	return usedTokens === undefined || maxTokens === undefined
		? []
		: [{ kind: "window", usedTokens, maxTokens }];
}
