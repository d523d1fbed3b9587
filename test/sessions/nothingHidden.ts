import { rulesByDoor } from "../../src/core/permission/permission.ts";
import type { Visibility } from "../../src/sessions/visibility/visibility.ts";

const rules = async () => rulesByDoor(() => []);
export const NOTHING_HIDDEN: Visibility = { rules, sees: async () => true };
