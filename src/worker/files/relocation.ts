import { rememberLast } from "../../base/jobs/lazily.ts";
import type { Resource } from "../../core/knowledge/document.ts";
import type { Folder } from "../../core/knowledge/knowledge.ts";
import { type Term, withTerms } from "../../core/knowledge/rdf.ts";
import {
	type DocumentContent,
	type Documents,
	documentsOf,
	type MatchOptions,
	type PassageHead,
	type PassageSubject,
	type Reads,
} from "../../store/port/store.ts";

export type Relocation = ReturnType<typeof relocationOf>;

/** Maps folders of the index (`there`) to open folders (`here`) by name, or the only one to the only one. */
export function relocationOf(there: readonly Folder[], here: readonly Folder[]) {
	const [only] = there.length === 1 && here.length === 1 ? here : [];
	const localOf = ({ name }: Folder) => only ?? here.find((folder) => folder.name === name);
	const pairs = there.flatMap((folder) => {
		const local = localOf(folder);
		return local ? [{ there: folder.uri, here: local.uri }] : [];
	});
	const move = (uri: string, from: "there" | "here", to: "there" | "here") => {
		const pair = pairs.find((one) => `${uri}/`.startsWith(`${one[from]}/`));
		return pair ? pair[to] + uri.slice(pair[from].length) : uri;
	};
	return {
		toHere: (uri: string) => move(uri, "there", "here"),
		toThere: (uri: string) => move(uri, "here", "there"),
		absent: there.filter((folder) => !localOf(folder)),
	};
}

/** Wraps a store whose documents were indexed elsewhere: translates their URIs to and from local URIs. */
export function relocate(store: Reads, relocation: () => Relocation): Reads {
	const here = (uri: string) => relocation().toHere(uri);
	const there = (uri: string) => relocation().toThere(uri);
	const optionsThere = (options: MatchOptions): MatchOptions =>
		options.uris ? { ...options, uris: options.uris.map(there) } : options;
	const subjectThere = ({ resource, uri }: PassageSubject): PassageSubject => ({
		resource: there(resource),
		...(uri !== undefined && { uri: there(uri) }),
	});
	const passageHere = <Any extends PassageHead>(passage: Any): Any => ({
		...passage,
		id: here(passage.id),
		uri: here(passage.uri),
		...(passage.resource !== undefined && { resource: here(passage.resource) }),
	});
	const rowsHere = <Any extends PassageHead>(found: ReadonlyMap<number, Any>) =>
		new Map(Array.from(found, ([row, passage]) => [row, passageHere(passage)]));
	return {
		...store,
		documents: memoizedDocuments(store, relocation),
		matchText: (query, options) => store.matchText(query, optionsThere(options)),
		rowsAbout: (subjects, options) => store.rowsAbout(subjects.map(subjectThere), optionsThere(options)),
		urisOf: (rows) => new Map([...store.urisOf(rows)].map(([row, uri]) => [row, here(uri)])),
		firstRows: async (uris, options) => {
			const rows = await store.firstRows(uris.map(there), options);
			return new Map([...rows].map(([uri, row]) => [here(uri), row]));
		},
		matchVector: (vector, options) => store.matchVector(vector, optionsThere(options)),
		headsOf: async (rows) => rowsHere(await store.headsOf(rows)),
		read: async (rows) => rowsHere(await store.read(rows)),
		passagesOf: async (uri) => (await store.passagesOf(there(uri))).map(passageHere),
		passagesAbout: async (resource) => (await store.passagesAbout(there(resource))).map(passageHere),
		resourcesLabelled: async (label) => {
			const found = await store.resourcesLabelled(label);
			return found.map(({ uri, resource }) => ({ uri: here(uri), resource: resourceHere(resource, here) }));
		},
		extractedText: (uri) => store.extractedText(there(uri)),
		statementsOf: async (uris) => {
			const statements = await store.statementsOf(uris.map(there));
			return new Map([...statements].map(([uri, stated]) => [here(uri), statementsHere(stated, here)]));
		},
	};
}

function memoizedDocuments(store: Reads, relocation: () => Relocation): Reads["documents"] {
	const moved = rememberLast((documents: Documents, { toHere }: Relocation) =>
		documentsOf(Array.from(documents.entries(), (entry) => ({ ...entry, uri: toHere(entry.uri) }))),
	);
	return () => moved(store.documents(), relocation());
}

function statementsHere({ resources, quads }: DocumentContent, here: (uri: string) => string) {
	const termHere = <Any extends Term>(term: Any): Any =>
		term.termType === "NamedNode" ? { ...term, value: here(term.value) } : term;
	return {
		resources: resources.map((resource) => resourceHere(resource, here)),
		quads: quads.map((quad) => withTerms(quad, termHere)),
	};
}

function resourceHere(resource: Resource, here: (uri: string) => string): Resource {
	return { ...resource, id: here(resource.id) };
}
