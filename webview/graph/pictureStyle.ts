import type { StylesheetJson } from "cytoscape";

/** Pixels of a thing. */
export const SIZE = 18;

/** VS Code's own colors for charts; shapes distinguish further classes. */
const COLORS = ["blue", "green", "orange", "purple", "red", "yellow"].map(
	(name) => `--vscode-charts-${name}`,
);
const SHAPES = ["ellipse", "round-rectangle", "diamond", "hexagon", "triangle", "rectangle"] as const;

/** The style class of the class at this place of the list. */
export function lookOf(index: number): string {
	return `c${index % COLORS.length}`;
}

export function pictureStyle(): StylesheetJson {
	const text = color("--vscode-editor-foreground");
	const classes = COLORS.map((variable, at) => ({
		selector: `node.${lookOf(at)}`,
		style: { "background-color": color(variable), shape: SHAPES[at] ?? "ellipse" },
	}));
	return [...nodeStyle(text), ...edgeStyle(), ...classes, ...markStyle(text)];
}

function nodeStyle(text: string): StylesheetJson {
	const named = {
		label: "data(label)",
		"font-family": color("--vscode-font-family"),
		"font-size": 11,
		"min-zoomed-font-size": 5,
		"text-valign": "bottom",
		"text-margin-y": 3,
		"z-index": 1,
	} as const;
	return [
		{ selector: "node", style: { color: text, width: SIZE, height: SIZE } },
		// The library measures every name, so names too small to read are left out of the style.
		...[".far", ".near"].map((selector) => ({ selector, style: named })),
	];
}

function edgeStyle(): StylesheetJson {
	const line = color("--vscode-descriptionForeground");
	const curved = {
		label: "data(label)",
		"font-family": color("--vscode-font-family"),
		"font-size": 8,
		"min-zoomed-font-size": 9,
		"target-arrow-color": line,
		"target-arrow-shape": "triangle",
		"curve-style": "bezier",
		"text-rotation": "autorotate",
	} as const;
	// For many links, and in a saved picture: the arrow is in the middle.
	const straight = {
		"curve-style": "haystack",
		opacity: 0.5,
		"mid-target-arrow-shape": "triangle",
		"mid-target-arrow-color": line,
		"arrow-scale": 0.6,
	} as const;
	return [
		{ selector: "edge", style: { color: line, width: 1, "line-color": line } },
		{ selector: "edge[!many]", style: curved },
		{ selector: "edge[?many]", style: straight },
	];
}

function markStyle(text: string): StylesheetJson {
	return [
		{
			selector: "node.group",
			style: {
				"font-size": 16,
				"background-opacity": 0.6,
				"border-width": 2,
				"border-color": text,
				width: "data(size)",
				height: "data(size)",
			},
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

export function color(variable: string): string {
	const value = getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
	return value === "" ? "#888888" : value;
}
