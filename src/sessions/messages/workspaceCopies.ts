import type { Table } from "@lancedb/lancedb";
import { createBestMatches } from "../../base/words/bestMatches.ts";
import { createVectorMemory, writeVector } from "../../search/vectorMemory.ts";
import { addressesIn } from "../../store/tables/passageTable.ts";
import { quote } from "../../store/tables/query.ts";
import { MESSAGE_COLUMNS, type MessageRow, readMessages, type TurnRef } from "./message.ts";

/** The messages of the queried workspace, in memory: copied for the second query to one version of the table. */
export type WorkspaceCopies = ReturnType<typeof createWorkspaceCopies>;

interface Asked {
	readonly workspace: string;
	readonly version: number;
	isBegun?: boolean;
	copy?: WorkspaceCopy | undefined;
}

/** Messages that are copied at most: some 20 MB. */
const MOST_ROWS = 20_000;

/** The messages of one workspace in memory, as of one version of the table; their vectors have 8 bits a number. */
type WorkspaceCopy = ReturnType<typeof over>;

/** A message; its vector is in an array with all others. */
interface CopiedRow {
	readonly message: MessageRow;
	readonly address: number;
}

export function createWorkspaceCopies(table: Table, dimensions: number) {
	let asked: Asked | undefined;
	let making = Promise.resolve();
	const make = async (wanted: Asked) => {
		const copy = await copyWorkspace(table, wanted.workspace, dimensions);
		// What was written meanwhile may be in it, or not.
		if ((await table.version()) === wanted.version) wanted.copy = copy;
	};
	const isNew = async ({ version }: Asked) => version === (await table.version());
	return {
		/** What is searched in place of the table, if it is as new. */
		of: async (workspace: string) => {
			if (asked?.workspace !== workspace || !(await isNew(asked))) {
				asked = { workspace, version: await table.version() };
				return undefined;
			}
			const wanted = asked;
			// If the table cannot be read, the query to it reports that.
			if (!wanted.isBegun) making = making.then(() => make(wanted)).catch(() => undefined);
			wanted.isBegun = true;
			return wanted.copy;
		},
		/** The one that was searched last, if it is as new as the table. */
		latest: async () => (asked?.copy && (await isNew(asked)) ? asked.copy : undefined),
		/** Resolves when none is being made: the table cannot be closed in the midst of that. */
		idle: () => making,
	};
}

export function inWorkspace(workspace: string): string {
	return `workspace = ${quote(workspace)}`;
}

/** `undefined` if they are too many. */
export async function copyWorkspace(
	table: Table,
	workspace: string,
	dimensions: number,
): Promise<WorkspaceCopy | undefined> {
	if ((await table.countRows(inWorkspace(workspace))) > MOST_ROWS) return undefined;
	const columns = dimensions > 0 ? [...MESSAGE_COLUMNS, "vector"] : MESSAGE_COLUMNS;
	const rows: CopiedRow[] = [];
	const vectors = createCopiedVectors(dimensions);
	for await (const batch of table.query().where(inWorkspace(workspace)).select(columns).withRowId()) {
		const addresses = addressesIn(batch);
		for (const [index, { vector, ...message }] of readMessages(batch).entries()) {
			vectors.add(vector);
			rows.push({ message: { ...message, vector: NONE }, address: addresses[index] ?? 0 });
		}
	}
	return over(rows, vectors);
}

const NONE = new Float32Array();

function over(rows: readonly CopiedRow[], vectors: ReturnType<typeof createCopiedVectors>) {
	const places = new Map(rows.map(({ address }, row) => [address, row]));
	const bySession = Map.groupBy(rows, ({ message }) => message.session);
	return {
		/** The addresses of the nearest. */
		near: (vector: Float32Array, limit: number) =>
			vectors.near(vector, limit).map((row) => rows[row]?.address ?? 0),
		/** `undefined` if one of them is not here. */
		rowsAt: (addresses: readonly number[]) => {
			const found = addresses.flatMap((address) => {
				const row = places.get(address) ?? rows.length;
				const message = rows[row]?.message;
				return message ? [{ ...message, vector: vectors.at(row) }] : [];
			});
			return found.length === addresses.length ? found : undefined;
		},
		/** The rows of these turns, without their vectors; `undefined` if one of the sessions is not here. */
		rowsOf: (turns: readonly TurnRef[]) => {
			if (!turns.every(({ session }) => bySession.has(session))) return undefined;
			return turns.flatMap(({ session, turn }) =>
				(bySession.get(session) ?? []).flatMap(({ message }) => (message.turn === turn ? [message] : [])),
			);
		},
	};
}

/** So few are compared one by one: their signs alone would miss some of the nearest. */
function createCopiedVectors(dimensions: number) {
	const memory = createVectorMemory(dimensions);
	const scales: number[] = [];
	return {
		add: (vector: Float32Array) => {
			memory.resize(scales.length + 1);
			scales.push(writeVector(vector, memory.rowAt(scales.length)));
		},
		at: (row: number) => {
			const vector = new Float32Array(memory.rowAt(row).codes);
			const scale = scales[row] ?? 0;
			for (let d = 0; d < vector.length; d++) vector[d] = (vector[d] as number) * scale;
			return vector;
		},
		near: (vector: Float32Array, limit: number) => {
			if (vector.length !== dimensions || !vector.some((value) => value !== 0)) return [];
			const products = memory.products(vector, Uint32Array.from(scales.keys()));
			const best = createBestMatches(Math.min(limit, scales.length), (row, other) => row < other);
			for (const [row, scale] of scales.entries())
				if (scale !== 0) best.offer(row, (products[row] as number) * scale);
			return best.matches().map(({ row }) => row);
		},
	};
}
