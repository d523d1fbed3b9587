import { listOf, textOf } from "../../../base/values.ts";
import type { Permissions } from "../../../core/permission/permission.ts";

export interface ConfigOption {
	readonly id: string;
	readonly name: string;
	readonly value: string;
	readonly choices: readonly { readonly value: string; readonly name: string }[];
}

/** Whether the CLI runs every tool without asking. */
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

/** A group of choices has no value of its own. */
function toChoice(choice: unknown): ConfigOption["choices"] {
	const value = textOf(choice, "value");
	return value === undefined ? [] : [{ value, name: textOf(choice, "name") ?? value }];
}

/** Only a rule that names this switch lets the CLI run everything without a question, because other rules are then not applied. */
export async function mayAllowAll(
	permissions: Permissions,
	{ session, workspace }: { readonly session: string; readonly workspace: string },
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
