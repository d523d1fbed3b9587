import type { Table } from "@lancedb/lancedb";
import { createBestMatches } from "../../base/words/bestMatches.ts";
import { unitOf } from "../../search/vectorCodes.ts";
import { createVectorRows, type VectorRows } from "../../search/vectorRows.ts";
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

/** A message; its vector is among those of all others. */
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
	const vectors = createVectorRows(dimensions);
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

function over(rows: readonly CopiedRow[], vectors: VectorRows) {
	const places = new Map(rows.map(({ address }, row) => [address, row]));
	const bySession = Map.groupBy(rows, ({ message }) => message.session);
	return {
		/** The addresses of the nearest. So few are compared one by one: their signs alone would miss some of them. */
		near: (vector: Float32Array, limit: number) => {
			if (vector.length !== vectors.dimensions || !vector.some((value) => value !== 0)) return [];
			const best = createBestMatches(Math.min(limit, rows.length), (row, other) => row < other);
			for (const [row, cosine] of vectors.cosines(vector, [...rows.keys()])) best.offer(row, cosine);
			return best.matches().map(({ row }) => rows[row]?.address ?? 0);
		},
		/** `undefined` if one of them is not here. */
		rowsAt: (addresses: readonly number[]) => {
			const found = addresses.flatMap((address) => {
				const row = places.get(address) ?? rows.length;
				const message = rows[row]?.message;
				return message ? [{ ...message, vector: unitOf(vectors.rowAt(row).codes) }] : [];
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
