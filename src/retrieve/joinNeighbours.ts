import { heightOf, MOST_LINES } from "../core/knowledge/citation.ts";
import type { ReadCandidate } from "./candidate.ts";

/** Maximum number of characters of a joined hit. A single passage may be longer. */
const LONGEST = 4000;

type Place = Pick<ReadCandidate, "id" | "title" | "text" | "lines" | "content">;

/** Joins adjacent passages of running text into one hit, which keeps the position and score of the best passage. */
export function joinNeighbours<Found extends Place>(
	hits: readonly Found[],
	isText: (hit: Found) => boolean,
): Found[] {
	const free = new Map(hits.filter(isText).map((hit) => [hit.id, hit]));
	return hits.flatMap((hit) => {
		if (!isText(hit)) return [hit];
		if (!free.has(hit.id)) return [];
		const run = runAround(hit, free);
		for (const { id } of run) free.delete(id);
		return [join(hit, run)];
	});
}

/** The hit and as many adjacent hits on both sides as fit into `LONGEST`, in document order. */
function runAround<Found extends Place>(hit: Found, free: ReadonlyMap<string, Found>): Found[] {
	const run = [hit];
	let length = hit.text.length;
	const add = (next: Found | undefined, side: -1 | 1): boolean => {
		if (!next || next.lines.part !== hit.lines.part || length + next.text.length > LONGEST) return false;
		if (linesOf([...run, next]) > MOST_LINES) return false;
		length += next.text.length;
		run[side < 0 ? "unshift" : "push"](next);
		return true;
	};
	while (add(free.get(neighbourOf(run.at(-1), 1)), 1));
	while (add(free.get(neighbourOf(run[0], -1)), -1));
	return run;
}

function linesOf(run: readonly Place[]): number {
	const [starts, ends] = [run.map(({ lines }) => lines.start), run.map(({ lines }) => lines.end)];
	return heightOf({ start: Math.min(...starts), end: Math.max(...ends) });
}

/** The id of the adjacent passage. Relies on ids that end with the position of the passage in the document. */
function neighbourOf(hit: Place | undefined, side: -1 | 1): string {
	const id = hit?.id ?? "";
	const at = id.lastIndexOf("#") + 1;
	return `${id.slice(0, at)}${Number(id.slice(at)) + side}`;
}

function join<Found extends Place>(best: Found, run: readonly Found[]): Found {
	const [first] = run;
	if (!first || run.length === 1) return best;
	const texts = run.map(({ title, text }, index) =>
		title === (run[index - 1] ?? first).title ? text : `${title}\n${text}`,
	);
	const lines = {
		...first.lines,
		start: first.lines.start,
		end: Math.max(...run.map((hit) => hit.lines.end)),
	};
	const content = run.flatMap((hit) => hit.content);
	return { ...best, title: first.title, text: texts.join("\n\n"), lines, content };
}
