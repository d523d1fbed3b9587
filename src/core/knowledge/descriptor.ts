/**
 * What a document is good for, in the words of a language model: more words to find it by. Untrusted text, which is
 * never shown as the document's own and never cited. The three questions are those of Copilot-LD's descriptors.
 */
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

interface Undescribed {
	/** Some of them. */
	readonly documents: readonly DocumentDigest[];
	/** How many there are. */
	readonly total: number;
}

/**
 * Descriptors are kept by the content that they describe: a file that is only moved keeps its own, and files of the same
 * content share one. Both methods reject with READ_ONLY or BUSY where nothing may be written here.
 */
export interface Descriptions {
	/** At most so many contents without a descriptor; only such as the chat may see the whole of. */
	undescribed(limit: number, signal: AbortSignal): Promise<Undescribed>;
	/** Keeps the descriptor of a content, and lets its documents be found by it. The first that there is stays. */
	describe(hash: string, descriptor: Descriptor, signal: AbortSignal): Promise<void>;
}
