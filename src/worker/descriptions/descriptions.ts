import type { Lock } from "../../base/files/lock.ts";
import type { Descriptions, DocumentDigest } from "../../core/knowledge/descriptor.ts";
import type { Sight } from "../../retrieve/descriptorLeg.ts";
import type { Store, StoredPassage } from "../../store/port/store.ts";
import { requireLock } from "../indexing/requireLock.ts";

/** Characters of a document's beginning that a model is shown. */
const BEGINNING = 6000;

export interface DescriptionPorts {
	readonly store: Store;
	/** What the chat sees: nothing else goes to its model. */
	readonly sight: () => Sight;
	readonly lock: Lock;
}

/** Hands out what is to be described, and keeps what was said of it. */
export function createDescriptions({ store, sight, lock }: DescriptionPorts): Descriptions {
	return {
		undescribed: async (limit, signal) => {
			// Nothing is paid for that could not be kept.
			await requireLock(lock, "describe");
			await store.refresh();
			const described = await store.descriptors();
			const records = [...store.documents().records()].filter(
				({ hash, passages }) => passages > 0 && hash !== "" && !described.has(hash),
			);
			const whole = await sight().whole(records.map(({ uri }) => uri));
			const open = new Map(
				records.filter(({ uri }) => whole.has(uri)).map((record) => [record.hash, record]),
			);
			const documents: DocumentDigest[] = [];
			for (const { uri, hash, title } of [...open.values()].slice(0, limit)) {
				signal.throwIfAborted();
				documents.push({ hash, title, text: beginningOf(await store.passagesOf(uri)) });
			}
			return { documents, total: open.size };
		},
		describe: async (hash, descriptor) => {
			await requireLock(lock, "describe");
			await store.describe(hash, descriptor);
		},
	};
}

/** A heading that is the same as before is not said again. */
function beginningOf(passages: readonly StoredPassage[]): string {
	const texts = passages.map(({ title, text }, index) =>
		title === passages[index - 1]?.title ? text : `${title}\n${text}`,
	);
	return texts.join("\n\n").slice(0, BEGINNING);
}
