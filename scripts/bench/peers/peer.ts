/** Input of every engine: texts, and their unit vectors in one array. */
export interface PeerData {
	readonly texts: readonly string[];
	readonly vectors: Float32Array;
	readonly dimensions: number;
	/** An empty folder for engines that write files. */
	readonly folder: string;
}

export interface Question {
	readonly text: string;
	readonly vector: Float32Array;
}

/** Number of results of every search. */
export const TOP = 10;

/** An engine filled with data. */
interface OpenPeer {
	/** Number of texts reported by the engine. */
	count(): number | Promise<number>;
	/** The numbers of the best texts, or the texts themselves. */
	search(question: Question): unknown;
	close(): void | Promise<void>;
}

export interface Peer {
	readonly name: string;
	/** The part of the question that the engine searches by. */
	readonly by: "text" | "vector" | "both";
	/** Maximum number of texts: more take minutes to build, or too much memory. */
	readonly most: number;
	open(data: PeerData): OpenPeer | Promise<OpenPeer>;
}
