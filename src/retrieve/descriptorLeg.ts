import { rememberLast } from "../base/jobs/lazily.ts";
import type { DescriptorIndex } from "../search/descriptorIndex.ts";
import type { Documents, MatchOptions, Reads } from "../store/port/store.ts";
import type { DocumentMatch } from "./fuse.ts";

export interface Sight {
	/** Changes whenever the visibility of documents changes. */
	version(): Promise<string>;
	/** Filters for fully visible documents, because a description covers a whole document. */
	whole(uris: readonly string[]): Promise<ReadonlySet<string>>;
}

export interface DescriptorPorts {
	readonly store: Reads;
	readonly index: () => Promise<DescriptorIndex | undefined>;
	readonly sight: Sight;
}

interface DescriptorQuestion {
	readonly query: string;
	/** A unit vector. */
	readonly vector?: Float32Array | undefined;
}

interface DescribedDocument {
	readonly uri: string;
	/** Certainty that the question means the document, from 0 to 1. */
	readonly score: number;
}

/** Finds documents by a language model's descriptions of what they are useful for. */
export type DescriptorLeg = ReturnType<typeof createDescriptorLeg>;

/** Maximum number of documents found. Low, because a description does not show which passage has the answer. */
const MOST_DOCUMENTS = 10;

/** URIs of documents by the hash of their content. */
type Described = ReadonlyMap<string, readonly string[]>;

export function createDescriptorLeg({ store, index: current, sight }: DescriptorPorts) {
	const describedIn = createDescribed(sight);
	return {
		/** Best first; `undefined` if there are no descriptions. */
		find: async ({ query, vector }: DescriptorQuestion, options: MatchOptions) => {
			const index = await current();
			if (!index) return undefined;
			const described = describedIn(
				index,
				index.size,
				store.documents(),
				store.moment(),
				await sight.version(),
			);
			const uris = only(await described, options.uris);
			const typicalCosine = vector ? await store.typicalCosine(vector) : 0;
			const matches = index.match({ query, vector, typicalCosine }, uris.keys());
			return matches
				.flatMap(({ hash, score }) => (uris.get(hash) ?? []).map((uri) => ({ uri, score })))
				.slice(0, MOST_DOCUMENTS);
		},
		/** Adds rows of each document: passages that other legs found, else the document's first passage. */
		withRows: async (
			documents: readonly DescribedDocument[],
			found: readonly number[],
			options: MatchOptions,
		): Promise<DocumentMatch[]> => {
			const rows = Map.groupBy(store.urisOf(found), ([, uri]) => uri);
			const missing = documents.filter(({ uri }) => !rows.has(uri)).map(({ uri }) => uri);
			const first = await store.firstRows(missing, options);
			return documents.map(({ uri, score }) => {
				const row = first.get(uri);
				const alone = row === undefined ? [] : [row];
				return { rows: rows.get(uri)?.map(([one]) => one) ?? alone, score };
			});
		},
	};
}

/** Finds described documents. Remembers them until one of the arguments changes. */
function createDescribed(sight: Sight) {
	return rememberLast(
		async (
			index: DescriptorIndex,
			_size: number,
			documents: Documents,
			..._more: [moment: object, sight: string]
		): Promise<Described> => {
			const described = [...documents.records()].filter(
				({ hash, passages }) => passages > 0 && index.has(hash),
			);
			const whole = await sight.whole(described.map(({ uri }) => uri));
			const visible = described.filter(({ uri }) => whole.has(uri));
			const byHash = Map.groupBy(visible, ({ hash }) => hash);
			return new Map([...byHash].map(([hash, all]) => [hash, all.map(({ uri }) => uri)]));
		},
	);
}

function only(described: Described, uris: readonly string[] | undefined): Described {
	if (!uris) return described;
	const wanted = new Set(uris);
	const kept = [...described].map(([hash, all]) => [hash, all.filter((uri) => wanted.has(uri))] as const);
	return new Map(kept.filter(([, all]) => all.length > 0));
}
