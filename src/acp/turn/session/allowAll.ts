import type { PermissionRequest, Permissions } from "../../../core/permission/permission.ts";
import { ALLOW_ALL } from "./configOptions.ts";

/** Only a rule that names this switch lets the CLI run everything without a question, because other rules are then not applied. */
export async function mayAllowAll(
	permissions: Permissions,
	{ session, workspace }: Required<Pick<PermissionRequest, "session" | "workspace">>,
): Promise<boolean> {
	const { effect, rule } = await permissions.verdictFor({
		door: "cli",
		tool: ALLOW_ALL,
		title: "Run every tool without asking",
		arguments: [],
		session,
		workspace,
		mutates: true,
	});
	return effect === "allow" && rule?.tool === ALLOW_ALL;
}
