import { rulesByDoor } from "../../src/core/permission/permission.ts";
import type { Visibility } from "../../src/sessions/visibility/visibility.ts";

export const NOTHING_HIDDEN: Visibility = {
	rules: async () => rulesByDoor(() => []),
	sees: async () => true,
};
