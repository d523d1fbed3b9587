import type { Message } from "./message.ts";

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
