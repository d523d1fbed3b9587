import type { Table as LanceTable } from "@lancedb/lancedb";
import type { Table } from "apache-arrow";
import { Failure, messageOf } from "../../base/failure.ts";

/** Runs a reading step of LanceDB; what it cannot read becomes a failure that a person can act on. */
export async function readIndex<Result>(step: () => Promise<Result>): Promise<Result> {
	try {
		return await step();
	} catch (cause) {
		throw toUnreadable(cause);
	}
}

export function toUnreadable(cause: unknown): Failure {
	if (cause instanceof Failure) return cause;
	const [reason = ""] = messageOf(cause).split("\n");
	return new Failure(
		"STORE_UNREADABLE",
		`The index cannot be read (${reason}). Run "Copilot-LD: Rebuild Index".`,
		{ cause },
	);
}

/** A query that can be run: every query of LanceDB is one. */
interface ArrowQuery {
	toArrow(): Promise<Table>;
}

export function runQuery(query: ArrowQuery): Promise<Table> {
	return readIndex(() => query.toArrow());
}

export function quote(value: string): string {
	return `'${value.replaceAll("'", "''")}'`;
}

/** `column IN (…)` for numbers or for literals that are already quoted. */
export function isOneOf(column: string, values: readonly (string | number)[]): string {
	return values.length > 0 ? `${column} IN (${values.join(", ")})` : "false";
}

const MOST_TRIES = 5;

const CONFLICT = /Retryable commit conflict|Incompatible transaction/;

/** Writes to a table; where another process was faster, it writes again on top of that. */
export async function commit<Result>(table: LanceTable, write: () => Promise<Result>): Promise<Result> {
	for (let tries = 1; ; tries++) {
		try {
			return await write();
		} catch (error) {
			if (tries === MOST_TRIES || !CONFLICT.test(messageOf(error))) throw error;
			await table.checkoutLatest();
		}
	}
}
