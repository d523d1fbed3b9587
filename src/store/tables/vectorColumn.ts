import { type Data, Field, FixedSizeList, Float32, makeData, type Vector } from "apache-arrow";

export function vectorType(dimensions: number): FixedSizeList<Float32> {
	return new FixedSizeList(dimensions, new Field("item", new Float32(), true));
}

/** Zeros are written as null: they have no direction, so that no cosine can rank them. */
export function vectorColumn(rows: readonly { readonly vector: Float32Array }[], dimensions: number): Data {
	const data = new Float32Array(rows.length * dimensions);
	const nullBitmap = new Uint8Array(Math.ceil(rows.length / 64) * 8);
	let nullCount = 0;
	for (const [index, { vector }] of rows.entries()) {
		data.set(vector, index * dimensions);
		if (vector.some((value) => value !== 0))
			nullBitmap[index >> 3] = (nullBitmap[index >> 3] ?? 0) | (1 << (index & 7));
		else nullCount++;
	}
	const child = makeData({ type: new Float32(), length: data.length, nullCount: 0, data });
	return makeData({ type: vectorType(dimensions), length: rows.length, nullCount, nullBitmap, child });
}

/** The one piece of a column that was just made. */
export function dataOf({ data: [data] }: Vector): Data {
	if (!data) throw new Error("Arrow made a column without data.");
	return data;
}
