import { readFile } from "node:fs/promises";
import { join } from "node:path";

export type ThemeName = "dark" | "light" | "high-contrast";

/** The class of the page's body, and the variables that VS Code sets for the colors that our pages name. */
export interface Theme {
	readonly body: string;
	readonly variables: Readonly<Record<string, string>>;
}

/** Written down from VS Code itself. */
export const THEMES: Readonly<Record<ThemeName, Theme>> = JSON.parse(
	await readFile(join(import.meta.dirname, "fixtures", "themes.json"), "utf8"),
);
