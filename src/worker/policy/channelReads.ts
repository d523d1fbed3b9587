import { rememberLast } from "../../base/jobs/lazily.ts";
import type { LineRange } from "../../core/knowledge/citation.ts";
import type { DocumentRecord } from "../../core/knowledge/document.ts";
import {
	type DocumentReads,
	type Documents,
	documentsOf,
	type MatchOptions,
	type PassageHead,
	type PassageReads,
	type Reads,
	type StoredPassage,
} from "../../store/port/store.ts";
import { type DocumentView, isBroken, NOTHING_SHOWN, viewDocument } from "./documentView.ts";
import type { ChannelPolicy, Membership, Memberships } from "./policies.ts";
import {
	createShownPassages,
	isShownRow,
	mergeMatches,
	mergeSpellings,
	type ShownPassages,
} from "./shownPassages.ts";

/** Restricts a store to what one channel may see. All answers to the channel use these reads only. */
export function createChannelReads(ports: ViewPorts) {
	const views = createDocumentViews(ports);
	const visible = { documents: rememberVisible(ports), views };
	return {
		reads: {
			...documentReads(ports.store, visible),
			...passageReads(ports.store, createSight(visible)),
		} satisfies Reads,
		version: views.version,
		whole: async (uris: readonly string[]) => {
			const documents = visible.documents();
			const offered = uris.filter((uri) => documents.has(uri));
			const partly = await views.of(offered);
			return new Set(offered.filter((uri) => !partly.has(uri)));
		},
		hiddenLines: async (uri: string): Promise<readonly LineRange[] | undefined> => {
			if (!ports.policy()?.partRules(uri).length) return undefined;
			return (await views.of([uri])).get(uri)?.hiddenLines ?? [];
		},
	};
}

/** Filters the files again only after a commit or a change of the policy. */
function rememberVisible({ store, policy }: ViewPorts): DocumentReads["documents"] {
	const list = rememberLast((_moment: object, all: Documents, now: ChannelPolicy | undefined) =>
		documentsOf([...all.entries()].filter(({ uri }) => !now?.hides(uri))),
	);
	return () => list(store.moment(), store.documents(), policy());
}

interface Visible {
	readonly documents: DocumentReads["documents"];
	readonly views: ReturnType<typeof createDocumentViews>;
}

function documentReads(store: DocumentReads, { documents, views }: Visible): DocumentReads {
	const show = async (read: () => Promise<readonly StoredPassage[]>) => {
		const before = documents();
		const passages = (await read()).filter(({ uri }) => before.has(uri));
		const partly = await views.of(passages.map(({ uri }) => uri));
		const now = documents();
		return passages.flatMap((passage) => {
			const { id, uri } = passage;
			// The document was replaced in the meantime, so the view may not match the passage.
			if (now.get(uri) !== before.get(uri)) return [];
			const view = partly.get(uri);
			return (view ? view.passages.get(id) : passage) ?? [];
		});
	};
	return {
		moment: store.moment,
		documents,
		refresh: store.refresh,
		passagesOf: (uri) => show(() => store.passagesOf(uri)),
		passagesAbout: (resource) => show(() => store.passagesAbout(resource)),
		resourcesLabelled: async (label) => {
			const visible = documents();
			const found = (await store.resourcesLabelled(label)).filter(({ uri }) => visible.has(uri));
			const partly = await views.of(found.map(({ uri }) => uri));
			return found.filter(({ uri, resource }) => {
				const { resources = [resource] } = partly.get(uri) ?? {};
				return resources.some((shown) => shown.id === resource.id && shown.label === resource.label);
			});
		},
		// `createReader` removes hidden lines from this text.
		extractedText: async (uri) => (documents().has(uri) ? store.extractedText(uri) : undefined),
		statementsOf: async (uris) => {
			const visible = documents();
			const all = await store.statementsOf(uris.filter((uri) => visible.has(uri)));
			const partly = await views.of([...all.keys()]);
			return new Map([...all].map(([uri, statements]) => [uri, partly.get(uri) ?? statements]));
		},
	};
}

/** Searches use the store for fully visible documents (`whole`), and `shown` for visible parts of others. */
interface SearchSight {
	readonly whole: ReadonlySet<string>;
	/** `whole` as an array, which is the same object while the view is unchanged, as a cache key for searches. */
	readonly uris: readonly string[];
	readonly shown: ShownPassages;
}

/** Computes the sight again only after a commit or a change of the views. */
function createSight({ documents, views }: Visible): () => Promise<SearchSight> {
	const shown = createShownPassages();
	const look = rememberLast(async (visible: Documents, _version: string): Promise<SearchSight> => {
		const partly = await views.of([...visible.keys()]);
		if (documents() !== visible) return lookNow();
		shown.hold(partly);
		const uris = [...visible.keys()].filter((uri) => !partly.has(uri));
		return { whole: new Set(uris), uris, shown };
	});
	const lookNow = async () => look(documents(), await views.version());
	return lookNow;
}

function passageReads(store: PassageReads & DocumentReads, look: () => Promise<SearchSight>): PassageReads {
	const narrow = (options: MatchOptions, { whole, uris: among }: SearchSight): MatchOptions => {
		const { uris } = options;
		return { ...options, among, ...(uris && { uris: uris.filter((uri) => whole.has(uri)) }) };
	};
	return {
		stale: store.stale,
		matchText: async (query, options) => {
			const sight = await look();
			const inStore = await store.matchText(query, narrow(options, sight));
			return mergeMatches(inStore, sight.shown.matchText(query, options), options.limit);
		},
		spellings: async (query) => {
			const { uris, shown } = await look();
			const inStore = await store.spellings(query, uris);
			return mergeSpellings(inStore, shown.spellings(query));
		},
		matchVector: async (vector, options) => store.matchVector(vector, narrow(options, await look())),
		// `rows` come from visible results. Vectors of partly hidden documents reveal too much, so they are excluded.
		cosines: (vector, rows) => store.cosines(vector, stored(rows)),
		centreOf: (rows) => store.centreOf(stored(rows)),
		typicalCosine: async (vector) => store.typicalCosine(vector, (await look()).uris),
		rowsAbout: async (subjects, options) => {
			const sight = await look();
			const inStore = await store.rowsAbout(subjects, narrow(options, sight));
			const both = [...inStore, ...sight.shown.rowsAbout(subjects, options)].sort(([, a], [, b]) => a - b);
			return new Map(both.slice(0, options.limit));
		},
		urisOf: (rows) => store.urisOf(stored(rows)),
		firstRows: async (uris, options) => {
			const { whole } = await look();
			const seen = uris.filter((uri) => whole.has(uri));
			return store.firstRows(seen, options);
		},
		headsOf: async (rows) => seen(rows, await store.headsOf(stored(rows))),
		read: async (rows) => seen(rows, await store.read(stored(rows))),
	};

	async function seen<Any extends PassageHead>(rows: readonly number[], found: ReadonlyMap<number, Any>) {
		const { whole, shown } = await look();
		const visible = new Map<number, Any | StoredPassage>();
		for (const [row, passage] of found) if (whole.has(passage.uri)) visible.set(row, passage);
		for (const row of rows.filter(isShownRow)) {
			const passage = shown.passageAt(row);
			if (passage) visible.set(row, passage);
		}
		return visible;
	}
}

function stored(rows: readonly number[]): number[] {
	return rows.filter((row) => !isShownRow(row));
}

export interface ViewPorts {
	readonly store: Reads;
	readonly policy: () => ChannelPolicy | undefined;
	readonly memberships: Memberships;
}

function createDocumentViews({ store, policy, memberships }: ViewPorts) {
	type Known = { record: DocumentRecord; version: string; view: DocumentView | undefined };
	const known = new Map<string, Known>();
	return {
		/** The version changes when other parts of the same documents are visible. */
		version: async () => {
			const now = policy();
			return now ? versionOf(now, await memberships(now.partsHidden)) : "";
		},
		of: async (uris: readonly string[]): Promise<ReadonlyMap<string, DocumentView>> => {
			const now = policy();
			if (!now) return new Map();
			const touched = [...new Set(uris)].filter((uri) => now.partRules(uri).length > 0);
			await learn(touched, now);
			// Documents that were deleted in the meantime are completely hidden.
			const views = touched.map(
				(uri) => [uri, known.has(uri) ? known.get(uri)?.view : NOTHING_SHOWN] as const,
			);
			return new Map(views.flatMap(([uri, view]) => (view ? [[uri, view] as const] : [])));
		},
	};

	/** Updates the known views, and repeats the update for documents that are replaced in the meantime. */
	async function learn(uris: readonly string[], policy: ChannelPolicy): Promise<void> {
		const membership = await memberships(policy.partsHidden);
		const version = versionOf(policy, membership);
		const isNews = (record: DocumentRecord) => {
			const { record: seen, version: then } = known.get(record.uri) ?? {};
			return seen !== record || then !== version;
		};
		const news = () => uris.flatMap((uri) => store.documents().get(uri) ?? []).filter(isNews);
		for (let records = news(); records.length > 0; records = news()) {
			const views = await viewAll(records, store, policy, membership);
			for (const record of records) known.set(record.uri, { record, version, view: views.get(record.uri) });
		}
	}
}

function versionOf({ key }: ChannelPolicy, { version }: Membership): string {
	return `${key} ${version}`;
}

/** Documents that are removed in the meantime are completely hidden. */
async function viewAll(
	records: readonly DocumentRecord[],
	store: Reads,
	policy: ChannelPolicy,
	membership: Membership,
): Promise<Map<string, DocumentView>> {
	const telling = records.filter((record) => record.quads > 0 || isBroken(record));
	const statements = await store.statementsOf(telling.map(({ uri }) => uri));
	const views = new Map<string, DocumentView>();
	for (const record of telling) {
		const { uri } = record;
		const stated = statements.get(uri);
		const readPassages = () => store.passagesOf(uri);
		const document = stated && { ...stated, record, readPassages };
		const view = document ? await viewDocument(document, policy.partRules(uri), membership) : NOTHING_SHOWN;
		if (view) views.set(uri, view);
	}
	return views;
}
