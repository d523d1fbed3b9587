import type { PermissionRequest } from "../../src/core/permission/permission.ts";
import { createPermissions } from "../../src/permissions/openPermissions.ts";

/** Writes decisions into the folder that it is given until it is killed, and tells of each that is on the disk. */
const [folder = "", name = ""] = process.argv.slice(2);
const permissions = createPermissions({ folder, managedRules: () => [], now: Date.now, ignoreCase: false });

for (let index = 0; ; index++) {
	const request: PermissionRequest = {
		...{ tool: name, arguments: [], workspace: "", mutates: true },
		door: "cli",
		title: `${index}`,
	};
	await permissions.record({ request, effect: "deny", by: "person" });
	await permissions.add({ effect: "deny", scope: "always", tool: `${name}-${index}` });
	await new Promise((resolve) => process.send?.(index, resolve));
}
