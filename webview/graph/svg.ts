import type { Core } from "cytoscape";

const MARGIN = 40;

/** The picture as a drawing that other programs can change. Names are texts in it, and nothing else. */
export function toSvg(cy: Core, background: string): string {
	const { x1, y1, w, h } = cy.elements().boundingBox({});
	const box = [x1 - MARGIN, y1 - MARGIN, w + 2 * MARGIN, h + 2 * MARGIN].map(Math.round);
	const [x, y, width, height] = box;
	const edges = cy.edges().map((edge) => {
		const [from, to] = [edge.source().position(), edge.target().position()];
		const middle = `x="${Math.round((from.x + to.x) / 2)}" y="${Math.round((from.y + to.y) / 2)}"`;
		return `<line x1="${Math.round(from.x)}" y1="${Math.round(from.y)}" x2="${Math.round(to.x)}" y2="${Math.round(to.y)}" stroke="${edge.style("line-color")}"/><text ${middle} font-size="8" text-anchor="middle" fill="${edge.style("color")}">${escaped(edge.data("label"))}</text>`;
	});
	const nodes = cy.nodes().map((node) => {
		const at = node.position();
		const [cx, cy_] = [Math.round(at.x), Math.round(at.y)];
		return `<circle cx="${cx}" cy="${cy_}" r="9" fill="${node.style("background-color")}"/><text x="${cx}" y="${cy_ + 22}" font-size="11" text-anchor="middle" fill="${node.style("color")}">${escaped(node.data("label"))}</text>`;
	});
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box.join(" ")}" font-family="sans-serif"><rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${escaped(background)}"/>${edges.join("")}${nodes.join("")}</svg>\n`;
}

function escaped(text: string): string {
	return text
		.replaceAll("&", "&amp;")
		.replaceAll("<", "&lt;")
		.replaceAll(">", "&gt;")
		.replaceAll('"', "&quot;");
}
