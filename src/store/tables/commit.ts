import type { Table } from "@lancedb/lancedb";
import { messageOf } from "../../base/failure.ts";

const MOST_TRIES = 5;

const CONFLICT = /Retryable commit conflict|Incompatible transaction/;

/** Writes to a table; where another process was faster, it writes again on top of that. */
export async function commit<Result>(table: Table, write: () => Promise<Result>): Promise<Result> {
	for (let tries = 1; ; tries++) {
		try {
			return await write();
		} catch (error) {
			if (tries === MOST_TRIES || !CONFLICT.test(messageOf(error))) throw error;
			await table.checkoutLatest();
		}
	}
}
