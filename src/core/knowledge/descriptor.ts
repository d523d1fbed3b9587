/** A model's description of a document's purpose, only to find it. Untrusted: never shown or cited. */
export interface Descriptor {
	readonly purpose: string;
	/** When the document is useful. */
	readonly applicability: string;
	/** Signs that the document helped. */
	readonly evaluation: string;
}

/** The part of a document from which a model writes its descriptor. */
export interface DocumentDigest {
	/** SHA-256 of the document's bytes, in hex. */
	readonly hash: string;
	readonly title: string;
	/** The beginning of the document's text. */
	readonly text: string;
}

/** Descriptors by content hash. Both methods reject with READ_ONLY or BUSY if writing is impossible. */
export interface Descriptions {
	/** Up to `limit` contents without a descriptor; only contents that the chat may see completely. */
	undescribed(
		limit: number,
		signal: AbortSignal,
	): Promise<{ readonly documents: readonly DocumentDigest[]; readonly total: number }>;
	/** Saves a content's descriptor and makes its documents searchable by it. An existing one is kept. */
	describe(hash: string, descriptor: Descriptor, signal: AbortSignal): Promise<void>;
}
