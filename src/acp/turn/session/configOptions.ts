import { listOf, textOf } from "../../../base/values.ts";
import type { Permissions } from "../../../core/permission/permission.ts";

export interface ConfigOption {
	readonly id: string;
	readonly name: string;
	readonly value: string;
	readonly choices: readonly { readonly value: string; readonly name: string }[];
}

/** Id of the option that makes the CLI run every tool without asking. */
export const ALLOW_ALL = "allow_all";

export function optionsIn(message: unknown): ConfigOption[] | undefined {
	const options = listOf(message, "configOptions");
	return options.length === 0 ? undefined : options.flatMap(toOption);
}

function toOption(option: unknown): ConfigOption[] {
	const id = textOf(option, "id");
	const value = textOf(option, "currentValue");
	if (id === undefined || value === undefined) return [];
	const choices = listOf(option, "options").flatMap((item) => [item, ...listOf(item, "options")]);
	return [{ id, name: textOf(option, "name") ?? id, value, choices: choices.flatMap(toChoice) }];
}

function toChoice(choice: unknown): ConfigOption["choices"] {
	const value = textOf(choice, "value");
	return value === undefined ? [] : [{ value, name: textOf(choice, "name") ?? value }];
}

/** Requires a rule that names this option, because other rules are not applied while the option is on. */
export async function mayAllowAll(
	permissions: Permissions,
	{ session, workspace }: { readonly session: string; readonly workspace: string },
): Promise<boolean> {
	const { effect, rule } = await permissions.verdictFor({
		channel: "cli",
		tool: ALLOW_ALL,
		title: "Run every tool without asking",
		arguments: [],
		session,
		workspace,
		mutates: true,
	});
	return effect === "allow" && rule?.tool === ALLOW_ALL;
}
