import type { KnowledgeGraph, Things } from "../../core/knowledge/graph.ts";
import type { Sessions } from "../../core/session/session.ts";
import type { VirtualDocuments } from "../registerEach.ts";

export interface LanguageDeps {
	readonly things: Things;
	/** Without waiting until the index is in step. */
	readonly graph: KnowledgeGraph;
	readonly documents: VirtualDocuments;
	readonly sessions: Sessions;
}

/** What the editor and the picture of the graph show passes the policies of the chat. */
export const DOOR = { door: "chat" } as const;
