import type { Core, NodeSingular } from "cytoscape";
import type { Point } from "./layout.ts";
import type { Drawn } from "./model.ts";
import { color } from "./pictureStyle.ts";

/** Pixels of an arrow, which is in the middle of its line. */
const [LENGTH, HALF_WIDTH] = [6, 2.5];

/** Seen from farther away, an arrow is a dot. */
const ARROWS_FROM = 0.3;

interface Ends {
	readonly from: NodeSingular;
	readonly to: NodeSingular;
}

/** All links in one stroke below the nodes: as elements, each would cost as much as a node. */
export function createLines(container: HTMLElement, cy: Core): { show(links: Drawn["links"]): void } {
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
	// To be set again would cost a new canvas.
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
