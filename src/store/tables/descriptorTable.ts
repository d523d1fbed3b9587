import type { Table } from "@lancedb/lancedb";
import type { Descriptor } from "../../core/knowledge/descriptor.ts";
import type { Descriptors } from "../port/store.ts";
import { schemaOf, tableOf, texts } from "./columns.ts";
import {
	commit,
	connectTo,
	dropTable,
	type Location,
	openIfThere,
	optimizeTable,
	readIndex,
} from "./query.ts";

const TABLE = "descriptors";
const COLUMNS = (["hash", "purpose", "applicability", "evaluation"] as const).map((name) =>
	texts(name, (row: StoredDescriptor) => row[name]),
);

type StoredDescriptor = Descriptor & { readonly hash: string };

/**
 * The table of descriptors has no generations, so it outlives rebuilds and changes of embedder or schema. It keeps
 * descriptors of removed content, which are small: the content may return with another branch.
 */
export type DescriptorTable = ReturnType<typeof createDescriptorTable>;

const NO_DESCRIPTORS: Descriptors = new Map();

/** If the table is missing, looks for it again after each commit, when `moment` returns another object. */
export function createDescriptorTable(location: Location, moment: () => object) {
	let table: Table | undefined;
	let lookedAt: object | undefined;
	let known = { version: 0, descriptors: NO_DESCRIPTORS };
	return {
		/** Returns all descriptors, also of other processes. Returns the same map until a descriptor is added. */
		read: () => readIndex(read),
		add,
		optimize: async () => table && optimizeTable(table),
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
		const found = await openIfThere(location, TABLE);
		lookedAt = now;
		return found;
	}

	async function add(hash: string, descriptor: Descriptor): Promise<void> {
		table ??= await (await connectTo(location)).createEmptyTable(TABLE, schemaOf(COLUMNS), { existOk: true });
		const opened = table;
		const row = tableOf([{ hash, ...descriptor }], COLUMNS);
		const merge = () => opened.mergeInsert("hash").whenNotMatchedInsertAll().execute(row);
		const { version, numInsertedRows } = await commit(opened, merge);
		// If no other process has written since, the cached map need not be read again.
		if (numInsertedRows === 1 && version === known.version + 1)
			known = { version, descriptors: new Map([...known.descriptors, [hash, descriptor]]) };
	}

	async function drop(): Promise<void> {
		await dropTable(location, TABLE);
		table?.close();
		[table, known] = [undefined, { version: 0, descriptors: NO_DESCRIPTORS }];
	}
}

async function readAll(table: Table): Promise<Descriptors> {
	const names = COLUMNS.map(({ field }) => field.name);
	const rows = await table.query().select(names).toArrow();
	const all = Array.from(rows, (row) => row.toJSON() as StoredDescriptor);
	return new Map(all.map(({ hash, ...descriptor }) => [hash, descriptor]));
}
