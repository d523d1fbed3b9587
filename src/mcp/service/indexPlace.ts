import { setTimeout } from "node:timers/promises";
import { coalesce } from "../../base/jobs/coalesce.ts";
import type { Ports } from "../../protocol/ports.ts";
import type { Readiness } from "../../protocol/readiness.ts";
import type { IndexPlace } from "../../tools/knowledge/describeOntology.ts";

const CHANGES_MS = 1000;

/** Tells one listener of changes, at most once a second. */
export function createChanges(signal: AbortSignal) {
	let listener: (() => void) | undefined;
	const tell = coalesce(async () => {
		listener?.();
		await setTimeout(CHANGES_MS, undefined, { signal, ref: false }).catch(() => undefined);
	});
	const onChange = (added: () => void) => {
		listener = added;
	};
	return { tell, onChange };
}

export function createIndexPlace({ knowledge, things }: Ports, readiness: Readiness): IndexPlace {
	return {
		state: async (signal) => {
			const [{ state }, { indexed: documents, unindexed }] = await Promise.all([
				knowledge.status(signal),
				things.documents({ words: "", limit: 0, door: "mcp" }, signal),
			]);
			return { state, documents, unindexed };
		},
		refresh: async (signal) => {
			readiness.forget();
			return (await readiness.begin(() => undefined, signal)).notices;
		},
	};
}
