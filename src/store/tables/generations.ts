import type { Connection } from "@lancedb/lancedb";
import { Field, Schema, Utf8 } from "apache-arrow";

/**
 * While vectors of another embedder are made, the tables of the next generation are filled beside the current ones.
 * Creating an empty table, which is atomic, then makes them current.
 */
const READY = "ready_";

export function namesOf(generation: number): { readonly documents: string; readonly passages: string } {
	const suffix = generation === 1 ? "" : `_${generation}`;
	return { documents: `documents${suffix}`, passages: `passages${suffix}` };
}

export function currentGeneration(names: readonly string[]): number {
	return Math.max(1, ...names.filter((name) => name.startsWith(READY)).map(numberOf));
}

/** A generation that no process has open or partly filled. */
export function unusedGeneration(names: readonly string[]): number {
	return Math.max(0, ...names.filter((name) => /^documents|^passages|^ready_/.test(name)).map(numberOf)) + 1;
}

/** Puts a generation in use; all tables of it must be there. */
export async function makeCurrent(connection: Connection, generation: number): Promise<void> {
	const schema = new Schema([new Field("note", new Utf8())]);
	await connection.createEmptyTable(`${READY}${generation}`, schema, { existOk: true });
}

/** Drops the tables of these generations, the manifest first: without it, passages are not seen. */
export async function dropGenerations(
	connection: Connection,
	isMeant: (generation: number) => boolean,
): Promise<void> {
	const names = await connection.tableNames();
	const isOld = (prefix: string) => (name: string) =>
		new RegExp(`^${prefix}(_\\d+)?$`).test(name) && isMeant(numberOf(name));
	for (const prefix of ["documents", "passages"])
		for (const name of names.filter(isOld(prefix))) await connection.dropTable(name);
	const current = currentGeneration(names);
	const notes = names.filter((name) => name.startsWith(READY) && numberOf(name) < current);
	for (const name of notes) await connection.dropTable(name);
}

function numberOf(name: string): number {
	return Number(/_(\d+)$/.exec(name)?.[1] ?? 1);
}
