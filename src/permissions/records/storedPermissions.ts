import { rm } from "node:fs/promises";
import { join } from "node:path";
import { sizeOf } from "../../base/files/fileError.ts";
import type { PermissionData } from "../../core/storedData.ts";
import { createAuditLog } from "./auditLog.ts";
import { CONSENT_FILE } from "./pluginConsents.ts";
import { createRuleFile, RULE_FILE } from "./ruleFile.ts";

/** The rules that a person made and the log of decisions, as something that takes room. Rules of the settings are kept there. */
export function createStoredPermissions(folder: string): PermissionData {
	const path = join(folder, RULE_FILE);
	const [file, log] = [createRuleFile(path), createAuditLog(folder)];
	return {
		sizes: async () => ({
			// A damaged file can be cleared all the same.
			rules: { items: (await file.rules().catch(() => [])).length, bytes: await sizeOf(path) },
			decisions: await log.size(),
		}),
		clear: async (part) => {
			if (part === "decisions") return log.clear();
			// Agreeing to a plugin is a rule as well; after it the person is only asked more.
			await rm(join(folder, CONSENT_FILE), { force: true });
			await file.clear();
		},
	};
}
