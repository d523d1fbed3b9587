import { forceLink, forceSimulation, forceX, forceY, type SimulationNodeDatum } from "d3-force";

export interface Point {
	readonly x: number;
	readonly y: number;
}

interface Plan {
	/** Radii of the nodes in pixels, by id. */
	readonly nodes: ReadonlyMap<string, number>;
	readonly links: readonly { readonly from: string; readonly to: string }[];
	readonly known: ReadonlyMap<string, Point>;
	readonly fixed: ReadonlySet<string>;
}

/** Maximum number of node moves, which take less than a tenth of a second together. */
const WORK = 9_000;

/** Number of ticks after which the forces have cooled to a thousandth. */
const MOST_TICKS = 120;

/** Up to this number of resources, every name is drawn and needs space. */
const MOST_ROOMY = 60;

interface Body extends SimulationNodeDatum {
	readonly id: string;
	readonly radius: number;
	x: number;
	y: number;
	vx: number;
	vy: number;
}

/** Computes all positions at once, without animation. The same plan gives the same picture. */
export function layOut(plan: Plan): Map<string, Point> {
	const bodies = bodiesOf(plan);
	const room = bodies.length > MOST_ROOMY ? 1 : 2;
	const ticks = Math.max(20, Math.min(MOST_TICKS, Math.round(WORK / Math.max(1, bodies.length))));
	const pairs = plan.links.map(({ from, to }) => ({ source: from, target: to }));
	const distinct = new Map(pairs.map((pair) => [[pair.source, pair.target].sort().join("\n"), pair]));
	const springs = forceLink<Body, { source: string | Body; target: string | Body }>([...distinct.values()])
		.id(({ id }) => id)
		.distance(70 * room);
	forceSimulation(bodies)
		.stop()
		.alphaDecay(1 - 0.001 ** (1 / ticks))
		.force("link", springs)
		.force("x", forceX().strength(0.05))
		// The picture is wider than it is high, and so are names.
		.force("y", forceY().strength(0.08))
		.force("apart", (alpha) => pushApart(bodies, 180 * room * alpha, 28 * room))
		.tick(ticks);
	return new Map(bodies.map(({ id, x, y }) => [id, { x, y }]));
}

/** Pixels beyond which bodies do not repel each other. */
const REACH = 700;

/** Pushes bodies apart, to at least `gap` pixels between two of them. D3's own forces build two trees per tick, which is much slower for so few nodes. */
function pushApart(bodies: readonly Body[], charge: number, gap: number): void {
	for (const [at, one] of bodies.entries())
		for (const other of bodies.slice(at + 1)) part(one, other, charge, gap);
}

function part(one: Body, other: Body, charge: number, gap: number): void {
	// A distance of 0 is replaced, so that two bodies in the same position part, too.
	const x = other.x + other.vx - one.x - one.vx || 0.001;
	const y = other.y + other.vy - one.y - one.vy || 0.001;
	const square = x * x + y * y;
	if (square > REACH * REACH) return;
	const far = Math.sqrt(square);
	const overlap = one.radius + other.radius + gap - far;
	const force = charge / Math.max(1, square) + Math.max(0, overlap / far / 2);
	one.vx -= x * force;
	one.vy -= y * force;
	other.vx += x * force;
	other.vy += y * force;
}

function bodiesOf({ nodes, links, known, fixed }: Plan): Body[] {
	const beside = new Map<string, Point>();
	const place = (far: string, near: string) => {
		const point = known.get(near);
		if (point) beside.set(far, point);
	};
	for (const { from, to } of links) {
		place(to, from);
		place(from, to);
	}
	return [...nodes].map(([id, radius], index) => {
		const angle = index * Math.PI * (3 - Math.sqrt(5));
		const near = beside.get(id);
		const far = 20 * Math.sqrt(0.5 + (near ? index % 40 : index));
		const { x, y } = near ?? { x: 0, y: 0 };
		const start = known.get(id) ?? { x: x + far * Math.cos(angle), y: y + far * Math.sin(angle) };
		const stays = fixed.has(id) && known.has(id);
		return { id, radius, ...start, vx: 0, vy: 0, ...(stays && { fx: start.x, fy: start.y }) };
	});
}
