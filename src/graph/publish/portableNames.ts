import type { Folder } from "../../core/knowledge/knowledge.ts";
import type { Quad, Term } from "../../core/knowledge/rdf.ts";
import { createLabelScope } from "../facts/blankNodeScope.ts";

/** Names of documents that are the same on every machine, and tell nobody where the folder lies. */
export interface PortableNames {
	/** What the names of a folder's documents begin with. */
	readonly prefixes: readonly string[];
	/** `undefined` for what is in none of the folders. */
	nameOf(uri: string): string | undefined;
	/** The statements of a document with such names; without those that name files outside of the folders. */
	rename(document: string, quads: readonly Quad[]): Quad[];
}

/** Names in it that are nobody's documents are our own. */
export const NAMESPACE = "urn:copilot-ld:";

export function createPortableNames(folders: readonly Folder[]): PortableNames {
	const prefixOf = ({ name }: Folder) => `${NAMESPACE}${encodeURIComponent(name)}/`;
	const nameOf = (uri: string) => {
		const folder = folders.find(({ uri: root }) => uri.startsWith(`${root}/`));
		return folder && prefixOf(folder) + uri.slice(folder.uri.length + 1);
	};
	const renamer = (document: string) => {
		const scoped = createLabelScope(document);
		return <Some extends Term>(term: Some): Some | undefined => {
			if (term.termType === "BlankNode") return { ...term, value: scoped(term.value) };
			if (term.termType !== "NamedNode" || !/^file:/i.test(term.value)) return term;
			const name = nameOf(term.value);
			return name === undefined ? undefined : { ...term, value: name };
		};
	};
	return {
		prefixes: folders.map(prefixOf),
		nameOf,
		rename: (document, quads) => {
			const rename = renamer(document);
			return quads.flatMap((quad) => {
				const [subject, predicate, object] = [
					rename(quad.subject),
					rename(quad.predicate),
					rename(quad.object),
				];
				return subject && predicate && object ? [{ ...quad, subject, predicate, object }] : [];
			});
		},
	};
}
