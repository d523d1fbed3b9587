import { type Data, Field, Int32, Int64, List, makeData, Utf8 } from "apache-arrow";

/** Maximum bytes of UTF-8 per UTF-16 code unit. */
const MOST_BYTES = 3;

/** Arrow's own builders go value by value, and take ten times as long. */
export function textColumn(texts: readonly string[]): Data<Utf8> {
	const most = texts.reduce((sum, text) => sum + text.length, 0) * MOST_BYTES;
	const bytes = Buffer.allocUnsafe(most);
	const valueOffsets = new Int32Array(texts.length + 1);
	let end = 0;
	for (const [index, text] of texts.entries()) {
		end += bytes.write(text, end);
		valueOffsets[index + 1] = end;
	}
	const data = bytes.subarray(0, end);
	return makeData({ type: new Utf8(), length: texts.length, nullCount: 0, valueOffsets, data });
}

export function textListColumn(lists: readonly (readonly string[])[]): Data<List<Utf8>> {
	const valueOffsets = new Int32Array(lists.length + 1);
	for (const [index, list] of lists.entries())
		valueOffsets[index + 1] = (valueOffsets[index] as number) + list.length;
	const child = textColumn(lists.flat());
	return makeData({ type: textsType(), length: lists.length, nullCount: 0, valueOffsets, child });
}

export function textsType(): List<Utf8> {
	return new List(new Field("item", new Utf8(), true));
}

export function intColumn<Row>(rows: readonly Row[], pick: (row: Row) => number): Data<Int32> {
	const data = new Int32Array(rows.length);
	for (let index = 0; index < rows.length; index++) data[index] = pick(rows[index] as Row);
	return makeData({ type: new Int32(), length: rows.length, nullCount: 0, data });
}

export function revisionColumn(rows: readonly { readonly revision: number }[]): Data<Int64> {
	const data = new BigInt64Array(rows.length);
	for (const [index, { revision }] of rows.entries()) data[index] = BigInt(revision);
	return makeData({ type: new Int64(), length: rows.length, nullCount: 0, data });
}
