import type { DescriptorIndex } from "../search/descriptorIndex.ts";
import type { MatchOptions, Reads } from "../store/port/store.ts";
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

interface Seen {
	readonly key: readonly unknown[];
	readonly uris: ReadonlyMap<string, readonly string[]>;
}

export function createDescriptorLeg({ store, index: current, sight }: DescriptorPorts) {
	let seen: Seen | undefined;
	return {
		/** Best first; `undefined` if there are no descriptions. */
		find: async ({ query, vector }: DescriptorQuestion, options: MatchOptions) => {
			const index = await current();
			if (!index) return undefined;
			const uris = only(await describedIn(index), options.uris);
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

	async function describedIn(index: DescriptorIndex): Promise<Seen["uris"]> {
		const records = store.documents();
		const key = [index, index.size, records, store.moment(), await sight.version()];
		if (seen && key.every((part, at) => part === seen?.key[at])) return seen.uris;
		const described = [...records.records()].filter(({ hash, passages }) => passages > 0 && index.has(hash));
		const whole = await sight.whole(described.map(({ uri }) => uri));
		const uris = Map.groupBy(
			described.filter(({ uri }) => whole.has(uri)),
			({ hash }) => hash,
		);
		seen = { key, uris: new Map([...uris].map(([hash, all]) => [hash, all.map(({ uri }) => uri)])) };
		return seen.uris;
	}
}

function only(described: Seen["uris"], uris: readonly string[] | undefined): Seen["uris"] {
	if (!uris) return described;
	const wanted = new Set(uris);
	const kept = [...described].map(([hash, all]) => [hash, all.filter((uri) => wanted.has(uri))] as const);
	return new Map(kept.filter(([, all]) => all.length > 0));
}
