import { decodedPart, SCHEMA } from "../../base/rdf/vocabulary.ts";
import { compareTexts } from "../../base/text/compareTexts.ts";
import { linkName, NOTE, TAGS } from "../../base/text/noteSyntax.ts";
import { literal, namedNode, type Quad, quad } from "../../core/knowledge/rdf.ts";

export type NoteLinks = ReturnType<typeof createNoteLinks>;

/** Maximum number of compared notes with equal name and folder. */
const MOST_NAMESAKES = 1000;

interface Files {
	has(uri: string): boolean;
	keys(): Iterable<string>;
}

/**
 * Resolves links between notes as Obsidian and Foam do. A link to a missing file means a note of that name,
 * otherwise of that alias, in any folder: the note whose path has the longest common end, then the shortest path.
 */
export function createNoteLinks() {
	/** The documents that link to each name. */
	const linking = new Map<string, Set<string>>();
	const spelled = new Map<string, Map<string, Set<string>>>();
	let stale = new Set<string>();
	const names = createNoteNames((name) => {
		for (const document of linking.get(name) ?? []) stale.add(document);
	});
	const { update, meanings } = names;
	const meant = (iri: string): string => {
		const file = fileOf(iri);
		return iri.startsWith("file:") ? (meanings(iri)[0] ?? (NOTE.test(file) ? file : iri)) : iri;
	};
	return {
		update,
		/** The notes that a file IRI means; several if equally near. */
		meanings,
		/** The note that a file IRI means, otherwise the IRI itself. */
		meant,
		/** Returns and clears the documents with links whose meaning may have changed. */
		takeStale: () => {
			const taken = stale;
			stale = new Set();
			return taken;
		},
		/** The statements of a document, with links resolved to notes and with the parents of tags. */
		resolve: (document: string, quads: readonly Quad[]): readonly Quad[] => {
			const own = new Map<string, Set<string>>();
			spelled.set(document, own);
			const isNote = NOTE.test(document);
			if (isNote) names.setAliases(document, aliasesIn(document, quads));
			const seen = new Set<string>();
			const isNew = (key: string) => seen.size < seen.add(key).size;
			const toMeant = (stated: Quad, file: string): Quad[] => {
				const { subject, predicate, object, lines } = stated;
				add(linking, linkName(file), document);
				const target = meant(object.value);
				if (target !== file) add(own, target, file);
				// Two spellings of one note make one link.
				if (!isNew(`${subject.value} ${predicate.value} ${target}`)) return [];
				return [target === object.value ? stated : quad(subject, predicate.value, namedNode(target), lines)];
			};
			return quads.flatMap((stated) => {
				if (stated.object.value.startsWith(TAGS)) return withTags(stated, isNew);
				const file = fileOf(stated.object.value);
				return isLink(stated) && (isNote || NOTE.test(file)) ? toMeant(stated, file) : stated;
			});
		},
		/** A document's spellings of links to a note, including aliases, without the note's own IRI. */
		spellings: (document: string, iri: string): readonly string[] =>
			Array.from(spelled.get(document)?.get(iri) ?? []),
	};
}

function createNoteNames(tellChange: (name: string) => void) {
	const namesakes = new Map<string, Namesakes>();
	const onChange = (name: string) => {
		namesakes.delete(name);
		tellChange(name);
	};
	let files: Files = new Set<string>();
	let notes = new Set<string>();
	const named = new Map<string, Set<string>>();
	const aliased = new Map<string, Set<string>>();
	const aliases = new Map<string, ReadonlySet<string>>();
	const setAliases = (note: string, now: ReadonlySet<string>) => {
		for (const name of now.symmetricDifference(aliases.get(note) ?? new Set<string>())) {
			if (now.has(name)) add(aliased, name, note);
			else aliased.get(name)?.delete(note);
			onChange(name);
		}
		aliases.set(note, now);
	};
	return {
		setAliases,
		update: (now: Files) => {
			const before = notes;
			files = now;
			notes = new Set([...now.keys()].filter((uri) => NOTE.test(uri)));
			for (const uri of before.difference(notes)) {
				setAliases(uri, new Set());
				named.get(linkName(uri))?.delete(uri);
				onChange(linkName(uri));
			}
			for (const uri of notes.difference(before)) {
				add(named, linkName(uri), uri);
				onChange(linkName(uri));
			}
		},
		meanings: (iri: string): readonly string[] => {
			const file = fileOf(iri);
			if (files.has(file)) return [file];
			const name = linkName(file);
			const found = [named, aliased].map((by) => by.get(name)).find((those) => those?.size);
			if (!found || found.size < 2) return [...(found ?? [])];
			const known = namesakes.get(name) ?? namesakesOf(name, found);
			namesakes.set(name, known);
			return nearest(file, known);
		},
	};
}

function isLink({ object }: Quad): boolean {
	return object.termType === "NamedNode" && object.value.startsWith("file:");
}

function add(map: Map<string, Set<string>>, key: string, value: string): void {
	const known = map.get(key);
	if (known) known.add(value);
	else map.set(key, new Set([value]));
}

/** Aliases of a note. The folder's name is an alias of the folder's index note. */
function aliasesIn(document: string, quads: readonly Quad[]): Set<string> {
	const stated = quads.filter(({ predicate }) => predicate.value === `${SCHEMA}alternateName`);
	const [, folder = ""] = /([^/]+)\/(?:index|readme)\.\w+$/i.exec(document) ?? [];
	const names = [...stated.map(({ object }) => object.value), decodedPart(folder)];
	return new Set(names.filter(Boolean).map((name) => name.normalize().toLowerCase()));
}

/** Statements for a tag and its parents, with a name for each: `#a/b` implies `#a`. */
function withTags(stated: Quad, isNew: (key: string) => boolean): Quad[] {
	const parts = stated.object.value.slice(TAGS.length).split("/");
	return parts.flatMap((_, at) => {
		const path = parts.slice(0, at + 1).join("/");
		const tag = namedNode(TAGS + path);
		if (!isNew(tag.value)) return [];
		const name = literal(`#${decodedPart(path)}`);
		return [{ ...stated, object: tag }, quad(tag, `${SCHEMA}name`, name, stated.lines)];
	});
}

function fileOf(iri: string): string {
	return iri.split("#", 1)[0] ?? iri;
}

type Namesakes = ReturnType<typeof namesakesOf>;

/** Groups notes of one name by folder, because a link with a path then has few candidates. */
function namesakesOf(name: string, notes: Iterable<string>) {
	const paths = Array.from(notes, (note) => {
		const path = partsOf(linkName(note) === name ? note : note.slice(0, note.lastIndexOf("/")));
		return { note, path };
	}).sort((a, b) => a.path.length - b.path.length || compareTexts(a.note, b.note));
	return { paths, byFolder: Map.groupBy(paths, ({ path }) => path.slice(0, 2).join("/")) };
}

function nearest(link: string, { paths, byFolder }: Namesakes): string[] {
	const wanted = partsOf(link);
	const near = byFolder.get(wanted.slice(0, 2).join("/")) ?? paths;
	let [best, shared] = [near.slice(0, 1), 0];
	for (const each of near.slice(0, MOST_NAMESAKES)) {
		const differing = each.path.findIndex((part, at) => part !== wanted[at]);
		const own = differing < 0 ? each.path.length : differing;
		if (own > shared) [best, shared] = [[each], own];
		else if (own === shared && each.path.length === best[0]?.path.length && each !== best[0]) best.push(each);
	}
	return best.map(({ note }) => note);
}

/** The link name and the folders of a URI, innermost folder first. */
function partsOf(uri: string): string[] {
	const folder = uri.slice(0, uri.lastIndexOf("/")).toLowerCase();
	return [linkName(uri), ...folder.split("/").reverse()];
}
