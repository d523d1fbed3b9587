import { readFile } from "node:fs/promises";
import { once } from "../../base/jobs/lazily.ts";
import { localNameOf, namespaceOf, SCHEMA, splitWords } from "../../base/rdf/vocabulary.ts";
import type { FoundThing } from "../../core/knowledge/graph.ts";
import type { Wanted } from "./wanted.ts";

/** IRI, kind, label and comment; the last two may be empty. */
export type TermRow = readonly [iri: string, kind: "class" | "property", label: string, comment: string];

/** A term that no document need describe. */
interface KnownTerm extends FoundThing {
	readonly comment: string;
}

/** Letters that are typed before terms are offered without a prefix. */
const LEAST = 2;

const MOST = 30;

/** Classes and properties of schema.org, FOAF, DCTERMS, SKOS, PROV, OWL and SHACL, which a file of the program holds. */
export function openVocabularies(path: string) {
	const terms = once(async () => {
		const rows = JSON.parse(await readFile(path, "utf8")) as readonly TermRow[];
		return new Map(rows.map(toTerm).map((term) => [term.id, term]));
	});
	return {
		find: async ({ words, kinds, within = "" }: Wanted): Promise<KnownTerm[]> => {
			const typed = words.toLowerCase();
			if (typed.length < LEAST && within === "") return [];
			const isMeant = ({ id, kind, label }: KnownTerm) =>
				kinds.includes(kind) &&
				id.startsWith(inHttps(within)) &&
				[localNameOf(id), label].some((name) => name.toLowerCase().startsWith(typed));
			const found = [...(await terms.get()).values().filter(isMeant)];
			const isHttp = within !== inHttps(within);
			return found
				.sort((a, b) => a.label.length - b.label.length)
				.slice(0, MOST)
				.map((term) => (isHttp ? { ...term, id: term.id.replace(/^https/, "http") } : term));
		},
		describe: async (iri: string): Promise<KnownTerm | undefined> => (await terms.get()).get(inHttps(iri)),
	};
}

function toTerm([iri, kind, label, comment]: TermRow): KnownTerm {
	const id = inHttps(iri);
	return { id, kind, label: label || splitWords(localNameOf(id)), types: [namespaceOf(id)], comment };
}

/** schema.org is written both ways. */
function inHttps(iri: string): string {
	return iri.replace(/^http:\/\/schema\.org\//, SCHEMA);
}
