import type { Core, ElementDefinition, NodeSingular } from "cytoscape";
import cytoscape from "cytoscape";
import { amounts } from "../parts/l10n.ts";
import { choose, expand, openGroup, select } from "./graphActions.ts";
import { layOut, type Point } from "./layout.ts";
import { classOf, type Drawn, type GraphAction, type GraphState, looksIn, mostLinked } from "./model.ts";
import { color, pictureStyle, SIZE } from "./pictureStyle.ts";

/** Above this number, links are drawn as straight lines without names. */
const MOST_CURVES = 200;

/** Up to this number of resources, all names are drawn at any zoom. */
const MOST_NAMES = 60;
/** Number of resources with the most links whose names are drawn at any zoom. */
const HUBS = 15;

/** Zoom from which all names are drawn. */
const NEAR = 1.1;

/** Margins of the picture in pixels, for names that are longer than the width of their nodes. */
const [BESIDE, ABOVE] = [90, 40];

export type Picture = ReturnType<typeof createPicture>;

interface Shown {
	readonly state: GraphState;
	readonly drawn: Drawn;
}

export function createPicture(container: HTMLElement, dispatch: (action: GraphAction) => void) {
	const viewport = { minZoom: 0.05, maxZoom: 4, textureOnViewport: true, hideEdgesOnViewport: true };
	const cy = cytoscape({ container, style: pictureStyle(), ...viewport });
	const lines = createLines(container, cy);
	let last: Shown | undefined;
	listen(cy, dispatch);
	nameWhatIsNear(cy);
	return {
		show: (state: GraphState, drawn: Drawn) => {
			const former = last;
			last = { state, drawn };
			const isNew = former?.state.layouts !== state.layouts;
			if (isNew || former?.drawn !== drawn) {
				const places = placesOf(cy, last, former);
				cy.batch(() => sync(cy, { state, drawn }, places));
				lines.show(isCrowded(drawn.links) ? drawn.links : []);
				if (isNew) bringIntoView(cy, [...places.values()]);
			}
			cy.batch(() => mark(cy, state, former?.state));
		},
		restyle: () => void cy.style(pictureStyle()),
	};
}

function isCrowded(links: Drawn["links"]): boolean {
	return links.length > MOST_CURVES;
}

function listen(cy: Core, dispatch: (action: GraphAction) => void): void {
	cy.on("tap", "node", ({ target }) => {
		const name = target.data("group");
		dispatch(name === undefined ? choose(target.id()) : openGroup(name));
	});
	cy.on("dbltap", "node", ({ target }) => {
		if (target.data("group") === undefined) dispatch(expand(target.id()));
	});
	cy.on("tap", (event) => {
		if (event.target === cy) dispatch(select(undefined));
	});
}

function isNear(cy: Core): boolean {
	return cy.zoom() >= NEAR;
}

function nameWhatIsNear(cy: Core): void {
	let was = isNear(cy);
	cy.on("zoom", () => {
		const is = isNear(cy);
		if (is !== was) cy.batch(() => cy.nodes().toggleClass("near", is));
		was = is;
	});
}

/** Positions of all nodes. Visible nodes stay in place, unless a new layout is requested. */
function placesOf(cy: Core, { state, drawn }: Shown, former: Shown | undefined): Map<string, Point> {
	const isSame = former !== undefined && former.state.layouts === state.layouts;
	const isAgain = !isSame && former?.state.things === state.things;
	const known = new Map<string, Point>();
	if (!isAgain) for (const node of cy.nodes()) known.set(node.id(), { ...node.position() });
	const { things, groups, links } = drawn;
	const nodes = new Map([
		...groups.map((group) => [group.id, sizeOf(group) / 2] as const),
		...[...things.keys()].map((id) => [id, SIZE / 2] as const),
	]);
	const isNothingNew = isSame && [...nodes.keys()].every((id) => known.has(id));
	if (isNothingNew) return known;
	return layOut({ nodes, links, known, fixed: new Set(isSame ? known.keys() : []) });
}

function sizeOf({ count }: { readonly count: number }): number {
	return SIZE + 4 * Math.sqrt(Math.min(count, 1000));
}

function sync(cy: Core, { state, drawn }: Shown, places: ReadonlyMap<string, Point>): void {
	const wanted = elementsOf(state, drawn, isNear(cy));
	for (const [id, place] of places) {
		const element = wanted.get(id);
		if (element) element.position = { ...place };
	}
	for (const there of cy.elements().toArray()) {
		const element = wanted.get(there.id());
		if (!element) there.remove();
		else there.data(element.data).classes(element.classes ?? "");
		if (element?.position && there.isNode()) there.position(element.position);
		wanted.delete(there.id());
	}
	cy.add([...wanted.values()]);
}

/** Replaces Cytoscape's `fit`, which measures every name, even names that are too small to be drawn. */
function bringIntoView(cy: Core, places: readonly Point[]): void {
	const [xs, ys] = [places.map(({ x }) => x), places.map(({ y }) => y)];
	const [left, top] = [Math.min(...xs) - BESIDE, Math.min(...ys) - ABOVE];
	const [width, height] = [Math.max(...xs) + BESIDE - left, Math.max(...ys) + ABOVE - top];
	if (places.length === 0) return;
	const zoom = Math.max(cy.minZoom(), Math.min(1.2, cy.width() / width, cy.height() / height));
	const x = (cy.width() - width * zoom) / 2 - left * zoom;
	const y = (cy.height() - height * zoom) / 2 - top * zoom;
	cy.viewport({ zoom, pan: { x, y } });
}

function elementsOf(state: GraphState, drawn: Drawn, near: boolean): Map<string, ElementDefinition> {
	const { things, groups, links } = drawn;
	const looks = looksIn(state);
	const lookOfClass = (name: string) => looks.get(name) ?? "";
	const wanted = new Map<string, ElementDefinition>();
	for (const group of groups) {
		const { id, name, count } = group;
		const label = `${shortened(name)} · ${amounts.things(count)}`;
		const data = { id, label, size: sizeOf(group), group: name };
		wanted.set(id, { group: "nodes", data, classes: `group far ${lookOfClass(name)}` });
	}
	const far = namedFromAfar(things, links);
	for (const [id, thing] of things) {
		const data = { id, label: shortened(thing.label) };
		const sizes = [far.has(id) ? "far" : "", near ? "near" : ""];
		const classes = [lookOfClass(classOf(thing)), ...sizes].join(" ").trim();
		wanted.set(id, { group: "nodes", data, classes });
	}
	if (isCrowded(links)) return wanted;
	for (const { id, from, to, label } of links)
		wanted.set(id, { group: "edges", data: { id, source: from, target: to, label: shortened(label) } });
	return wanted;
}

function namedFromAfar(things: Drawn["things"], links: Drawn["links"]): ReadonlySet<string> {
	const all = [...things.values()];
	const named = all.length <= MOST_NAMES ? all : mostLinked(all, links).slice(0, HUBS);
	return new Set(named.map(({ id }) => id));
}

function shortened(label: string): string {
	return label.length > 30 ? `${label.slice(0, 29)}…` : label;
}

/** Changes only the classes that differ: setting a class again would style the node again. */
function mark(cy: Core, state: GraphState, former: GraphState | undefined): void {
	const { selected, way } = state;
	const past = [former?.selected ?? "", ...(former?.way ?? [])];
	for (const id of new Set([selected ?? "", ...way, ...past])) {
		const node = cy.getElementById(id);
		node.toggleClass("chosen", id === selected);
		node.toggleClass("way", way.has(id));
	}
}

/** Pixels of an arrow, which is drawn in the middle of its line. */
const [LENGTH, HALF_WIDTH] = [6, 2.5];

/** Zoom below which arrows are omitted, because they would look like dots. */
const ARROWS_FROM = 0.3;

interface Ends {
	readonly from: NodeSingular;
	readonly to: NodeSingular;
}

/** Draws all links in one stroke below the nodes. As a Cytoscape element, a link costs as much as a node. */
function createLines(container: HTMLElement, cy: Core): { show(links: Drawn["links"]): void } {
	const canvas = document.createElement("canvas");
	canvas.className = "lines";
	container.prepend(canvas);
	let shown: readonly Ends[] = [];
	cy.on("render", () => {
		const pen = clean(canvas, cy);
		if (!pen || shown.length === 0) return;
		const [{ x, y }, zoom, scale] = [cy.pan(), cy.zoom(), window.devicePixelRatio];
		pen.setTransform(zoom * scale, 0, 0, zoom * scale, x * scale, y * scale);
		draw(pen, shown, zoom >= ARROWS_FROM);
	});
	return {
		show: (links) => {
			shown = links
				.filter(({ from, to }) => from !== to)
				.map(({ from, to }) => ({ from: cy.getElementById(from), to: cy.getElementById(to) }));
		},
	};
}

function clean(canvas: HTMLCanvasElement, cy: Core): CanvasRenderingContext2D | null {
	const pen = canvas.getContext("2d");
	const [width, height] = [cy.width(), cy.height()].map((pixels) =>
		Math.round(pixels * window.devicePixelRatio),
	);
	// Setting the same size again would allocate a new canvas.
	if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
	pen?.setTransform(1, 0, 0, 1, 0, 0);
	pen?.clearRect(0, 0, canvas.width, canvas.height);
	return pen;
}

function draw(pen: CanvasRenderingContext2D, links: readonly Ends[], hasArrows: boolean): void {
	const [lines, arrows] = [new Path2D(), new Path2D()];
	for (const { from, to } of links) {
		const [start, end] = [from.position(), to.position()];
		lines.moveTo(start.x, start.y);
		lines.lineTo(end.x, end.y);
		if (hasArrows) addArrow(arrows, start, end);
	}
	pen.globalAlpha = 0.5;
	pen.strokeStyle = pen.fillStyle = color("--vscode-descriptionForeground");
	pen.lineWidth = 1;
	pen.stroke(lines);
	pen.fill(arrows);
}

function addArrow(path: Path2D, start: Point, end: Point): void {
	const [x, y] = [end.x - start.x, end.y - start.y];
	const far = Math.hypot(x, y) || 1;
	const [alongX, alongY] = [(x / far) * LENGTH, (y / far) * LENGTH];
	const [acrossX, acrossY] = [(-y / far) * HALF_WIDTH, (x / far) * HALF_WIDTH];
	const [middleX, middleY] = [(start.x + end.x) / 2, (start.y + end.y) / 2];
	path.moveTo(middleX + alongX / 2, middleY + alongY / 2);
	path.lineTo(middleX - alongX / 2 + acrossX, middleY - alongY / 2 + acrossY);
	path.lineTo(middleX - alongX / 2 - acrossX, middleY - alongY / 2 - acrossY);
	path.closePath();
}
