import { pushTo } from "../base/values.ts";
import type { MatchOptions, PassageReads, StoredPassage } from "../store/port/store.ts";
import { type Candidate, contentOf, type OtherPlace, type ReadCandidate } from "./candidate.ts";

/** Minimum characters of a passage that states more than a name. */
const STUB = 240;

/** Factor for the score of a resource that has a label and no other statement. */
const BARE = 0.6;

/** Last line of a passage that verbalizes a resource. The first line is the title. */
const ID_LINE = /^id: \S+$/;

const LONGEST = 3000;

const MOST_PLACES = 12;

export interface GatherPorts {
	readonly store: Pick<PassageReads, "rowsAbout" | "read">;
	readonly aliasesOf: (iri: string) => readonly string[];
	readonly options: Omit<MatchOptions, "limit" | "phrases">;
	/** Maximum number of resources that are completed with passages that no leg found. */
	readonly mostThings: number;
}

/** Candidates about one resource, best first. */
interface Thing {
	readonly iris: readonly string[];
	readonly found: Candidate[];
}

export interface Gathered {
	/** Best first. */
	readonly read: readonly ReadCandidate[];
	/** Number of first hits that rank above all unread candidates. */
	readonly settled: number;
	readonly isAll: boolean;
	/** Number of passages that were replaced before they could be read. */
	readonly missed: number;
}

/** Reads candidates. Merges the candidates about one resource into the best of them. */
export async function gatherThings(
	candidates: readonly Candidate[],
	{ first, named }: { readonly first: number; readonly named: readonly (readonly string[])[] },
	ports: GatherPorts,
): Promise<Gathered> {
	const things = thingsIn(candidates, ports.aliasesOf);
	const thingOf = ({ iri }: Candidate) => (iri === undefined ? undefined : things.get(iri));
	const about = new Set(named.flat());
	const wanted = candidates.filter(
		({ iri }, index) => index < first || (iri !== undefined && about.has(iri)),
	);
	const all = new Set(wanted.flatMap((candidate) => thingOf(candidate)?.found ?? [candidate]));
	const passages = await ports.store.read(Array.from(all, ({ row }) => row));
	const wantedThings = new Set(wanted.map(thingOf));
	const filled = [...new Set(things.values())].slice(0, ports.mostThings);
	const known = await passagesAbout(
		filled.filter((thing) => wantedThings.has(thing)),
		ports,
	);
	const read = wanted.flatMap((candidate) => {
		const thing = thingOf(candidate);
		if (!thing) return readAs(candidate, passages);
		if (thing.found[0] !== candidate) return [];
		const found = thing.found.flatMap((one) => readAs(one, passages));
		return found.length === 0 ? [] : whole(found, known.get(thing) ?? []);
	});
	read.sort((a, b) => b.score - a.score);
	const next = candidates[first]?.score;
	const settled = next === undefined ? read.length : read.filter(({ score }) => score >= next).length;
	return { read, settled, isAll: next === undefined, missed: all.size - passages.size };
}

function readAs(candidate: Candidate, passages: ReadonlyMap<number, StoredPassage>): ReadCandidate[] {
	const passage = passages.get(candidate.row);
	if (!passage) return [];
	const { title, text, lines } = passage;
	return [{ ...candidate, title, text, lines, content: contentOf(passage) }];
}

async function passagesAbout(
	things: readonly Thing[],
	{ store, options, mostThings }: GatherPorts,
): Promise<Map<Thing, StoredPassage[]>> {
	const subjects = things.flatMap((thing) => thing.iris.map((resource) => ({ resource, thing })));
	if (subjects.length === 0) return new Map();
	const limit = MOST_PLACES * Math.max(subjects.length, mostThings);
	const rows = await store.rowsAbout(subjects, { ...options, limit });
	const passages = await store.read([...rows.keys()]);
	const all = new Map<Thing, StoredPassage[]>();
	for (const [row, place] of rows) {
		const [thing, passage] = [subjects[place]?.thing, passages.get(row)];
		if (thing && passage) pushTo(all, thing, passage);
	}
	return all;
}

function thingsIn(candidates: readonly Candidate[], aliasesOf: GatherPorts["aliasesOf"]): Map<string, Thing> {
	const things = new Map<string, Thing>();
	for (const candidate of candidates) {
		const { iri } = candidate;
		if (iri === undefined) continue;
		const thing = things.get(iri) ?? { iris: [iri, ...aliasesOf(iri)], found: [] };
		thing.found.push(candidate);
		for (const one of thing.iris) if (!things.has(one)) things.set(one, thing);
	}
	return things;
}

function whole(found: readonly ReadCandidate[], known: readonly StoredPassage[]): ReadCandidate[] {
	const [best] = found;
	if (!best) return [];
	const merged = merge(best, found, known);
	return [isBare(merged) ? { ...merged, score: BARE * merged.score } : merged];
}

function merge(
	best: ReadCandidate,
	found: readonly ReadCandidate[],
	known: readonly StoredPassage[],
): ReadCandidate {
	const ids = new Set(found.map(({ id }) => id));
	const counts = Map.groupBy(known, placeOf);
	// Omits passages of a long text that no leg found.
	const isShort = (pieces: readonly StoredPassage[] = []) =>
		pieces.reduce((length, { text }) => length + text.length, 0) <= LONGEST;
	const more = known.filter((passage) => !ids.has(passage.id) && isShort(counts.get(placeOf(passage))));
	const all = [...found, ...more.sort((a, b) => b.text.length - a.text.length)];
	const fullest = all.reduce((longest, next) => (next.text.length > longest.text.length ? next : longest));
	const main = best.text.length < STUB ? fullest : best;
	const others = addedBy(
		all.filter(({ id }) => id !== main.id),
		main,
	);
	const { id, uri, lines, title, text } = main;
	const content = "content" in main ? main.content : contentOf(main);
	return { ...best, id, uri, lines, title, text, content, ...(others.length > 0 && { others }) };
}

export function isBare({ iri, title, text, others }: ReadCandidate): boolean {
	if (iri === undefined) return false;
	return !others && text.split("\n").every((line) => line === title || ID_LINE.test(line));
}

function placeOf({ uri, resource = "" }: StoredPassage): string {
	return `${uri} ${resource}`;
}

/** The lines of each passage that are new, up to `LONGEST` characters including `main`. */
function addedBy(
	passages: readonly Pick<StoredPassage, "uri" | "lines" | "title" | "text">[],
	main: Pick<StoredPassage, "text">,
): OtherPlace[] {
	if (passages.length === 0) return [];
	const said = new Set(main.text.split("\n").map(fold));
	let room = LONGEST - main.text.length;
	return passages.slice(0, MOST_PLACES).flatMap(({ uri, lines, title, text: all }) => {
		said.add(fold(title));
		const added = all.split("\n").filter((line) => !said.has(fold(line)));
		const text = added.join("\n").trim();
		if (text === "" || text.length > room) return [];
		for (const line of added) said.add(fold(line));
		room -= text.length;
		return [{ uri, lines, text }];
	});
}

function fold(line: string): string {
	return line.trim().toLowerCase();
}
