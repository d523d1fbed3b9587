import type { StylesheetJson } from "cytoscape";

/** VS Code's own colors for charts; a shape tells classes apart where colors do not. */
const COLORS = ["blue", "green", "orange", "purple", "red", "yellow"].map(
	(name) => `--vscode-charts-${name}`,
);
const SHAPES = ["ellipse", "round-rectangle", "diamond", "hexagon", "triangle", "rectangle"] as const;

/** The style class of the class at this place of the list. */
export function lookOf(index: number): string {
	return `c${index % COLORS.length}`;
}

/** The colors and fonts of the theme, as they are now. */
export function pictureStyle(): StylesheetJson {
	const text = color("--vscode-editor-foreground");
	const classes = COLORS.map((variable, at) => ({
		selector: `node.${lookOf(at)}`,
		style: { "background-color": color(variable), shape: SHAPES[at] ?? "ellipse" },
	}));
	return [...nodeStyle(text), ...edgeStyle(), ...classes, ...markStyle(text)];
}

function nodeStyle(text: string): StylesheetJson {
	const style = {
		label: "data(label)",
		color: text,
		"font-family": color("--vscode-font-family"),
		"font-size": 11,
		"text-valign": "bottom",
		"text-margin-y": 3,
		width: "data(size)",
		height: "data(size)",
	} as const;
	return [
		{ selector: "node", style },
		// Names that nobody could read are not drawn; of many, only some from afar.
		{ selector: "node[!far]", style: { "min-zoomed-font-size": 12 } },
		{ selector: "node[?far]", style: { "min-zoomed-font-size": 5, "z-index": 1 } },
	];
}

function edgeStyle(): StylesheetJson {
	const line = color("--vscode-descriptionForeground");
	const style = {
		label: "data(label)",
		color: line,
		"font-family": color("--vscode-font-family"),
		"font-size": 8,
		"min-zoomed-font-size": 9,
		"line-color": line,
		"target-arrow-color": line,
		"target-arrow-shape": "triangle",
		"curve-style": "bezier",
		width: 1,
		"text-rotation": "autorotate",
	} as const;
	// A line of this kind has its arrow in the middle.
	const straight = {
		"curve-style": "haystack",
		"haystack-radius": 0,
		label: "",
		opacity: 0.5,
		"mid-target-arrow-shape": "triangle",
		"mid-target-arrow-color": line,
		"arrow-scale": 0.6,
	} as const;
	return [
		{ selector: "edge", style },
		{ selector: "edge.many", style: straight },
	];
}

function markStyle(text: string): StylesheetJson {
	return [
		{
			selector: "node.group",
			style: { "font-size": 16, "background-opacity": 0.6, "border-width": 2, "border-color": text },
		},
		{
			selector: "node.way",
			style: { "border-width": 3, "border-style": "dashed", "border-color": text },
		},
		{
			selector: "node.chosen",
			style: { "border-width": 4, "border-style": "solid", "border-color": color("--vscode-focusBorder") },
		},
	];
}

/** What a theme says for a variable. */
export function color(variable: string): string {
	const value = getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
	return value === "" ? "#888888" : value;
}
