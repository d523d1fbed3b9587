import type { Things } from "../../core/knowledge/things.ts";

export interface LanguageDeps {
	readonly things: Things;
}

/** What the editor shows passes the policies of the chat. */
export const DOOR = { door: "chat" } as const;
