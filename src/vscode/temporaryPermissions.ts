import { Failure } from "../core/failure.ts";
import type { Permissions } from "../core/permission.ts";

/** Stands in until the permissions of this window are connected: asks about every call, and keeps nothing. */
export function createTemporaryPermissions(): Permissions {
	const refuse = () =>
		Promise.reject(new Failure("BAD_INPUT", "Rules cannot be kept yet. Allow the call once."));
	return {
		verdictFor: async () => ({ effect: "ask" }),
		record: async () => undefined,
		add: refuse,
		revoke: refuse,
		rules: async () => [],
		decisions: async () => [],
		preview: async () => [],
	};
}
