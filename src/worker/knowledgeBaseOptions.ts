import type { Recorder } from "../base/traces/recorder.ts";
import type { SecretQuery, WorkerOptions } from "../protocol/worker.ts";

export interface KnowledgeBaseOptions extends WorkerOptions {
	/** Absolute paths of the programs of the parser's process and of the graph's thread. */
	readonly parserProgram: string;
	readonly sparqlProgram: string;
	/** `undefined` if there is no such secret; without it there are none. */
	readonly secretOf?: (query: SecretQuery) => Promise<string | undefined>;
	/** Hears what happens to the parsers. */
	readonly recorder?: Recorder;
	/** Called after documents came, changed or went. */
	readonly onChange: () => void;
	/** Hears of what no caller waits for. */
	readonly onError: (thrown: unknown) => void;
}
