/** A line of a plot: a name and its points. On a logarithmic scale, all coordinates must be positive. */
export interface Series {
	readonly name: string;
	readonly points: readonly { readonly x: number; readonly y: number }[];
	/** Our line is drawn thick. */
	readonly isOurs: boolean;
}

/** Titles, scale and marks of the axes. */
export interface Axes {
	readonly x: string;
	readonly y: string;
	readonly scale: "linear" | "logarithmic";
	/** Names of phases, with their starts on the x axis. */
	readonly marks?: readonly { readonly x: number; readonly name: string }[];
}

const WIDTH = 860;
const HEIGHT = 480;
const MARGIN = { left: 70, right: 230, top: 24, bottom: 50 };
const COLOURS = [
	"#0b6bcb",
	"#c4452c",
	"#2c8a4b",
	"#8a4fbf",
	"#b7791f",
	"#13808a",
	"#a63d75",
	"#5c6b7a",
	"#6b8e23",
];
const LABEL_HEIGHT = 15;

/** Maximum number of points drawn as dots; a longer line has no dots. */
const MOST_DOTS = 20;

/** An SVG that is readable on light and dark backgrounds. */
export function plot(series: readonly Series[], { x: below, y: beside, scale, marks = [] }: Axes): string {
	const points = series.flatMap((line) => line.points);
	const scaleOf = scale === "linear" ? linear : logarithmic;
	const x = scaleOf(
		points.map((point) => point.x),
		MARGIN.left,
		WIDTH - MARGIN.right,
	);
	const y = scaleOf(
		points.map((point) => point.y),
		HEIGHT - MARGIN.bottom,
		MARGIN.top,
	);
	const ends = placeLabels(series.map((line) => y.at(line.points.at(-1)?.y ?? 1)));
	const parts = [
		...x.ticks.map((tick) => verticalTick(x.at(tick), shortNumber(tick))),
		...y.ticks.map((tick) => horizontalTick(y.at(tick), shortNumber(tick))),
		...series.map((line, index) => drawLine(line, { x, y, color: colorOf(index), labelY: ends[index] ?? 0 })),
		...marks.map(({ x: begins, name }, index) => drawMark(x.at(begins), name, index)),
		`<text x="${(MARGIN.left + WIDTH - MARGIN.right) / 2}" y="${HEIGHT - 10}" text-anchor="middle">${below}</text>`,
		`<text transform="translate(16 ${HEIGHT / 2}) rotate(-90)" text-anchor="middle">${beside}</text>`,
	];
	const style = `text{font:12px system-ui,sans-serif;fill:#333}.grid{stroke:#8884;stroke-width:1}`;
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">`,
		`<style>${style}</style>`,
		`<rect width="100%" height="100%" fill="#fff"/>`,
		...parts,
		"</svg>\n",
	].join("\n");
}

interface Scale {
	readonly ticks: readonly number[];
	at(value: number): number;
}

/** A scale from the power of ten below the least value to that above the greatest. */
function logarithmic(values: readonly number[], from: number, to: number): Scale {
	const low = Math.floor(Math.log10(Math.min(...values)));
	const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))));
	return {
		ticks: Array.from({ length: high - low + 1 }, (_, power) => 10 ** (low + power)),
		at: (value) => from + ((Math.log10(value) - low) / (high - low)) * (to - from),
	};
}

/** A scale from 0 to the next round number above the greatest value. */
function linear(values: readonly number[], from: number, to: number): Scale {
	const most = Math.max(...values);
	const power = 10 ** Math.floor(Math.log10(most / 5));
	const step = power * (most / power > 10 ? 2 : 1);
	const count = Math.ceil(most / step);
	return {
		ticks: Array.from({ length: count + 1 }, (_, tick) => tick * step),
		at: (value) => from + (value / (count * step)) * (to - from),
	};
}

function drawLine(
	{ name, points, isOurs }: Series,
	{ x, y, color, labelY }: { x: Scale; y: Scale; color: string; labelY: number },
): string {
	const places = points.map((point) => `${round(x.at(point.x))},${round(y.at(point.y))}`);
	const end = points.at(-1);
	const [endX, endY] = end ? [x.at(end.x), y.at(end.y)] : [0, 0];
	return [
		`<polyline points="${places.join(" ")}" fill="none" stroke="${color}" stroke-width="${isOurs ? 4 : 1.8}"/>`,
		...(places.length > MOST_DOTS ? [] : places).map((place) => {
			const [cx, cy] = place.split(",");
			return `<circle cx="${cx}" cy="${cy}" r="3" fill="${color}"/>`;
		}),
		`<line x1="${round(endX)}" y1="${round(endY)}" x2="${WIDTH - MARGIN.right + 8}" y2="${round(labelY)}" stroke="${color}" stroke-dasharray="2 3"/>`,
		`<text x="${WIDTH - MARGIN.right + 12}" y="${round(labelY + 4)}" style="fill:${color}${isOurs ? ";font-weight:700" : ""}">${name}</text>`,
	].join("\n");
}

/** Moves overlapping labels apart. */
function placeLabels(wanted: readonly number[]): number[] {
	const order = wanted.map((_, index) => index).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
	const placed = [...wanted];
	let least = Number.NEGATIVE_INFINITY;
	for (const index of order) {
		placed[index] = Math.max(wanted[index] ?? 0, least);
		least = (placed[index] ?? 0) + LABEL_HEIGHT;
	}
	return placed;
}

/** Draws a mark; the names of neighboring marks alternate between two lines. */
function drawMark(at: number, name: string, index: number): string {
	const y = MARGIN.top + 12 + (index % 2) * LABEL_HEIGHT;
	return `<line x1="${round(at)}" y1="${MARGIN.top}" x2="${round(at)}" y2="${HEIGHT - MARGIN.bottom}" stroke="#5c6b7a" stroke-dasharray="4 3"/><text x="${round(at + 4)}" y="${y}">${name}</text>`;
}

function verticalTick(at: number, label: string): string {
	return `<line class="grid" x1="${round(at)}" y1="${MARGIN.top}" x2="${round(at)}" y2="${HEIGHT - MARGIN.bottom}"/><text x="${round(at)}" y="${HEIGHT - MARGIN.bottom + 18}" text-anchor="middle">${label}</text>`;
}

function horizontalTick(at: number, label: string): string {
	return `<line class="grid" x1="${MARGIN.left}" y1="${round(at)}" x2="${WIDTH - MARGIN.right}" y2="${round(at)}"/><text x="${MARGIN.left - 8}" y="${round(at + 4)}" text-anchor="end">${label}</text>`;
}

function colorOf(index: number): string {
	return COLOURS[index % COLOURS.length] ?? "#333";
}

function shortNumber(value: number): string {
	if (value >= 1_000_000) return `${value / 1_000_000}M`;
	return value >= 1000 ? `${value / 1000}k` : `${Number(value.toPrecision(2))}`;
}

function round(value: number): number {
	return Math.round(value * 10) / 10;
}
