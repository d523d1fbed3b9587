import variables from "./fixtures/themeVariables.json" with { type: "json" };

/** VS Code's themes: the class of the page's body, and the CSS variables. Borders are omitted, because axe ignores them. */
export const THEMES = ["vscode-dark", "vscode-light", "vscode-high-contrast"].map((body, at) => {
	const set = Object.entries(variables).filter(([, values]) => values[at] !== null);
	return { body, css: set.map(([name, values]) => `${name}: ${values[at]}`).join("; ") };
});
