import type { Visibility } from "../../src/sessions/visibility/visibility.ts";

/** Where no folder has a policy. */
export const NOTHING_HIDDEN: Visibility = {
	rules: async () => ({ chat: [], tools: [], cli: [], mcp: [] }),
	sees: async () => true,
};
