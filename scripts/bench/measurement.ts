import type { Load } from "./acp/load.ts";
import type { Times } from "./acp/times.ts";
import type { Latency, Timed } from "./timing.ts";

/** What one program of the benchmark found out about one engine that holds so many passages. */
export interface SearchMeasurement extends Latency {
	readonly engine: string;
	readonly by: "text" | "vector" | "both" | "all legs";
	readonly size: number;
	readonly buildSeconds: number;
	readonly residentMb: number;
}

/** An index of ours that is opened by a new process. */
export interface OpenedMeasurement extends Timed {
	/** Milliseconds from opening what is on the disk to the first answer. */
	readonly reopenMs: number;
	readonly residentMb: number;
}

/** The same for ours, which has more to answer for. */
export interface OwnMeasurement extends SearchMeasurement, OpenedMeasurement {
	/** Of the ten nearest vectors by a full scan, the share that the vector leg finds among its first ten; absent where they are too many to compare. */
	readonly recall?: number;
	/** Searches while documents are being replaced. */
	readonly whileWriting: Latency;
	/** Absent above the size up to which documents are edited one by one. */
	readonly edits?: EditMeasurement;
}

export interface EditMeasurement {
	readonly documents: number;
	/** Milliseconds to replace one document. */
	readonly replace: Latency;
	/** Searches in a fresh index, and in the one that was edited and has rested. */
	readonly before: Latency;
	readonly after: Latency;
	/** Milliseconds from the last edit until the worker has nothing left to tidy up. */
	readonly restMs: number;
	/** Bytes on the disk, in shares of what the fresh index takes: at once after the last edit, and after the rest. */
	readonly atOnceDiskShare: number;
	readonly diskShare: number;
}

/** A folder of files through the worker, over its pipe. */
export interface FilesMeasurement {
	readonly name: string;
	readonly files: number;
	readonly passages: number;
	/** Of the first index, while questions are asked one after the other. */
	readonly indexSeconds: number;
	/** From the start of the process to the end of the first search of the new index. */
	readonly firstAnswerSeconds: number;
	readonly peakMb: number;
	readonly search: Latency;
	/** The same searches inside of one process, without a pipe. */
	readonly withoutPipe: Latency;
	readonly whileIndexing: Latency;
	/** From the beginning of the first indexing until a search finds something. */
	readonly firstHitMs: number;
	/** From the start of a second process, over unchanged files, to the first answer. */
	readonly reopenMs: number;
	/** From a file's save to its being found. */
	readonly editMs: Latency;
}

/** What a worker and its parsers held at a time, in MB; seconds from the first start. */
export interface MemorySample {
	readonly seconds: number;
	readonly workerMb: number;
	readonly parsersMb: number;
}

/** A folder of files from its first index to the second start, by one engine. */
export interface MemoryMeasurement {
	readonly engine: string;
	/** Of the first index, while nobody asks. */
	readonly indexSeconds: number;
	/** Of the index after the rest, and of the files that it was made from. */
	readonly diskBytes: number;
	readonly fileBytes: number;
	readonly samples: readonly MemorySample[];
	/** What began when. */
	readonly phases: readonly { readonly name: string; readonly seconds: number }[];
}

/** Real PDFs, and a real Word document many times, through the worker. */
export interface OfficeMeasurement {
	readonly pages: number;
	readonly pdfSeconds: number;
	/** PDF.js alone, in one process. */
	readonly bareSeconds: number;
	/** As they are packed. */
	readonly docxMegabytes: number;
	/** By two processes that only read. */
	readonly docxReadSeconds: number;
	readonly docxSeconds: number;
}

/** Journals of past sessions, ten turns in each. Milliseconds. */
export interface SessionsMeasurement {
	readonly sessions: number;
	readonly messages: number;
	/** Without anything that was made of the journals before. */
	readonly listFromJournals: number;
	readonly indexing: number;
	readonly listAtStart: number;
	readonly list: Latency;
	readonly search: Latency;
	readonly searchInWorkspace: Latency;
	readonly recall: Latency;
	readonly append: Latency;
	readonly recallAfterAppends: Latency;
	readonly residentMb: number;
	readonly closing: number;
}

/** The link to the Copilot CLI. Milliseconds. */
export interface CliMeasurement {
	/** From a line of the agent to the event of the turn, at 1,000 lines a second. */
	readonly overhead: Times;
	readonly initialize: { readonly firstStart: number; readonly fromCache: Times };
	readonly cancel: Times;
	readonly load: Load;
}

/** Agents, and chains of them. Milliseconds. */
export interface AgentsMeasurement {
	readonly count: number;
	/** Of a process: nothing is compiled or cached yet. */
	readonly firstMs: number;
	readonly discover: Latency;
	/** Where no file has changed since. */
	readonly again: Latency;
	/** Reading the files and their YAML, and nothing else. */
	readonly floor: Latency;
	readonly evaluate: Latency;
	/** With the vectors of the built-in model, among all agents. */
	readonly select: Latency;
	/** What is added to what the engine of a step takes, journals included. */
	readonly step: Latency;
}

/** What the editor asks about names in so many statements, over the pipe. Milliseconds. */
export interface NamesMeasurement {
	readonly statements: number;
	/** With the list of things, which is made for it. */
	readonly firstFindMs: number;
	/** The prefixes and the things that a Turtle file asks for. */
	readonly completion: Latency;
	/** A definition asks the same. */
	readonly hover: Latency;
	readonly hoverOnClass: Latency;
	/** Of a thing that 1,000 files point to. */
	readonly references: Latency;
	/** 300 things around one. */
	readonly neighbourhood: Latency;
	/** The first completion after a file has changed. */
	readonly afterCommit: Latency;
	/** Of that, what the worker's main thread took of the processor. */
	readonly afterCommitWork: Latency;
	readonly renameMs: number;
	readonly renamedFiles: number;
}

/** The picture of the graph, in a browser without a graphics card. Milliseconds. */
export interface PictureMeasurement {
	readonly things: number;
	/** From what the host tells to what is on the screen. */
	readonly first: Latency;
	/** Of that, what the page's own thread took of the processor. */
	readonly work: Latency;
	/** The page itself, before it has any data: from its address to its script's end. */
	readonly load: Latency;
	readonly manyThings: number;
	readonly firstOfMany: Latency;
	/** While a picture of many things is moved. */
	readonly frame: Latency;
	/** From the choice of one of many things to its being marked. */
	readonly choice: Latency;
}

export interface PluginsMeasurement {
	readonly count: number;
	/** Of a process: nothing is compiled or cached yet. */
	readonly firstMs: number;
	readonly load: Latency;
	/** Where no file has changed since. */
	readonly again: Latency;
	/** Of a saved query, beyond the query. */
	readonly call: Latency;
}

/** The built-in model in a process of its own: milliseconds, and MB more than the process had before. */
export interface ModelMeasurement {
	readonly loadMs: number;
	readonly loadedMb: number;
	readonly englishMs: number;
	readonly englishMb: number;
	/** The first text in another language reads the other tokenizer's rows. */
	readonly otherMs: number;
	readonly otherMb: number;
	/** A question's vector. */
	readonly question: Latency;
}

export interface Measurements {
	readonly ours: readonly OwnMeasurement[];
	/** The same where nothing is copied into memory, and LanceDB's indexes are searched. */
	readonly onDisk: readonly OwnMeasurement[];
	readonly peers: readonly SearchMeasurement[];
	readonly files: FilesMeasurement;
	/** In memory, and by LanceDB's indexes. */
	readonly memory: readonly MemoryMeasurement[];
	/** Absent where the data is not there. */
	readonly office?: OfficeMeasurement;
	readonly sessions: SessionsMeasurement;
	readonly cli: CliMeasurement;
	readonly agents: AgentsMeasurement;
	readonly names: NamesMeasurement;
	readonly picture: PictureMeasurement;
	readonly plugins: PluginsMeasurement;
	readonly model: ModelMeasurement;
}
