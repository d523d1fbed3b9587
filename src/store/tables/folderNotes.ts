import { Table as ArrowTable, Utf8, vectorFromArray } from "apache-arrow";
import type { Folder } from "../../core/knowledge/knowledge.ts";
import { connectTo, type Location } from "./location.ts";
import { readIndex } from "./query.ts";

const TABLE = "folders";

/** The folders that an index was made of; none where nobody has noted them. */
export function readFolders(location: Location): Promise<Folder[]> {
	return readIndex(async () => {
		const connection = await connectTo(location);
		if (!(await connection.tableNames()).includes(TABLE)) return [];
		const rows = await (await connection.openTable(TABLE)).query().toArrow();
		const [uris, names] = ["uri", "name"].map((column) => Array.from(rows.getChild(column) ?? [], String));
		return (uris ?? []).map((uri, index) => ({ uri, name: names?.[index] ?? "" }));
	});
}

/** Notes them in one commit. */
export async function writeFolders(location: Location, folders: readonly Folder[]): Promise<void> {
	const column = (pick: (folder: Folder) => string) => vectorFromArray(folders.map(pick), new Utf8());
	const rows = new ArrowTable({ uri: column(({ uri }) => uri), name: column(({ name }) => name) });
	const connection = await connectTo(location);
	const isThere = (await connection.tableNames()).includes(TABLE);
	await connection.createTable(TABLE, rows, { mode: isThere ? "overwrite" : "create" });
}

export async function dropFolders(location: Location): Promise<void> {
	const connection = await connectTo(location);
	if ((await connection.tableNames()).includes(TABLE)) await connection.dropTable(TABLE);
}
