export interface PublishTarget {
	readonly query: string;
	readonly update: string;
	/** Whether to remove graphs whose documents are no longer in the index. */
	readonly removes: boolean;
}

export interface PublishExtent {
	readonly documents: number;
	readonly statements: number;
	/** Number of documents omitted because the chat may not see the whole document. */
	readonly withheld: number;
}

export interface PublishReport {
	readonly written: number;
	/** Number of graphs in the store whose documents belong to these folders but are not in the index. */
	readonly obsolete: number;
	readonly unchanged: number;
	readonly statements: number;
	/** Number of statements omitted because of names of files outside of the folders. */
	readonly left: number;
}

/** Updates a SPARQL store with the statements that the chat may see, in one named graph per document. */
export interface Publication {
	extent(signal: AbortSignal): Promise<PublishExtent>;
	/** After an interruption, the next call continues. `onProgress` gets the number of checked documents. */
	publish(
		target: PublishTarget,
		onProgress: (looked: number) => void,
		signal: AbortSignal,
	): Promise<PublishReport>;
}
