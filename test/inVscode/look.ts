import * as vscode from "vscode";
import { tell } from "./testReport.ts";
import { untilTrue } from "./untilTrue.ts";

/** Themes by what they are called in pictures. */
const THEMES = {
	dark: ["Default Dark Modern", vscode.ColorThemeKind.Dark],
	light: ["Default Light Modern", vscode.ColorThemeKind.Light],
	contrast: ["Default High Contrast", vscode.ColorThemeKind.HighContrast],
} as const;

export type ThemeName = keyof typeof THEMES;
export const THEME_NAMES: readonly ThemeName[] = ["dark", "light", "contrast"];

/** Without a name, the theme of new windows. */
export async function chooseTheme(name?: ThemeName): Promise<void> {
	const [theme, kind] = name ? THEMES[name] : [];
	await vscode.workspace.getConfiguration("workbench").update("colorTheme", theme, true);
	const { onDidChangeActiveColorTheme } = vscode.window;
	if (kind) await untilTrue(() => vscode.window.activeColorTheme.kind === kind, onDidChangeActiveColorTheme);
}

/** What the chat shows, once the words are in the last answer; `null` if there is no page to look at, so that its test is skipped. */
export function look(picture: string, words?: string) {
	return tell("look", { picture, ...(words && { words }) });
}
