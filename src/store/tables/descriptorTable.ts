import type { Table } from "@lancedb/lancedb";
import { Table as ArrowTable, Field, Schema, Utf8, vectorFromArray } from "apache-arrow";
import type { Descriptor } from "../../core/knowledge/descriptor.ts";
import type { Descriptors } from "../port/store.ts";
import { optimizeTable } from "./indexes.ts";
import { connectTo, dropTable, type Location } from "./location.ts";
import { commit, readIndex } from "./query.ts";

const TABLE = "descriptors";
const COLUMNS = ["hash", "purpose", "applicability", "evaluation"] as const;

/**
 * The descriptors, beside the tables of the index and without their generations: they outlive a rebuilding, another
 * embedder and another schema. Those of content that is gone stay, a line each: it may come back with a branch.
 */
export type DescriptorTable = ReturnType<typeof createDescriptorTable>;

interface Known {
	readonly version: number;
	readonly descriptors: Descriptors;
}

const NONE: Known = { version: 0, descriptors: new Map() };

/** If the table is missing, looks for it again whenever `moment` returns another object: another process has then written. */
export function createDescriptorTable(location: Location, moment: () => object) {
	let table: Table | undefined;
	let lookedAt: object | undefined;
	let known = NONE;
	return {
		/** All descriptors, including those added by other processes; the same map until something changes. */
		read: () => readIndex(read),
		add,
		optimize: async () => table && optimizeTable(table),
		/** Throws away what cannot be read. */
		mend: async () => {
			lookedAt = undefined;
			await read().catch(drop);
		},
		drop,
		close: () => table?.close(),
	};

	async function read(): Promise<Descriptors> {
		table ??= await find();
		if (!table) return known.descriptors;
		const version = await table.version();
		if (version !== known.version) known = { version, descriptors: await readAll(table) };
		return known.descriptors;
	}

	async function find(): Promise<Table | undefined> {
		const now = moment();
		if (now === lookedAt) return undefined;
		const connection = await connectTo(location);
		const isThere = (await connection.tableNames()).includes(TABLE);
		lookedAt = now;
		return isThere ? connection.openTable(TABLE) : undefined;
	}

	async function add(hash: string, descriptor: Descriptor): Promise<void> {
		table ??= await make(location);
		const opened = table;
		const merge = () =>
			opened
				.mergeInsert("hash")
				.whenNotMatchedInsertAll()
				.execute(toRow({ hash, ...descriptor }));
		const { version, numInsertedRows } = await commit(opened, merge);
		// If no other process has written since, the cached map need not be read again.
		if (numInsertedRows === 1 && version === known.version + 1)
			known = { version, descriptors: new Map([...known.descriptors, [hash, descriptor]]) };
	}

	async function drop(): Promise<void> {
		await dropTable(location, TABLE);
		table?.close();
		[table, known] = [undefined, NONE];
	}
}

async function make(location: Location): Promise<Table> {
	const schema = new Schema(COLUMNS.map((name) => new Field(name, new Utf8())));
	return (await connectTo(location)).createEmptyTable(TABLE, schema, { existOk: true });
}

function toRow(values: Readonly<Record<(typeof COLUMNS)[number], string>>): ArrowTable {
	return new ArrowTable(
		Object.fromEntries(COLUMNS.map((name) => [name, vectorFromArray([values[name]], new Utf8())])),
	);
}

async function readAll(table: Table): Promise<Descriptors> {
	const rows = await table
		.query()
		.select([...COLUMNS])
		.toArrow();
	const all = Array.from(rows, (row) => row.toJSON() as Descriptor & { readonly hash: string });
	return new Map(all.map(({ hash, ...descriptor }) => [hash, descriptor]));
}
