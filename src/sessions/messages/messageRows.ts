import {
	type Data,
	type DataType,
	Field,
	Float64,
	Int32,
	makeData,
	RecordBatch,
	Schema,
	Struct,
	Table,
	Utf8,
	vectorFromArray,
} from "apache-arrow";
import { dataOf, vectorColumn, vectorType } from "../../store/tables/vectorColumn.ts";
import type { MessagePiece, Role } from "./message.ts";

/** `vector` is empty where there is no embedder, and zeros where it knew no word. */
export interface MessageRow extends MessagePiece {
	readonly vector: Float32Array;
}

const TEXTS = ["session", "workspace", "role", "text"] as const;
const NUMBERS = ["at", "end"] as const;
/** All but the vector. */
export const MESSAGE_COLUMNS = [...TEXTS, ...NUMBERS, "turn"];

export function messageSchema(dimensions: number, metadata: ReadonlyMap<string, string>): Schema {
	const fields: Field<DataType>[] = [
		...TEXTS.map((name) => new Field(name, new Utf8())),
		...NUMBERS.map((name) => new Field(name, new Float64())),
		new Field("turn", new Int32()),
	];
	if (dimensions > 0) fields.push(new Field("vector", vectorType(dimensions), true));
	return new Schema(fields, new Map(metadata));
}

/** Arrow columns out of typed arrays: rows as objects would be five times slower. */
export function toMessageTable(rows: readonly MessageRow[], dimensions: number): Table {
	const { length } = rows;
	const schema = messageSchema(dimensions, new Map());
	const children: Data[] = [
		...TEXTS.map((name) =>
			dataOf(
				vectorFromArray(
					rows.map((row) => row[name]),
					new Utf8(),
				),
			),
		),
		...NUMBERS.map((name) => {
			const data = Float64Array.from(rows, (row) => row[name]);
			return makeData({ type: new Float64(), length, nullCount: 0, data });
		}),
		makeData({ type: new Int32(), length, nullCount: 0, data: Int32Array.from(rows, ({ turn }) => turn) }),
	];
	if (dimensions > 0) children.push(vectorColumn(rows, dimensions));
	const type = new Struct(schema.fields);
	return new Table(schema, [new RecordBatch(schema, makeData({ type, length, nullCount: 0, children }))]);
}

/** The rows of a result, in order. A row that was read without a vector has an empty one. */
export function readMessages(result: Table): MessageRow[] {
	const [sessions, workspaces, roles, texts, times, ends, turns] = MESSAGE_COLUMNS.map((name) =>
		result.getChild(name),
	);
	const vectors = result.getChild("vector");
	return Array.from({ length: result.numRows }, (_, index) => ({
		session: String(sessions?.get(index)),
		workspace: String(workspaces?.get(index)),
		role: String(roles?.get(index)) as Role,
		text: String(texts?.get(index)),
		at: Number(times?.get(index)),
		end: Number(ends?.get(index)),
		turn: Number(turns?.get(index)),
		vector: new Float32Array(vectors?.get(index)?.toArray() ?? []),
	}));
}
