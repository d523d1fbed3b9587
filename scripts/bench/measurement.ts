import type { Load } from "./acp/load.ts";
import type { Times } from "./acp/times.ts";
import type { Latency, Timed } from "./timing.ts";

/** Results of one engine with a number of passages. */
export interface SearchMeasurement extends Latency {
	readonly engine: string;
	readonly by: "text" | "vector" | "both" | "all legs";
	readonly size: number;
	readonly buildSeconds: number;
	readonly residentMb: number;
}

/** Results of opening one of our indexes in a new process. */
export interface OpenedMeasurement extends Timed {
	/** Milliseconds from opening the index on disk to the first answer. */
	readonly reopenMs: number;
	readonly residentMb: number;
}

/** Results of our own engine. */
export interface OwnMeasurement extends SearchMeasurement, OpenedMeasurement {
	/** Recall@10 of the vector leg against a full scan; absent if there are too many vectors to compare. */
	readonly recall?: number;
	/** Latency of searches while documents are being replaced. */
	readonly whileWriting: Latency;
	/** Absent for indexes too large to measure edits. */
	readonly edits?: EditMeasurement;
}

export interface EditMeasurement {
	readonly documents: number;
	/** Milliseconds to replace one document. */
	readonly replace: Latency;
	/** Latency of searches in a new index. */
	readonly before: Latency;
	readonly after: Latency;
	/** Milliseconds from the last edit until the worker has finished tidying up. */
	readonly restMs: number;
	/** Bytes on disk right after the last edit, relative to a new index. */
	readonly atOnceDiskShare: number;
	readonly diskShare: number;
}

/** Results of a folder of files through the worker, over its pipe. */
export interface FilesMeasurement {
	readonly name: string;
	readonly files: number;
	readonly passages: number;
	/** Seconds for the first index while questions are asked one by one. */
	readonly indexSeconds: number;
	/** Seconds from the start of the process to the end of the first search in the new index. */
	readonly firstAnswerSeconds: number;
	readonly peakMb: number;
	readonly search: Latency;
	/** Latency of the same searches in one process, without a pipe. */
	readonly withoutPipe: Latency;
	readonly whileIndexing: Latency;
	/** Milliseconds from the start of indexing until a search finds something. */
	readonly firstHitMs: number;
	/** Milliseconds from the start of a second process, with unchanged files, to the first answer. */
	readonly reopenMs: number;
	/** Milliseconds from saving a file until it is found. */
	readonly editMs: Latency;
}

/** Memory of a worker and its parsers in MB, at a number of seconds after the first start. */
export interface MemorySample {
	readonly seconds: number;
	readonly workerMb: number;
	readonly parsersMb: number;
}

/** Memory of one engine from the first index of a folder to the second start. */
export interface MemoryMeasurement {
	readonly engine: string;
	/** Seconds for the first index without questions. */
	readonly indexSeconds: number;
	/** Size of the index on disk after the rest. */
	readonly diskBytes: number;
	readonly fileBytes: number;
	readonly samples: readonly MemorySample[];
	/** Names of the phases and their starts. */
	readonly phases: readonly { readonly name: string; readonly seconds: number }[];
}

/** Results of indexing real PDFs, and many copies of a real Word document. */
export interface OfficeMeasurement {
	readonly pages: number;
	readonly pdfSeconds: number;
	/** Seconds of PDF.js alone, in one process. */
	readonly bareSeconds: number;
	/** Size of the compressed files. */
	readonly docxMegabytes: number;
	/** Seconds for two processes that only read. */
	readonly docxReadSeconds: number;
	readonly docxSeconds: number;
}

/** Journals of past sessions, ten turns in each. Milliseconds. */
export interface SessionsMeasurement {
	readonly sessions: number;
	readonly messages: number;
	/** Time to list sessions without an index. */
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
	/** Time from a line of the agent to the event of the turn, at 1,000 lines a second. */
	readonly overhead: Times;
	readonly initialize: { readonly firstStart: number; readonly fromCache: Times };
	readonly cancel: Times;
	readonly load: Load;
}

/** Agents, and chains of them. Milliseconds. */
export interface AgentsMeasurement {
	readonly count: number;
	/** Time in a new process, with nothing compiled or cached. */
	readonly firstMs: number;
	readonly discover: Latency;
	/** Time if no file has changed since. */
	readonly again: Latency;
	/** Time to read the files and parse their YAML only. */
	readonly floor: Latency;
	readonly evaluate: Latency;
	/** Time to select among all agents with vectors of the built-in model. */
	readonly select: Latency;
	/** Overhead of a step over its engine, including the journals. */
	readonly step: Latency;
}

/** The editor's queries about names, over the pipe. Milliseconds. */
export interface NamesMeasurement {
	readonly statements: number;
	/** Time of the first search, which builds the list of things. */
	readonly firstFindMs: number;
	/** Completion of prefixes and things in a Turtle file. */
	readonly completion: Latency;
	/** Hovers; definitions send the same query. */
	readonly hover: Latency;
	readonly hoverOnClass: Latency;
	/** References to a thing in 1,000 files. */
	readonly references: Latency;
	/** 300 things around one thing. */
	readonly neighbourhood: Latency;
	/** The first completion after a file has changed. */
	readonly afterCommit: Latency;
	/** The part of `afterCommit` that is processor time of the worker's main thread. */
	readonly afterCommitWork: Latency;
	readonly renameMs: number;
	readonly renamedFiles: number;
}

/** The picture of the graph, in a browser without a graphics card. Milliseconds. */
export interface PictureMeasurement {
	readonly things: number;
	/** Time from the host's message until the picture is on the screen. */
	readonly first: Latency;
	/** The part of `first` that is processor time of the page's main thread. */
	readonly work: Latency;
	/** Time from opening the page without data to the end of its script. */
	readonly load: Latency;
	readonly manyThings: number;
	readonly firstOfMany: Latency;
	/** Time of a frame while a picture of many things is moved. */
	readonly frame: Latency;
	/** Time from choosing one of many things until it is marked. */
	readonly choice: Latency;
}

export interface PluginsMeasurement {
	readonly count: number;
	/** Time in a new process, with nothing compiled or cached. */
	readonly firstMs: number;
	readonly load: Latency;
	/** Time if no file has changed since. */
	readonly again: Latency;
	/** Overhead of a saved query over the query. */
	readonly call: Latency;
}

/** The built-in model in its own process: milliseconds, and additional memory in MB. */
export interface ModelMeasurement {
	readonly loadMs: number;
	readonly loadedMb: number;
	readonly englishMs: number;
	readonly englishMb: number;
	/** The first text in another language reads the other tokenizer's rows. */
	readonly otherMs: number;
	readonly otherMb: number;
	/** Time to embed a question. */
	readonly question: Latency;
}

export interface Measurements {
	readonly ours: readonly OwnMeasurement[];
	/** Results without copies in memory, searching LanceDB's indexes. */
	readonly onDisk: readonly OwnMeasurement[];
	readonly peers: readonly SearchMeasurement[];
	readonly files: FilesMeasurement;
	/** Results of the engine in memory and of LanceDB's indexes. */
	readonly memory: readonly MemoryMeasurement[];
	/** Absent if the data is missing. */
	readonly office?: OfficeMeasurement;
	readonly sessions: SessionsMeasurement;
	readonly cli: CliMeasurement;
	readonly agents: AgentsMeasurement;
	readonly names: NamesMeasurement;
	readonly picture: PictureMeasurement;
	readonly plugins: PluginsMeasurement;
	readonly model: ModelMeasurement;
}
