import { failureOf } from "../../base/failure.ts";
import type { Lock } from "../../base/files/lock.ts";
import { createMutex } from "../../base/jobs/mutex.ts";
import type { Descriptions, DocumentDigest } from "../../core/knowledge/descriptor.ts";
import type { Model } from "../../embed/model.ts";
import type { Sight } from "../../retrieve/descriptorLeg.ts";
import { createDescriptorIndex, type DescriptorIndex, textOf } from "../../search/descriptorIndex.ts";
import type { Descriptors, EmbedderId, Store, StoredPassage } from "../../store/port/store.ts";
import { type Models, requireSame } from "../embedding/models.ts";
import { requireLock } from "../indexing/requireLock.ts";

/** Number of characters at the beginning of a document that the model gets. */
const BEGINNING = 6000;

/** Offers only documents that the chat may see completely, because a language model reads their text. */
export function createDescriptions(store: Store, sight: () => Sight, lock: Lock): Descriptions {
	return {
		undescribed: async (limit, signal) => {
			// Check the lock first: do not pay for descriptions that cannot be stored.
			await requireLock(lock, "describe");
			await store.refresh();
			const described = await store.descriptors();
			const records = [...store.documents().records()].filter(
				({ hash, passages }) => passages > 0 && hash !== "" && !described.has(hash),
			);
			const whole = await sight().whole(records.map(({ uri }) => uri));
			const open = new Map(records.filter(({ uri }) => whole.has(uri)).map((each) => [each.hash, each]));
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

/** Omits a heading that repeats the heading of the previous passage. */
function beginningOf(passages: readonly StoredPassage[]): string {
	const texts = passages.map(({ title, text }, index) =>
		title === passages[index - 1]?.title ? text : `${title}\n${text}`,
	);
	return texts.join("\n\n").slice(0, BEGINNING);
}

interface Loaded {
	readonly index: DescriptorIndex;
	readonly descriptors: Descriptors;
	readonly embedder: EmbedderId | undefined;
	readonly vectors: Map<string, Float32Array>;
}

/** The built-in model embeds descriptions at once; until a slower one is done, only words find them. */
export function createDescriptorKeeper(store: Store, models: Models, onError: (thrown: unknown) => void) {
	const closing = new AbortController();
	let loaded: Loaded | undefined;
	const steps = createMutex();
	let filling: Promise<void> = Promise.resolve();
	let trouble: readonly string[] = [];
	return {
		current: () => steps.run(bringUp),
		read,
		notices: () => trouble,
		close: async () => {
			closing.abort();
			await Promise.all([steps.idle(), filling]);
		},
	};

	async function bringUp(): Promise<DescriptorIndex | undefined> {
		const descriptors = await read();
		if (descriptors.size === 0) return undefined;
		if (!loaded || isOther(loaded, descriptors, store.embedder())) loaded = begin(store.embedder());
		if (loaded.descriptors !== descriptors) loaded = await takeIn(loaded, descriptors);
		return loaded.index;
	}

	async function takeIn(before: Loaded, descriptors: Descriptors): Promise<Loaded> {
		const { embedder } = before;
		const model = embedder && models.find(embedder.id);
		const now = { ...before, descriptors };
		if (model && models.isBuiltIn(model.id)) await learnVectors(now, model, closing.signal);
		else if (model)
			filling = filling
				.then(() => fill(now, model))
				.catch((thrown) => {
					if (!closing.signal.aborted) onError(thrown);
				});
		return addMissing(now);
	}

	async function fill(before: Loaded, model: Model): Promise<void> {
		await learnVectors(before, model, closing.signal);
		if (loaded?.vectors !== before.vectors) return;
		// Descriptors that were added during this call get vectors at the next call.
		loaded = addMissing({ ...loaded, index: createDescriptorIndex(before.embedder?.dimensions ?? 0) });
	}

	/** Never rejects: if the descriptors cannot be read, searches run without descriptors. */
	async function read(): Promise<Descriptors> {
		try {
			const descriptors = await store.descriptors();
			trouble = [];
			return descriptors;
		} catch (thrown) {
			trouble = [`Descriptions written by language models were left out. ${failureOf(thrown).message}`];
			return new Map();
		}
	}
}

/** Whether a new index is needed: the model has changed, or unreadable descriptors were deleted. */
function isOther({ embedder, index }: Loaded, descriptors: Descriptors, now: EmbedderId | undefined) {
	if (index.size > descriptors.size) return true;
	return embedder?.id !== now?.id || embedder?.dimensions !== now?.dimensions;
}

function begin(embedder: EmbedderId | undefined): Loaded {
	const index = createDescriptorIndex(embedder?.dimensions ?? 0);
	return { index, embedder, descriptors: new Map(), vectors: new Map() };
}

async function learnVectors(loaded: Loaded, model: Model, signal: AbortSignal): Promise<void> {
	const { descriptors, embedder, vectors: known } = loaded;
	const missing = [...descriptors].filter(([hash]) => !known.has(hash));
	if (missing.length === 0) return;
	const texts = missing.map(([, descriptor]) => textOf(descriptor));
	const vectors = await model.passages(texts, signal);
	const dimensions = embedder?.dimensions ?? 0;
	requireSame(vectors, texts.length, { id: model.id, dimensions });
	for (const [at, [hash]] of missing.entries())
		known.set(hash, vectors.subarray(at * dimensions, (at + 1) * dimensions));
}

function addMissing(loaded: Loaded): Loaded {
	const { index, descriptors, vectors } = loaded;
	for (const [hash, descriptor] of descriptors)
		if (!index.has(hash)) index.add(hash, descriptor, vectors.get(hash) ?? new Float32Array());
	return loaded;
}
