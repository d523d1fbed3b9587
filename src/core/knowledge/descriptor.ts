/** A model's description of a document, used only to find the document. Untrusted: never shown or cited. */
export interface Descriptor {
	readonly purpose: string;
	/** Situations in which the document is useful. */
	readonly applicability: string;
	/** Signs that the document helped. */
	readonly evaluation: string;
}

export interface DocumentDigest {
	/** SHA-256 of the document's bytes, in hex. */
	readonly hash: string;
	readonly title: string;
	readonly text: string;
}

/** Descriptors by content hash. Both methods reject with READ_ONLY or BUSY if writing is impossible. */
export interface Descriptions {
	/**
	 * Up to `limit` documents without a descriptor that the chat may see completely. `total` counts all such
	 * documents.
	 */
	undescribed(
		limit: number,
		signal: AbortSignal,
	): Promise<{ readonly documents: readonly DocumentDigest[]; readonly total: number }>;
	/** Saves the descriptor of all documents with this hash. An existing descriptor is kept. */
	describe(hash: string, descriptor: Descriptor, signal: AbortSignal): Promise<void>;
}
