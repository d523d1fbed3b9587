import { namedNode, type Quad } from "../../core/knowledge/rdf.ts";

const NOTE = /^file:.*\.(?:md|markdown|mdx|qmd|rmd)$/i;

/**
 * What links between notes mean, as in Obsidian and Foam: a link to a file that is not there means the note of that
 * name, wherever it is. If there are several, the one with which it shares the longest end of the path, then the one
 * with the shortest path counts.
 */
export interface NoteLinks {
	/** Takes note of which files there are; the documents whose links may mean others now. */
	update(uris: Iterable<string>): readonly string[];
	/** The statements of a document, with the notes that its links mean. */
	resolve(document: string, quads: readonly Quad[]): readonly Quad[];
	/** The note that an IRI of a file means. */
	meant(iri: string): string;
	/** How a document spells a note, beside its own IRI. */
	spellings(document: string, iri: string): readonly string[];
}

export function createNoteLinks(): NoteLinks {
	const notes = new Map<string, Set<string>>();
	/** The documents with links to a name, and how each spells what it links to. */
	const linking = new Map<string, Set<string>>();
	const spelled = new Map<string, Map<string, Set<string>>>();
	const meant = (iri: string): string => {
		const file = fileOf(iri);
		const named = NOTE.test(file) ? notes.get(nameOf(file)) : undefined;
		return !named || named.has(file) ? iri : `${nearest(file, named)}${iri.slice(file.length)}`;
	};
	return {
		update: (uris) => {
			const now = new Set([...uris].filter((uri) => NOTE.test(uri)));
			const before = new Set([...notes.values()].flatMap((named) => [...named]));
			const changed = new Set([...now.symmetricDifference(before)].map(nameOf));
			for (const name of changed) notes.delete(name);
			for (const uri of now) if (changed.has(nameOf(uri))) add(notes, nameOf(uri), uri);
			return [...changed].flatMap((name) => [...(linking.get(name) ?? [])]);
		},
		resolve: (document, quads) => {
			const own = new Map<string, Set<string>>();
			spelled.set(document, own);
			const toMeant = (quad: Quad, link: string): Quad => {
				const [file, value] = [fileOf(link), meant(link)];
				add(linking, nameOf(file), document);
				if (value === link) return quad;
				add(own, fileOf(value), file);
				return { ...quad, object: namedNode(value) };
			};
			const seen = new Set<string>();
			return quads.flatMap((quad) => {
				const link = linkIn(quad);
				if (link === undefined) return quad;
				const said = toMeant(quad, link);
				// Two spellings of one note are one link.
				const key = `${said.subject.value} ${said.predicate.value} ${said.object.value}`;
				return seen.size === seen.add(key).size ? [] : said;
			});
		},
		meant,
		spellings: (document, iri) => [...(spelled.get(document)?.get(iri) ?? [])],
	};
}

function add(map: Map<string, Set<string>>, key: string, value: string): void {
	const known = map.get(key);
	if (known) known.add(value);
	else map.set(key, new Set([value]));
}

function nameOf(uri: string): string {
	return uri.slice(uri.lastIndexOf("/") + 1).toLowerCase();
}

function linkIn({ object }: Quad): string | undefined {
	if (object.termType !== "NamedNode" || !object.value.startsWith("file:")) return undefined;
	return NOTE.test(fileOf(object.value)) ? object.value : undefined;
}

function fileOf(iri: string): string {
	return iri.split("#", 1)[0] ?? iri;
}

function nearest(link: string, notes: ReadonlySet<string>): string {
	const parts = link.toLowerCase().split("/");
	const endShared = (note: string) => {
		const own = note.toLowerCase().split("/");
		let shared = 0;
		while (shared < parts.length && parts.at(-1 - shared) === own.at(-1 - shared)) shared++;
		return shared;
	};
	const byNearness = (a: string, b: string) =>
		endShared(b) - endShared(a) || a.split("/").length - b.split("/").length || (a < b ? -1 : 1);
	return [...notes].sort(byNearness)[0] ?? link;
}
