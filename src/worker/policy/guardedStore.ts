import type { DocumentRecord } from "../../core/knowledge/document.ts";
import type { LineRange } from "../../core/knowledge/source.ts";
import type { Sight } from "../../retrieve/descriptorLeg.ts";
import type { Match } from "../../search/match.ts";
import type { MatchOptions, Store, StoredPassage } from "../../store/store.ts";
import { createDocumentViews, type DocumentViews, type ViewPorts } from "./documentViews.ts";

/** A store as one door may see it. All answers to that door are made from it, so that none can tell more. */
export interface GuardedStore extends Sight {
	readonly store: Store;
	/** Lines of a file that are hidden; `undefined` where no rule speaks of a part of it. */
	hiddenLines(uri: string): Promise<readonly LineRange[] | undefined>;
}

export function createGuardedStore(ports: ViewPorts): GuardedStore {
	const { store, policy } = ports;
	const views = createDocumentViews(ports);
	const documents = (): ReadonlyMap<string, DocumentRecord> => {
		const now = policy();
		return now ? new Map([...store.documents()].filter(([uri]) => !now.hides(uri))) : store.documents();
	};
	const show = createShow(documents, views);
	const methods = {
		documents,
		...guardPassages(store, show),
		...guardStatements(store, { documents, views }),
	};
	const guarded: Store = Object.create(store, Object.getOwnPropertyDescriptors(methods));
	const searches = guardSearches(store, {
		guarded,
		hidesParts: () => policy()?.hidesParts === true,
		hasHiddenParts: (uri) => (policy()?.partRules(uri).length ?? 0) > 0,
	});
	return {
		store: Object.create(guarded, Object.getOwnPropertyDescriptors(searches)),
		version: views.version,
		whole: async (uris) => {
			const visible = documents();
			const offered = uris.filter((uri) => visible.has(uri));
			const partly = await views.of(offered);
			return new Set(offered.filter((uri) => !partly.has(uri)));
		},
		hiddenLines: async (uri) => {
			if (!policy()?.partRules(uri).length) return undefined;
			return (await views.of([uri])).get(uri)?.hiddenLines ?? [];
		},
	};
}

type Show = (passages: readonly StoredPassage[]) => Promise<Map<string, StoredPassage>>;

/** What is shown of passages, by their ids. */
function createShow(documents: Store["documents"], views: DocumentViews): Show {
	return async (passages) => {
		const visible = documents();
		const offered = passages.filter(({ uri }) => visible.has(uri));
		const partly = await views.of(offered.map(({ uri }) => uri));
		return new Map(
			offered.flatMap((passage) => {
				const view = partly.get(passage.uri);
				const shown = view ? view.passages.get(passage.id) : passage;
				return shown ? [[passage.id, shown] as const] : [];
			}),
		);
	};
}

function guardPassages(store: Store, show: Show): Pick<Store, "read" | "passagesOf" | "passagesAbout"> {
	const showAll = async (passages: readonly StoredPassage[]) => [...(await show(passages)).values()];
	return {
		read: async (rows) => {
			const passages = await store.read(rows);
			const shown = await show([...passages.values()]);
			const visible = [...passages].map(([row, { id }]) => [row, shown.get(id)] as const);
			return new Map(visible.flatMap(([row, passage]) => (passage ? [[row, passage] as const] : [])));
		},
		passagesOf: async (uri) => showAll(await store.passagesOf(uri)),
		passagesAbout: async (resource) => showAll(await store.passagesAbout(resource)),
	};
}

interface Visible {
	readonly documents: Store["documents"];
	readonly views: DocumentViews;
}

function guardStatements(
	store: Store,
	{ documents, views }: Visible,
): Pick<Store, "resourcesLabelled" | "statementsOf"> {
	return {
		resourcesLabelled: async (label) => {
			const visible = documents();
			const found = (await store.resourcesLabelled(label)).filter(({ uri }) => visible.has(uri));
			const partly = await views.of(found.map(({ uri }) => uri));
			return found.filter(({ uri, resource }) => {
				const { resources = [resource] } = partly.get(uri) ?? {};
				return resources.some((shown) => shown.id === resource.id && shown.label === resource.label);
			});
		},
		statementsOf: async (uris) => {
			const visible = documents();
			const all = await store.statementsOf(uris.filter((uri) => visible.has(uri)));
			const partly = await views.of([...all.keys()]);
			return new Map([...all].map(([uri, statements]) => [uri, partly.get(uri) ?? statements]));
		},
	};
}

interface Searched {
	readonly guarded: Store;
	readonly hidesParts: () => boolean;
	/** Whether a rule speaks of a part of a document. */
	readonly hasHiddenParts: (uri: string) => boolean;
}

/** Hidden files are left out before the best are found, hidden parts of files before they are ranked. */
function guardSearches(
	store: Store,
	{ guarded, hidesParts, hasHiddenParts }: Searched,
): Pick<Store, "matchText" | "matchVector" | "rowsAbout"> {
	const narrow = (options: MatchOptions): MatchOptions => {
		const visible = guarded.documents();
		if (visible.size === store.documents().size) return options;
		return { ...options, uris: options.uris?.filter((uri) => visible.has(uri)) ?? [...visible.keys()] };
	};
	const onlyShown = async (matches: readonly Match[]) => {
		if (!hidesParts()) return [...matches];
		const shown = await guarded.read(matches.map(({ row }) => row));
		return matches.filter(({ row }) => shown.has(row));
	};
	/** What is hidden must not be counted: documents of which a part may be hidden are left out. */
	const countWhole = async (query: string, options: MatchOptions) => {
		const visible = guarded.documents();
		const uris = options.uris ?? [...visible.keys()];
		const whole = uris.filter((uri) => visible.has(uri) && !hasHiddenParts(uri));
		return (await store.matchText(query, { ...options, limit: 0, uris: whole })).total;
	};
	return {
		matchText: async (query, options) => {
			const { matches, total } = await store.matchText(query, narrow(options));
			return {
				matches: await onlyShown(matches),
				total: hidesParts() ? await countWhole(query, options) : total,
			};
		},
		matchVector: async (vector, options) => onlyShown(await store.matchVector(vector, narrow(options))),
		rowsAbout: async (subjects, options) => {
			const rows = await store.rowsAbout(subjects, narrow(options));
			if (!hidesParts()) return rows;
			const shown = await guarded.read([...rows.keys()]);
			return new Map([...rows].filter(([row]) => shown.has(row)));
		},
	};
}
