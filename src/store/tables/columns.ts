import {
	type Data,
	type DataType,
	Field,
	FixedSizeList,
	Float16,
	type Float32,
	Int8,
	Int32,
	Int64,
	List,
	makeData,
	RecordBatch,
	Schema,
	Struct,
	Table,
	Utf8,
	util,
} from "apache-arrow";
import { createPacer } from "../../base/jobs/pacer.ts";
import { batchesOf } from "../../base/values.ts";
import { quantize, unitOf } from "../../search/vectorMemory.ts";

const MOST_BYTES = 3;

/** Builds a text column in one pass, because Arrow's builders take ten times as long. */
function textColumn(texts: readonly string[]): Data<Utf8> {
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

function textListColumn(lists: readonly (readonly string[])[]): Data<List<Utf8>> {
	const valueOffsets = new Int32Array(lists.length + 1);
	for (const [index, list] of lists.entries())
		valueOffsets[index + 1] = (valueOffsets[index] as number) + list.length;
	const child = textColumn(lists.flat());
	return makeData({ type: textsType(), length: lists.length, nullCount: 0, valueOffsets, child });
}

function textsType(): List<Utf8> {
	return new List(new Field("item", new Utf8(), true));
}

export interface Column<Row> {
	readonly field: Field<DataType>;
	readonly dataOf: (rows: readonly Row[]) => Data;
}

export function texts<Row>(name: string, pick: (row: Row) => string, isNullable = false): Column<Row> {
	return { field: new Field(name, new Utf8(), isNullable), dataOf: (rows) => textColumn(rows.map(pick)) };
}

export function textLists<Row>(name: string, pick: (row: Row) => readonly string[]): Column<Row> {
	return { field: new Field(name, textsType()), dataOf: (rows) => textListColumn(rows.map(pick)) };
}

export function integers<Row>(name: string, pick: (row: Row) => number): Column<Row> {
	const dataOf = (rows: readonly Row[]) => numbersOf(new Int32(), Int32Array.from(rows, pick));
	return { field: new Field(name, new Int32()), dataOf };
}

export function revisions<Row>(pick: (row: Row) => number): Column<Row> {
	const toBig = (row: Row) => BigInt(pick(row));
	const dataOf = (rows: readonly Row[]) => numbersOf(new Int64(), BigInt64Array.from(rows, toBig));
	return { field: new Field("revision", new Int64()), dataOf };
}

function numbersOf<Type extends Int32 | Int64>(type: Type, data: Type["TArray"]): Data<Type> {
	return makeData({ type, length: data.length, nullCount: 0, data });
}

export function vectors<Row>(
	name: string,
	dimensions: number,
	pick: (row: Row) => Float32Array,
	form: VectorForm,
): Column<Row> {
	const field = new Field(name, vectorType(dimensions, form), true);
	return { field, dataOf: (rows) => vectorColumn(rows.map(pick), dimensions, form) };
}

export function schemaOf<Row>(columns: readonly Column<Row>[], metadata?: ReadonlyMap<string, string>) {
	const fields = columns.map(({ field }) => field);
	return new Schema(fields, new Map(metadata));
}

/** Builds a table from typed arrays, which is five times faster than from objects. */
export function tableOf<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): Table {
	const schema = schemaOf(columns);
	return new Table(schema, [batchOf(rows, columns, schema)]);
}

function batchOf<Row>(rows: readonly Row[], columns: readonly Column<Row>[], schema: Schema): RecordBatch {
	const children = columns.map(({ dataOf }) => dataOf(rows));
	const type = new Struct(schema.fields);
	return new RecordBatch(schema, makeData({ type, length: rows.length, nullCount: 0, children }));
}

export async function tableInPieces<Source, Row>(
	rows: readonly Source[],
	columns: readonly Column<Row>[],
	pieceRows: number,
	prepare: (source: Source) => Row,
): Promise<Table> {
	const pacer = createPacer();
	const schema = schemaOf(columns);
	const batches: RecordBatch[] = [];
	for (const piece of batchesOf(rows, pieceRows)) {
		batches.push(batchOf(piece.map(prepare), columns, schema));
		if (pacer.isDue) await pacer.rest();
	}
	return new Table(schema, batches);
}

type Numbers = Int8Array | Uint16Array;

interface VectorForm {
	readonly type: () => DataType;
	readonly make: (count: number) => Numbers;
	readonly write: (vector: Float32Array, into: Numbers) => void;
}

/** Vectors in 8 bits, as compared in memory. LanceDB cannot index this type. */
export const CODES: VectorForm = {
	type: () => new Int8(),
	make: (count) => new Int8Array(count),
	write: (vector, into) => quantize(vector, into as Int8Array),
};

/** Unit vectors of the same codes in half precision for LanceDB's index, so that both engines rank alike. */
export const HALVES: VectorForm = {
	type: () => new Float16(),
	make: (count) => new Uint16Array(count),
	write: (vector, into) => {
		const codes = new Int8Array(vector.length);
		quantize(vector, codes);
		into.set(unitOf(codes).map(util.float64ToUint16));
	},
};

/** Returns the codes of a vector in base64; empty if the vector has no direction. */
export function writeCodes(vector: Float32Array): string {
	const codes = new Int8Array(vector.length);
	return quantize(vector, codes) > 0 ? Buffer.from(codes.buffer).toString("base64") : "";
}

export function readCodes(text: string): Float32Array {
	const { buffer, byteOffset, length } = Buffer.from(text, "base64");
	return unitOf(new Int8Array(buffer, byteOffset, length));
}

function vectorType(dimensions: number, form: VectorForm): FixedSizeList {
	return new FixedSizeList(dimensions, new Field("item", form.type(), true));
}

/** Writes zero vectors as null, because a vector without direction has no cosine. */
function vectorColumn(rows: readonly Float32Array[], dimensions: number, form: VectorForm): Data {
	const data = form.make(rows.length * dimensions);
	const nullBitmap = new Uint8Array(Math.ceil(rows.length / 64) * 8);
	let nullCount = 0;
	for (const [index, vector] of rows.entries()) {
		if (vector.some((value) => value !== 0)) {
			form.write(vector, data.subarray(index * dimensions, (index + 1) * dimensions));
			nullBitmap[index >> 3] = (nullBitmap[index >> 3] ?? 0) | (1 << (index & 7));
		} else nullCount++;
	}
	const child = makeData({ type: form.type() as Float32, length: data.length, nullCount: 0, data });
	return makeData({ type: vectorType(dimensions, form), length: rows.length, nullCount, nullBitmap, child });
}

/** Reads vectors of a result's rows, in either form; `undefined` for a vector without direction. */
export function vectorReader(result: Table | RecordBatch): (index: number) => Float32Array | undefined {
	const columns = ["codes", "vector"].map((name) => result.getChild(name));
	return (index) => {
		for (const column of columns) {
			const numbers: Numbers | undefined = column?.get(index)?.toArray();
			if (numbers) return toSingles(numbers);
		}
		return undefined;
	};
}

export function toSingles(numbers: Numbers): Float32Array {
	return numbers instanceof Int8Array ? unitOf(numbers) : Float32Array.from(numbers, halfValue);
}

let halves: Float32Array | undefined;

/** Looks the value up in a table, because computing it takes ten times as long. */
function halfValue(half: number): number {
	halves ??= Float32Array.from({ length: 2 ** 16 }, (_, bits) => util.uint16ToFloat64(bits));
	return halves[half] as number;
}

export function typeKeyOf(type: string): string {
	return type.toLowerCase();
}

export function typeKeysOf(type: string): string[] {
	const key = typeKeyOf(type);
	return [key, key.slice(Math.max(key.lastIndexOf("/"), key.lastIndexOf("#")) + 1)];
}
