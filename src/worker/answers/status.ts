import { numeral } from "../../base/text/plural.ts";
import { type DocumentRecord, isFlawed } from "../../core/knowledge/document.ts";
import type { Embedder } from "../../core/knowledge/embedder.ts";
import type { IndexContents, IndexStatus, Leg } from "../../core/knowledge/knowledge.ts";
import { missingLegs } from "../../retrieve/legs.ts";
import type { Descriptors, DocumentReads, Store } from "../../store/port/store.ts";
import type { SourceFiles } from "../files/sources.ts";
import type { Indexer } from "../indexing/indexer.ts";

export interface StatusPorts {
	readonly store: Store;
	/** Of the same, with the URIs that its documents have here. */
	readonly reads: DocumentReads;
	readonly sources: SourceFiles;
	readonly indexer: Indexer;
	readonly embedder: Embedder;
	/** What language models have said of contents. */
	readonly readDescriptors: () => Promise<Descriptors>;
	/** What a person should know about the vectors and the place of the index now. */
	readonly notices: () => readonly string[];
	/** Why nothing may be written. */
	readonly readOnly: string | undefined;
}

export async function readStatus(ports: StatusPorts): Promise<IndexStatus> {
	const { store, reads, sources, indexer, embedder } = ports;
	await store.refresh();
	const records = [...reads.documents().values()];
	const contents = contentsOf(records, sources.pathOf);
	const described = countDescribed(records, await ports.readDescriptors());
	return {
		...contents,
		state: stateOf(indexer, records.length),
		embedder: embedder.id,
		engine: store.engine,
		described,
		legs: legsOf(store, described),
		bytesOnDisk: await store.bytesOnDisk(),
		notices: [
			...(ports.readOnly === undefined ? [] : [ports.readOnly]),
			...ports.notices(),
			...store.notices,
			...missingLegs(ports),
			...sources.notices(),
		],
	};
}

/** What a person must know to judge an answer that is given now. */
export function answerNotices({ store, indexer, notices }: AnswerPorts): string[] {
	return [...indexNotices({ store, indexer }), ...notices()];
}

type AnswerPorts = Pick<StatusPorts, "store" | "indexer" | "notices">;

/** How far the index is behind the files. */
export function indexNotices({ store, indexer }: Pick<StatusPorts, "store" | "indexer">): string[] {
	const progress = indexer.progress();
	if (indexer.isPaused) return ["Indexing is paused: what has changed since is not in the index."];
	if (progress?.total === 0) return ["The index is still being built: the files are being listed."];
	if (progress) {
		const [done, total] = [progress.done, progress.total].map(numeral);
		return [`The index is still being built: ${done} of ${total} files.`];
	}
	if (store.documents().size > 0) return [];
	return ['Nothing is indexed yet. Run "Copilot-LD: Index Workspace".'];
}

function countDescribed(records: readonly DocumentRecord[], descriptors: Descriptors): number {
	return records.filter(({ hash, passages }) => passages > 0 && descriptors.has(hash)).length;
}

function legsOf({ stale }: Store, described: number): Leg[] {
	return ["text", ...(stale ? [] : ["vector" as const]), ...(described > 0 ? ["descriptor" as const] : [])];
}

export function contentsOf(
	records: readonly DocumentRecord[],
	pathOf: (uri: string) => string,
): IndexContents {
	const indexed = records.filter(({ state }) => state.kind === "indexed");
	const sum = (count: "passages" | "resources" | "quads") =>
		indexed.reduce((total, record) => total + record[count], 0);
	return {
		documents: indexed.length,
		passages: sum("passages"),
		resources: sum("resources"),
		quads: sum("quads"),
		skipped: countReasons(records),
		flawed: records.filter(isFlawed).length,
		failed: records.flatMap(({ uri, state }) =>
			state.kind === "failed" ? [{ path: pathOf(uri), reason: state.reason }] : [],
		),
	};
}

function countReasons(records: readonly DocumentRecord[]): Record<string, number> {
	const counts = new Map<string, number>();
	for (const { state } of records) {
		if (state.kind === "skipped") counts.set(state.reason, (counts.get(state.reason) ?? 0) + 1);
	}
	return Object.fromEntries(counts);
}

function stateOf(indexer: Indexer, documents: number): IndexStatus["state"] {
	if (indexer.isPaused) return "paused";
	if (indexer.progress()) return "indexing";
	return documents > 0 ? "ready" : "empty";
}
