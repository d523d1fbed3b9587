/** Who is answered. */
export type Door = "chat" | "tools" | "cli" | "mcp";

export const DOORS: readonly Door[] = ["chat", "tools", "cli", "mcp"];

/** A question with who asks it. */
export type AtDoor<Query> = Query & { readonly door: Door };
