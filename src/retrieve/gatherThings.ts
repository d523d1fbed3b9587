import type { MatchOptions, PassageReads, StoredPassage } from "../store/port/store.ts";
import { type Candidate, type OtherPlace, rescored } from "./candidate.ts";

/** Characters; what is shorter says little more than a name. */
const STUB = 240;

/** What is left of the score of a thing of which nothing but its name is told. */
const BARE = 0.6;

/** What verbalizes a thing begins with its title and ends with its IRI. */
const ID_LINE = /^id: \S+$/;

/** Characters that are told of one thing. */
const LONGEST = 3000;

/** Passages about one thing that are looked at. */
const MOST_PLACES = 12;

interface GatherPorts {
	readonly store: Pick<PassageReads, "rowsAbout" | "read">;
	/** The other IRIs of a thing. */
	readonly aliasesOf: (iri: string) => readonly string[];
	/** Where passages are looked for. */
	readonly options: Omit<MatchOptions, "limit" | "phrases">;
}

/** Candidates about one thing, best first. */
interface Thing {
	readonly iris: readonly string[];
	readonly found: Candidate[];
}

/**
 * What several passages say of one thing becomes one candidate, in the place of the best of them: with the fullest record
 * where that is only a mention, and with what the others add. The first `most` things are filled up with passages
 * that no leg found.
 */
export async function gatherThings(
	candidates: readonly Candidate[],
	most: number,
	{ store, aliasesOf, options }: GatherPorts,
): Promise<Candidate[]> {
	const things = thingsIn(candidates, aliasesOf);
	const first = [...new Set(things.values())].slice(0, most);
	const known = await passagesAbout(first);
	const gathered = candidates.flatMap((candidate) => {
		const thing = things.get(candidate.hit.iri ?? "");
		if (!thing) return [candidate];
		if (thing.found[0] !== candidate) return [];
		const whole = merge(candidate, thing, known.get(thing) ?? []);
		return [isBare(whole.hit) ? rescored(whole, (score) => BARE * score) : whole];
	});
	return gathered.sort((a, b) => b.hit.score - a.hit.score);

	async function passagesAbout(wanted: readonly Thing[]): Promise<Map<Thing, StoredPassage[]>> {
		const subjects = wanted.flatMap((thing) => thing.iris.map((resource) => ({ resource, thing })));
		if (subjects.length === 0) return new Map();
		const rows = await store.rowsAbout(subjects, { ...options, limit: MOST_PLACES * subjects.length });
		const passages = await store.read([...rows.keys()]);
		const all = new Map<Thing, StoredPassage[]>();
		for (const [row, place] of rows) {
			const [thing, passage] = [subjects[place]?.thing, passages.get(row)];
			if (thing && passage) all.set(thing, [...(all.get(thing) ?? []), passage]);
		}
		return all;
	}
}

/** By each IRI that the candidates are about. */
function thingsIn(candidates: readonly Candidate[], aliasesOf: GatherPorts["aliasesOf"]): Map<string, Thing> {
	const things = new Map<string, Thing>();
	for (const candidate of candidates) {
		const { iri } = candidate.hit;
		if (iri === undefined) continue;
		const thing = things.get(iri) ?? { iris: [iri, ...aliasesOf(iri)], found: [] };
		thing.found.push(candidate);
		for (const one of thing.iris) if (!things.has(one)) things.set(one, thing);
	}
	return things;
}

function merge(best: Candidate, { found }: Thing, known: readonly StoredPassage[]): Candidate {
	const ids = new Set(found.map(({ hit }) => hit.id));
	const counts = Map.groupBy(known, placeOf);
	// Of a long text that is cut into pieces, those that nothing was looking for are left out.
	const isShort = (pieces: readonly StoredPassage[] = []) =>
		pieces.reduce((length, { text }) => length + text.length, 0) <= LONGEST;
	const whole = known.filter((passage) => !ids.has(passage.id) && isShort(counts.get(placeOf(passage))));
	const all = [...found.map(({ hit }) => hit), ...whole.sort((a, b) => b.text.length - a.text.length)];
	const fullest = all.reduce((longest, next) => (next.text.length > longest.text.length ? next : longest));
	const main = best.hit.text.length < STUB ? fullest : best.hit;
	const others = addedBy(
		all.filter(({ id }) => id !== main.id),
		main,
	);
	const { id, uri, lines, title, text } = main;
	return { ...best, hit: { ...best.hit, id, uri, lines, title, text, ...(others.length > 0 && { others }) } };
}

/** Whether nothing but its name is told of a thing. */
export function isBare({ iri, title, text, others }: Candidate["hit"]): boolean {
	if (iri === undefined) return false;
	return !others && text.split("\n").every((line) => line === title || ID_LINE.test(line));
}

function placeOf({ uri, resource = "" }: StoredPassage): string {
	return `${uri} ${resource}`;
}

/** What each says that none before it does, as far as there is room. */
function addedBy(
	passages: readonly Pick<StoredPassage, "uri" | "lines" | "title" | "text">[],
	main: Pick<StoredPassage, "text">,
): OtherPlace[] {
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
