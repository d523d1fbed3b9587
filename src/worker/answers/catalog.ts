import { join } from "node:path";
import { uriOfPath } from "../../base/files/paths.ts";
import { numeral, plural } from "../../base/text/plural.ts";
import { batchesOf } from "../../base/values.ts";
import type { Catalog, DocumentProblems, FolderListing } from "../../core/knowledge/catalog.ts";
import { type DocumentRecord, isFlawed, type Problem, type Resource } from "../../core/knowledge/document.ts";
import type { Publication } from "../../core/knowledge/publication.ts";
import { idOf } from "../../core/knowledge/rdf.ts";
import type { Graph } from "../../graph/facts/graph.ts";
import { findDanglingLinks } from "../../graph/facts/labels.ts";
import { sharedIdentifiers } from "../../graph/facts/sameThings.ts";
import { createPortableNames, publish } from "../../graph/publish/publish.ts";
import type { Sight } from "../../retrieve/descriptorLeg.ts";
import { type DocumentReads, recordOf } from "../../store/port/store.ts";
import { CONFIG_PATH } from "../files/folderConfig.ts";
import { filePathOf, type SourceFiles } from "../files/sources.ts";
import type { Indexer } from "../indexing/indexer.ts";
import type { StoreGraph } from "./storeGraph.ts";

const MOST_DOCUMENTS = 1000;

export function createCatalog(
	store: DocumentReads,
	sources: SourceFiles,
	indexer: Indexer,
	graph: StoreGraph,
): Catalog {
	return {
		browse: async (uri) => {
			await store.refresh();
			return listFolder(`${uri}/`, store.documents().records());
		},
		documents: async ({ ending }) => {
			await store.refresh();
			const isWanted = ({ state, uri, passages }: DocumentRecord) =>
				ending === undefined ? state.kind !== "indexed" : passages > 0 && uri.endsWith(ending);
			return [...store.documents().records()].filter(isWanted).slice(0, MOST_DOCUMENTS);
		},
		resources: (uri) => resourcesOf(uri, store),
		explain: async (uri) => {
			await store.refresh();
			const record = store.documents().get(uri);
			return record ? describeRecord(record) : sources.explain(uri);
		},
		problems: async (of, signal) => {
			const links = of === "links" ? await graph.current(signal) : undefined;
			return [...sources.problems(), ...listProblems(store, links)];
		},
		reindex: async (uris, signal) => {
			const paths = uris.flatMap((uri) => filePathOf(uri) ?? []);
			await indexer.syncPaths(paths, { force: true }, signal);
		},
		pause: async (paused) => indexer.pause(paused),
		policies: async () =>
			sources.policies().flatMap(({ root, rules }) => {
				const source = sources.pathOf(uriOfPath(join(root, CONFIG_PATH)));
				return rules.map((rule) => ({ source, ...rule }));
			}),
	};
}

export async function resourcesOf(uri: string, store: DocumentReads): Promise<readonly Resource[]> {
	const { resources = [] } = (await store.statementsOf([uri])).get(uri) ?? {};
	return resources.toSorted((a, b) => a.lines.start - b.lines.start);
}

function describeProblems({ problems }: DocumentRecord): string {
	const [first, ...others] = problems;
	if (!first) return "";
	const more = others.length > 0 ? ` (and ${numeral(others.length)} more)` : "";
	return ` Part of it could not be read: line ${first.lines.start}: ${first.message}${more}`;
}

function listFolder(prefix: string, records: Iterable<DocumentRecord>): FolderListing {
	const below = [...records].filter(({ uri }) => uri.startsWith(prefix));
	const byFolder = Map.groupBy(below, ({ uri }) => uri.slice(prefix.length).split("/").slice(0, -1)[0]);
	const documents = byFolder.get(undefined) ?? [];
	byFolder.delete(undefined);
	const folders = Array.from(byFolder, ([name = "", all]) => ({
		uri: prefix + name,
		name: decodeURIComponent(name),
		indexed: all.filter(({ state }) => state.kind === "indexed").length,
		failed: all.filter(({ state }) => state.kind === "failed").length,
		flawed: all.filter(isFlawed).length,
	}));
	return {
		folders: folders.sort((a, b) => a.name.localeCompare(b.name)),
		documents: documents.sort((a, b) => a.uri.localeCompare(b.uri)),
	};
}

function describeRecord(record: DocumentRecord): string {
	const { state, passages, resources, quads, format, isPending } = record;
	switch (state.kind) {
		case "indexed": {
			const all = [plural(passages, "passage"), plural(resources, "resource"), plural(quads, "statement")];
			const pending = isPending ? " Its vectors have not been made yet." : "";
			return `It is in the index, read as ${format}: ${all.join(", ")}.${pending}${describeProblems(record)}`;
		}
		case "skipped":
			return `It is not in the index: ${state.reason}.`;
		case "failed":
			return `It is not in the index, because reading it failed: ${state.reason}.`;
	}
}

function listProblems(store: DocumentReads, graph?: Graph): DocumentProblems[] {
	const unsound = [...store.documents().entries()].filter(({ isSound }) => !isSound).map(recordOf);
	return groupProblems([
		...unsound.flatMap(({ uri, problems }) => problems.map((problem) => ({ ...problem, document: uri }))),
		...(graph ? betweenDocuments(graph) : []).map((found) => ({ severity: "warning", ...found }) as const),
	]);
}

export function groupProblems(found: readonly (Problem & { readonly document: string })[]) {
	return [...Map.groupBy(found, ({ document }) => document)].map(([uri, problems]) => ({
		uri,
		problems: problems.map(({ document: _, ...problem }) => problem),
	}));
}

function betweenDocuments(graph: Graph) {
	const dangling = findDanglingLinks(graph).map(({ iri, document, lines }) => ({
		document,
		lines,
		message: `No document describes <${iri}>.`,
	}));
	// Two resources with one identifier are the same thing, or one of the identifiers is wrong.
	const shared = sharedIdentifiers(graph).flatMap((pair) =>
		pair.map(({ document, lines, object }) => ({
			document,
			lines,
			message: `${pair.map(({ subject }) => idOf(subject)).join(" and ")} have the same identifier ${JSON.stringify(object.value)}.`,
		})),
	);
	return [...dangling, ...shared];
}

const BATCH = 200;

/** Publishes only documents that the chat may see completely. */
export function createPublication(store: DocumentReads, sources: SourceFiles, sight: () => Sight) {
	const open = async () => {
		await store.refresh();
		const records = [...store.documents().entries()].filter(({ quads }) => quads > 0);
		const whole = await sight().whole(records.map(({ uri }) => uri));
		return { records, open: records.filter(({ uri }) => whole.has(uri)) };
	};
	return {
		extent: async () => {
			const { records, open: seen } = await open();
			const statements = seen.reduce((sum, { quads }) => sum + quads, 0);
			return { documents: seen.length, statements, withheld: records.length - seen.length };
		},
		publish: async (target, onProgress, signal) => {
			const uris = (await open()).open.map(({ uri }) => uri);
			const documents = readDocuments(store, uris);
			const names = createPortableNames(sources.folders());
			return publish({ target, names, documents, onProgress }, signal);
		},
	} satisfies Publication;
}

async function* readDocuments(store: DocumentReads, uris: readonly string[]) {
	for (const batch of batchesOf(uris, BATCH))
		for (const [uri, { quads }] of await store.statementsOf(batch)) yield { uri, quads };
}
