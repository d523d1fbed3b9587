export type Message =
	| { readonly role: "system"; readonly text: string }
	| { readonly role: "user"; readonly text: string; readonly images?: readonly Image[] }
	| { readonly role: "assistant"; readonly text: string; readonly toolCalls: readonly ToolCall[] }
	| { readonly role: "tool"; readonly callId: string; readonly text: string };

export type ModelPart =
	| { readonly kind: "text"; readonly text: string }
	| { readonly kind: "toolCall"; readonly call: ToolCall };

export interface Image {
	readonly mimeType: string;
	/** Base64. */
	readonly data: string;
}

export interface ToolCall {
	readonly id: string;
	readonly name: string;
	readonly input: unknown;
}

/** A question and its answer; `historyTurn` says what of an answer later models get. */
export interface Turn {
	readonly question: string;
	readonly answer: string;
}

/** Messages of one speaker that follow each other become one: the templates of many models want turns. */
export function joinMessages(messages: readonly Message[]): Message[] {
	const all: Message[] = [];
	for (const message of messages) {
		const last = all.at(-1);
		if (message.role === "user" && last?.role === "user") {
			const images = [...(last.images ?? []), ...(message.images ?? [])];
			all[all.length - 1] = { role: "user", text: `${last.text}\n\n${message.text}`, images };
		} else if (message.role === "system" && last?.role === "system")
			all[all.length - 1] = { role: "system", text: `${last.text}\n\n${message.text}` };
		else all.push(message);
	}
	return all;
}
