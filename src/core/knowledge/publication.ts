/** Where a graph is published: two addresses of one SPARQL store. */
export interface PublishTarget {
	readonly query: string;
	readonly update: string;
	/** Whether graphs go whose documents are in the index no longer. */
	readonly removes: boolean;
}

export interface PublishExtent {
	readonly documents: number;
	readonly statements: number;
	/** Number of documents omitted because the chat may not see all of them. */
	readonly withheld: number;
}

export interface PublishReport {
	readonly written: number;
	/** Graphs under the names of these folders whose documents are not in the index. */
	readonly obsolete: number;
	readonly unchanged: number;
	readonly statements: number;
	/** Number of statements omitted because they name files outside of the folders. */
	readonly left: number;
}

/** Brings a SPARQL store in step with the statements of the documents that the chat may see: a named graph for each. */
export interface Publication {
	/** Makes no requests. */
	extent(signal: AbortSignal): Promise<PublishExtent>;
	/** If it is cancelled or fails, the next run continues. `onProgress` gets the number of documents checked. */
	publish(
		target: PublishTarget,
		onProgress: (looked: number) => void,
		signal: AbortSignal,
	): Promise<PublishReport>;
}
