/** What every engine is given: texts with their unit vectors, one after the other. */
export interface PeerData {
	readonly texts: readonly string[];
	readonly vectors: Float32Array;
	readonly dimensions: number;
	/** An empty folder, for those that keep files. */
	readonly folder: string;
}

export interface Question {
	readonly text: string;
	readonly vector: Float32Array;
}

/** How many results every search gives. */
export const TOP = 10;

/** An engine with its data in it. */
interface OpenPeer {
	/** How many texts it says that it holds. */
	count(): number | Promise<number>;
	/** The numbers of the best texts, or the texts themselves. */
	search(question: Question): unknown;
	close(): void | Promise<void>;
}

export interface Peer {
	readonly name: string;
	/** What it searches by. */
	readonly by: "text" | "vector" | "both";
	/** Above this many texts it takes minutes to build, or more memory than there is. */
	readonly most: number;
	open(data: PeerData): OpenPeer | Promise<OpenPeer>;
}
