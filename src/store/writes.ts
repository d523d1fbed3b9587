import { randomInt } from "node:crypto";
import type { Table } from "@lancedb/lancedb";
import { createPacer } from "../base/jobs/pacer.ts";
import { batchesOf } from "../base/values.ts";
import type { PassageRow } from "../search/rowColumns.ts";
import { passagesIn } from "../search/termCounts.ts";
import { type Database, revisionsOf, type Snapshot } from "./database/database.ts";
import type { EngineChoice } from "./port/engine.ts";
import { entryOf, type StoredDocument } from "./port/store.ts";
import { type DocumentRow, toDocumentTable } from "./tables/documentTable.ts";
import { numbersIn, toPassageTable } from "./tables/passageTable.ts";
import { commit, isOneOf, optimizeTable, readIndex, runQuery } from "./tables/query.ts";
import type { Tables } from "./tables/tables.ts";

const BATCH_ROWS = 4000;

const CONDITION_VALUES = 1000;

/** The returned operations must run one at a time. */
export function createWrites(database: Database, engines: EngineChoice) {
	// Revisions of two processes must differ, so each process begins at a random 48-bit number.
	let revision = randomInt(2 ** 48 - 1);
	return { replace, remove, optimize };

	/** Adds the new passages, still invisible; commits the documents in one step; deletes the old passages. */
	async function replace(documents: readonly StoredDocument[]): Promise<void> {
		if (documents.length === 0) return;
		const { tables, manifest } = await sweep(database);
		await (await engines.current()).follow();
		const tagged = documents.map((document) => keepOwnVectors(document, tables));
		const revised = tagged.map((document) => ({ document, revision: revision++ }));
		const shown = revised.map((entry) => entry.revision);
		const uris = documents.map(({ record }) => record.uri);
		const dropped = revisionsOf(uris, manifest);
		try {
			const rows = await gatherRows(revised, tables.dimensions);
			const staging = engines.current().then((engine) => engine.stage(rows));
			await Promise.all([addPassages(tables, rows, engines), staging]);
			const version = await addDocuments(tables.documents, revised, dropped.length > 0);
			const set = revised.map((one) => entryOf(one.document.record, one.revision));
			database.advance(set, [], version);
		} catch (thrown) {
			engines.latest().unstage(shown);
			throw thrown;
		}
		engines.latest().commit({ shown, dropped });
		await deleteRevisions(tables.passages, dropped);
	}

	async function remove(uris: readonly string[]): Promise<void> {
		const { tables, manifest } = await sweep(database);
		await (await engines.current()).follow();
		for (const batch of batchesOf(uris, CONDITION_VALUES)) {
			const old = revisionsOf(batch, manifest);
			const version = await deleteRevisions(tables.documents, old);
			if (version !== undefined) database.advance([], batch, version);
			engines.latest().commit({ shown: [], dropped: old });
			await deleteRevisions(tables.passages, old);
		}
	}

	/** Does not sweep, because it may run while another process writes. */
	async function optimize(): Promise<number | undefined> {
		const { tables } = await database.refresh();
		const leftMs = [await optimizeTable(tables.passages), await optimizeTable(tables.documents)];
		await engines.tidy(await database.dropPredecessors());
		return leftMs[0] ?? leftMs[1];
	}
}

async function addPassages(tables: Tables, rows: readonly PassageRow[], engines: EngineChoice) {
	for (const batch of batchesOf(rows, BATCH_ROWS)) {
		// The engine may change to LanceDB between two batches.
		const isCompact = tables.dimensions > 0 && !(await engines.needsComplete());
		const columns = await toPassageTable(batch, { ...tables, isCompact });
		await commit(tables.passages, () => tables.passages.add(columns));
	}
}

async function addDocuments(table: Table, revised: readonly DocumentRow[], areKnown: boolean) {
	const rows = await toDocumentTable(revised);
	const merge = () => table.mergeInsert("uri").whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(rows);
	return (await commit<{ version: number }>(table, areKnown ? merge : () => table.add(rows))).version;
}

/** A process that died between two steps leaves passages without a document, which are deleted here. */
async function sweep(database: Database): Promise<Snapshot> {
	const snapshot = await database.refresh();
	const { tables, manifest } = snapshot;
	if ((await readIndex(() => tables.passages.countRows())) === manifest.passages) return snapshot;
	const rows = await runQuery(tables.passages.query().select(["revision"]));
	const orphans = [...new Set(numbersIn(rows, "revision"))].filter((revision) => !manifest.uriOf(revision));
	await deleteRevisions(tables.passages, orphans);
	return snapshot;
}

/** Drops vectors of another embedder; the document is then pending. */
function keepOwnVectors(document: StoredDocument, { embedder, dimensions }: Tables): StoredDocument {
	const { passages, vectors, record } = document;
	const isOwn = document.embedder === embedder && vectors.length === passages.length * dimensions;
	const { isPending: _before, ...settled } = record;
	if (isOwn || dimensions === 0 || passages.length === 0) return { ...document, record: settled };
	return { ...document, vectors: new Float32Array(), record: { ...settled, isPending: true } };
}

async function gatherRows(revised: readonly DocumentRow[], dimensions: number): Promise<PassageRow[]> {
	const pacer = createPacer();
	const rows: PassageRow[] = [];
	for (const entry of revised) {
		if (pacer.isDue) await pacer.rest();
		for (const row of rowsOf(entry, dimensions)) rows.push(row);
	}
	return rows;
}

function rowsOf({ document, revision }: DocumentRow, dimensions: number): PassageRow[] {
	const types = new Map(document.resources.map((resource) => [resource.id, resource.types]));
	const terms = document.terms && [...passagesIn(document.terms)];
	return document.passages.map((passage, ordinal) => ({
		revision,
		ordinal,
		passage,
		terms: terms?.[ordinal],
		types: types.get(passage.resource ?? "") ?? [],
		vector: document.vectors.subarray(ordinal * dimensions, (ordinal + 1) * dimensions),
	}));
}

async function deleteRevisions(table: Table, revisions: readonly number[]): Promise<number | undefined> {
	let version: number | undefined;
	for (const batch of batchesOf(revisions, CONDITION_VALUES))
		({ version } = await commit(table, () => table.delete(isOneOf("revision", batch))));
	return version;
}
