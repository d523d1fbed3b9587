/** Where a graph is published: two addresses of one SPARQL store. */
export interface PublishTarget {
	/** Takes SPARQL 1.1 Query. */
	readonly query: string;
	/** Takes SPARQL 1.1 Update. */
	readonly update: string;
	/** Whether graphs go whose documents are in the index no longer. */
	readonly removes: boolean;
}

export interface PublishExtent {
	readonly documents: number;
	readonly statements: number;
	/** Documents that are left out, because the chat may not see them whole. */
	readonly withheld: number;
}

export interface PublishReport {
	readonly written: number;
	/** Graphs under the names of these folders whose documents are not in the index. */
	readonly obsolete: number;
	readonly unchanged: number;
	readonly statements: number;
	/** Statements that are left out, because they name files outside of the folders. */
	readonly left: number;
}

/** Brings a SPARQL store in step with the statements of the documents that the chat may see: a named graph for each. */
export interface Publication {
	/** Contacts nobody. */
	extent(signal: AbortSignal): Promise<PublishExtent>;
	/** What it has written stays where it is cancelled or fails; the next run goes on. Hears how many documents were looked at. */
	publish(
		target: PublishTarget,
		onProgress: (looked: number) => void,
		signal: AbortSignal,
	): Promise<PublishReport>;
}
