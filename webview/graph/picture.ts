import cytoscape, { type Core, type ElementDefinition, type StylesheetJson } from "cytoscape";
import { classOf, type GraphEvent, type GraphState, visibleIn } from "./model.ts";
import { keyOf } from "./reduceGraph.ts";
import { toSvg } from "./svg.ts";

/** VS Code's own colors for charts; a shape tells classes apart where colors do not. */
const COLORS = ["blue", "green", "orange", "purple", "red", "yellow"].map(
	(name) => `--vscode-charts-${name}`,
);
const SHAPES = ["ellipse", "round-rectangle", "diamond", "hexagon", "triangle", "rectangle"];

/** More things are laid out without forces: those take longer than a person waits. */
const MOST_WITH_FORCES = 400;

/** The drawn picture, which follows the state. */
export interface Picture {
	show(state: GraphState): void;
	export(format: "svg" | "png"): string;
	/** Follows another theme. */
	restyle(): void;
}

export function createPicture(container: HTMLElement, dispatch: (event: GraphEvent) => void): Picture {
	const cy = cytoscape({
		container,
		style: styleOf(),
		minZoom: 0.05,
		maxZoom: 4,
		textureOnViewport: true,
		hideEdgesOnViewport: true,
	});
	let last: GraphState | undefined;
	listen(cy, dispatch, () => last);
	return {
		show: (state) => {
			const former = last;
			last = state;
			if (former?.things !== state.things || former.links !== state.links || former.hidden !== state.hidden)
				sync(cy, state);
			mark(cy, state);
			if (former?.layouts !== state.layouts) layOut(cy, former === undefined || former.things.size === 0);
		},
		export: (format) => (format === "svg" ? toSvg(cy, color("--vscode-editor-background")) : toPng(cy)),
		restyle: () => void cy.style(styleOf()),
	};
}

function listen(cy: Core, dispatch: (event: GraphEvent) => void, state: () => GraphState | undefined): void {
	cy.on("tap", "node", ({ target }) => {
		const id = target.id();
		dispatch(state()?.pathFrom === undefined ? { kind: "selected", id } : { kind: "pathEnded", id });
	});
	cy.on("dbltap", "node", ({ target }) => dispatch({ kind: "expanded", id: target.id() }));
	cy.on("tap", (event) => {
		if (event.target === cy) dispatch({ kind: "selected", id: undefined });
	});
}

function sync(cy: Core, state: GraphState): void {
	const { things, links } = visibleIn(state);
	const classes = [...new Set([...state.things.values()].map(classOf))];
	const wanted = new Map<string, ElementDefinition>();
	for (const [id, thing] of things) {
		const at = classes.indexOf(classOf(thing));
		wanted.set(id, {
			group: "nodes",
			data: { id, label: shortened(thing.label) },
			classes: `c${at % COLORS.length}`,
		});
	}
	for (const link of links) {
		const { from: source, to: target, property } = link;
		const id = keyOf(link);
		wanted.set(id, { group: "edges", data: { id, source, target, label: property.label } });
	}
	cy.batch(() => {
		cy.elements()
			.filter((element) => !wanted.has(element.id()))
			.remove();
		cy.add([...wanted].filter(([id]) => cy.getElementById(id).empty()).map(([, element]) => element));
	});
}

function shortened(label: string): string {
	return label.length > 30 ? `${label.slice(0, 29)}…` : label;
}

function mark(cy: Core, { selected, pinned, way }: GraphState): void {
	cy.batch(() => {
		for (const node of cy.nodes()) {
			const id = node.id();
			node.toggleClass("chosen", id === selected);
			node.toggleClass("way", way.has(id));
			if (pinned.has(id)) node.lock();
			else node.unlock();
		}
	});
}

function layOut(cy: Core, isFirst: boolean): void {
	const count = cy.nodes().length;
	if (count === 0) return;
	const forces = {
		name: "cose",
		animate: false,
		randomize: isFirst,
		numIter: Math.max(50, Math.round(20_000 / count)),
	};
	const rings = { name: "concentric", animate: false, minNodeSpacing: 12 };
	cy.layout(count > MOST_WITH_FORCES ? rings : forces).run();
	cy.fit(undefined, 30);
}

function toPng(cy: Core): string {
	return cy.png({ output: "base64", full: true, scale: 2, bg: color("--vscode-editor-background") });
}

function color(variable: string): string {
	const value = getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
	return value === "" ? "#888888" : value;
}

function styleOf(): StylesheetJson {
	const [text, line, focus] = [
		"--vscode-editor-foreground",
		"--vscode-descriptionForeground",
		"--vscode-focusBorder",
	].map(color);
	const font = color("--vscode-font-family");
	return [
		{
			selector: "node",
			style: {
				label: "data(label)",
				color: text ?? "",
				"font-family": font,
				"font-size": 11,
				// Names that nobody could read are not drawn.
				"min-zoomed-font-size": 7,
				"text-valign": "bottom",
				"text-margin-y": 3,
				width: 18,
				height: 18,
			},
		},
		{
			selector: "edge",
			style: {
				label: "data(label)",
				color: line ?? "",
				"font-family": font,
				"font-size": 8,
				"min-zoomed-font-size": 9,
				"line-color": line ?? "",
				"target-arrow-color": line ?? "",
				"target-arrow-shape": "triangle",
				"curve-style": "bezier",
				width: 1,
				"text-rotation": "autorotate",
			},
		},
		...COLORS.map((variable, at) => ({
			selector: `node.c${at}`,
			style: { "background-color": color(variable), shape: SHAPES[at] as "ellipse" },
		})),
		{
			selector: "node.way",
			style: { "border-width": 3, "border-style": "dashed", "border-color": text ?? "" },
		},
		{
			selector: "node.chosen",
			style: { "border-width": 4, "border-style": "solid", "border-color": focus ?? "" },
		},
	];
}
