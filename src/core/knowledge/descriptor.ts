/** A model's description of what a document is good for, to find it by. Untrusted: never shown as its own, never cited. */
export interface Descriptor {
	readonly purpose: string;
	/** When to turn to it. */
	readonly applicability: string;
	/** By what one sees that it helped. */
	readonly evaluation: string;
}

/** What a model is shown of a document that has no descriptor yet. */
export interface DocumentDigest {
	/** SHA-256 of the bytes that the digest is of, hex. */
	readonly hash: string;
	readonly title: string;
	/** Its beginning. */
	readonly text: string;
}

/** Descriptors by content hash: moved files keep theirs. Both methods reject with READ_ONLY or BUSY if nothing can be written. */
export interface Descriptions {
	/** Up to `limit` contents without a descriptor, all of them fully visible to the chat. */
	undescribed(
		limit: number,
		signal: AbortSignal,
	): Promise<{ readonly documents: readonly DocumentDigest[]; readonly total: number }>;
	/** Keeps the descriptor of a content, and lets its documents be found by it. The first that there is stays. */
	describe(hash: string, descriptor: Descriptor, signal: AbortSignal): Promise<void>;
}
