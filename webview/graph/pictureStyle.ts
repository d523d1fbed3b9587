import type { StylesheetJson } from "cytoscape";

export const SIZE = 18;

/** VS Code's own colors for charts. Six colors and six shapes distinguish 36 classes. */
const NAMES = ["blue", "green", "orange", "purple", "red", "yellow"];
const COLORS = NAMES.map((name) => `--vscode-charts-${name}`);
const SHAPES = ["ellipse", "round-rectangle", "diamond", "hexagon", "triangle", "rectangle"] as const;

/** Style classes of the RDF class with this index, for the picture and the legend. */
export function lookOf(index: number): string {
	const color = index % COLORS.length;
	const shape = (color + Math.floor(index / COLORS.length)) % SHAPES.length;
	return [`color${color}`, `shape${shape}`].join(" ");
}

export function pictureStyle(): StylesheetJson {
	const text = color("--vscode-editor-foreground");
	const colors = COLORS.map((variable, at) => ({
		selector: `node.color${at}`,
		// High-contrast themes do not define orange.
		style: { "background-color": color(variable, "#d18616") },
	}));
	const shapes = SHAPES.map((shape, at) => ({ selector: `node.shape${at}`, style: { shape } }));
	return [nodeStyle(text), edgeStyle(), colors, shapes, markStyle(text)].flat();
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
		// Cytoscape measures every name, so names too small to read are omitted.
		...[".far", ".near"].map((selector) => ({ selector, style: named })),
	];
}

function edgeStyle(): StylesheetJson {
	const line = color("--vscode-descriptionForeground");
	const style = {
		color: line,
		width: 1,
		"line-color": line,
		label: "data(label)",
		"font-family": color("--vscode-font-family"),
		"font-size": 8,
		"min-zoomed-font-size": 9,
		"target-arrow-color": line,
		"target-arrow-shape": "triangle",
		"curve-style": "bezier",
		"text-rotation": "autorotate",
	} as const;
	return [{ selector: "edge", style }];
}

function markStyle(text: string): StylesheetJson {
	const border = (width: number, line: "solid" | "dashed", color: string) =>
		({ "border-width": width, "border-style": line, "border-color": color }) as const;
	const size = { width: "data(size)", height: "data(size)" };
	const group = { ...size, "font-size": 16, "background-opacity": 0.6, ...border(2, "solid", text) };
	return [
		{ selector: "node.group", style: group },
		{ selector: "node.way", style: border(3, "dashed", text) },
		{ selector: "node.chosen", style: border(4, "solid", color("--vscode-focusBorder")) },
	];
}

export function color(variable: string, missing = "#888888"): string {
	const value = getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
	return value === "" ? missing : value;
}
