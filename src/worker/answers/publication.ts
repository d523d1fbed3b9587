import { batchesOf } from "../../base/values.ts";
import type { Publication } from "../../core/knowledge/publication.ts";
import { createPortableNames, publish } from "../../graph/publish/publish.ts";
import type { Sight } from "../../retrieve/descriptorLeg.ts";
import type { DocumentReads } from "../../store/port/store.ts";
import type { SourceFiles } from "../files/sources.ts";

const BATCH = 200;

/** Publishes what the chat sees, and nothing else. */
export function createPublication(
	store: DocumentReads,
	sources: SourceFiles,
	sight: () => Sight,
): Publication {
	const open = async () => {
		await store.refresh();
		const records = [...store.documents().entries()].filter(({ quads }) => quads > 0);
		const whole = await sight().whole(records.map(({ uri }) => uri));
		return { records, open: records.filter(({ uri }) => whole.has(uri)) };
	};
	return {
		extent: async () => {
			const { records, open: seen } = await open();
			const statements = seen.reduce((sum, { quads }) => sum + quads, 0);
			return { documents: seen.length, statements, withheld: records.length - seen.length };
		},
		publish: async (target, onProgress, signal) => {
			const uris = (await open()).open.map(({ uri }) => uri);
			const documents = readDocuments(store, uris);
			const names = createPortableNames(sources.folders());
			return publish({ target, names, documents, onProgress }, signal);
		},
	};
}

async function* readDocuments(store: DocumentReads, uris: readonly string[]) {
	for (const batch of batchesOf(uris, BATCH))
		for (const [uri, { quads }] of await store.statementsOf(batch)) yield { uri, quads };
}
