/** Who is answered. */
export type Door = "chat" | "tools" | "cli" | "mcp";

export const DOORS: readonly Door[] = ["chat", "tools", "cli", "mcp"];
