import { numeral } from "../../base/text/plural.ts";
import { type DocumentRecord, isFlawed } from "../../core/knowledge/document.ts";
import type { Embedder } from "../../core/knowledge/embedder.ts";
import type { EmbeddingProgress, IndexContents, IndexStatus } from "../../core/knowledge/knowledge.ts";
import { missingLegs } from "../../retrieve/legs.ts";
import {
	type Descriptors,
	type DocumentReads,
	type Documents,
	recordOf,
	type Store,
} from "../../store/port/store.ts";
import type { SourceFiles } from "../files/sources.ts";
import type { Indexer } from "../indexing/indexer.ts";

export interface StatusPorts {
	readonly store: Store;
	/** Reads of `store` with document URIs translated to this workspace. */
	readonly reads: DocumentReads;
	readonly sources: SourceFiles;
	readonly indexer: Indexer;
	readonly embedder: Embedder;
	readonly readDescriptors: () => Promise<Descriptors>;
	readonly notices: () => readonly string[];
	readonly embedding: () => EmbeddingProgress | undefined;
	readonly readOnly: string | undefined;
}

export async function readStatus(ports: StatusPorts): Promise<IndexStatus> {
	const { store, reads, sources, indexer, embedder } = ports;
	await store.refresh();
	const documents = reads.documents();
	const contents = contentsOf(documents, sources.pathOf);
	const descriptors = await ports.readDescriptors();
	const isDescribed = ({ hash, passages }: DocumentRecord) => passages > 0 && descriptors.has(hash);
	const described = descriptors.size === 0 ? 0 : [...documents.records()].filter(isDescribed).length;
	const embedding = ports.embedding();
	return {
		...contents,
		...(embedding && { embedding }),
		state: stateOf(indexer, documents.size),
		embedder: embedder.id,
		engine: store.engine(),
		described,
		legs: [
			"text",
			...(store.stale() ? [] : (["vector"] as const)),
			...(described > 0 ? (["descriptor"] as const) : []),
		],
		bytesOnDisk: await store.bytesOnDisk(),
		notices: [
			...(ports.readOnly === undefined ? [] : [ports.readOnly]),
			...ports.notices(),
			...store.notices(),
			...missingLegs(ports),
			...sources.notices(),
		],
	};
}

export function indexNotices({ store, indexer }: StatusPorts): string[] {
	const progress = indexer.progress();
	if (indexer.isPaused) return ["Indexing is paused: later changes are not in the index."];
	if (progress?.total === 0) return ["The index is still being built: the files are being listed."];
	if (progress) {
		const [done, total] = [progress.done, progress.total].map(numeral);
		return [`The index is still being built: ${done} of ${total} files.`];
	}
	if (store.documents().size > 0) return [];
	return ['Nothing is indexed yet. Run "Copilot-LD: Index Workspace".'];
}

export function contentsOf(documents: Documents, pathOf: (uri: string) => string): IndexContents {
	const entries = [...documents.entries()];
	const told = entries.filter(({ isSound }) => !isSound).map(recordOf);
	const flawed = told.filter(isFlawed);
	const indexed = [...entries.filter(({ isSound }) => isSound), ...flawed];
	const sum = (count: "passages" | "resources" | "quads") =>
		indexed.reduce((total, document) => total + document[count], 0);
	return {
		documents: indexed.length,
		passages: sum("passages"),
		resources: sum("resources"),
		quads: sum("quads"),
		skipped: countReasons(told),
		flawed: flawed.length,
		failed: told.flatMap(({ uri, state }) =>
			state.kind === "failed" ? [{ path: pathOf(uri), reason: state.reason }] : [],
		),
	};
}

function countReasons(records: readonly DocumentRecord[]): Record<string, number> {
	const reasons = records.flatMap(({ state }) => (state.kind === "skipped" ? [state.reason] : []));
	const grouped = Map.groupBy(reasons, (reason) => reason);
	return Object.fromEntries([...grouped].map(([reason, { length }]) => [reason, length]));
}

function stateOf(indexer: Indexer, documents: number): IndexStatus["state"] {
	if (indexer.isPaused) return "paused";
	if (indexer.progress()) return "indexing";
	return documents > 0 ? "ready" : "empty";
}
