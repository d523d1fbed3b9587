import * as vscode from "vscode";

/** In capitals, because VS Code makes the headings of the settings from it. */
export const SECTION = "copilot-LD";

/** What a value must be, as the manifest has it; that is what `core/settings` has. */
export interface Declared {
	readonly type?: string | readonly string[];
	readonly enum?: readonly unknown[];
	readonly items?: Declared;
	readonly properties?: Readonly<Record<string, DeclaredSetting>>;
	readonly additionalProperties?: Declared | false;
}

interface DeclaredSetting extends Declared {
	readonly default: unknown;
	/** Who may choose it; `window` if it is absent. */
	readonly scope?: string;
}

/** By the names of the settings, without their section. */
export function declaredSettings(): Readonly<Record<string, DeclaredSetting>> {
	const extension = vscode.extensions.getExtension("copilot-ld.copilot-ld");
	const sections: readonly { readonly properties: object }[] =
		extension?.packageJSON.contributes.configuration;
	const all = sections.flatMap(({ properties }) => Object.entries(properties));
	return Object.fromEntries(all.map(([id, declared]) => [id.slice(SECTION.length + 1), declared]));
}
