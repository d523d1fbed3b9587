import type { LineRange } from "../../core/knowledge/citation.ts";
import type { Embedder, WordModel } from "../../core/knowledge/embedder.ts";
import type { Things } from "../../core/knowledge/graph.ts";
import type { DescriptorPorts, Sight } from "../../retrieve/descriptorLeg.ts";
import type { Reads } from "../../store/port/store.ts";
import type { Parser, ParserPool } from "../parsing/parserProcess.ts";
import type { StoreGraph } from "./storeGraph.ts";

/** The same questions, without the channel: each channel has its own graph. */
export type DoorThings = {
	readonly [Name in keyof Things]: (
		query: Omit<Parameters<Things[Name]>[0], "door">,
		signal: AbortSignal,
	) => ReturnType<Things[Name]>;
};

export interface CommonPorts {
	readonly descriptors: DescriptorPorts["index"];
	readonly embedder: Embedder | undefined;
	readonly pathOf: (uri: string) => string;
	readonly sparqlProgram: string;
	/** Read files again as they would be with another name. */
	readonly parsers: ParserPool;
	readonly validator: Parser;
	/** Absent without a model in this process. */
	readonly words?: WordModel;
}

export interface AnswerPorts extends CommonPorts {
	readonly store: Reads;
	readonly sight: Sight;
	readonly storeGraph: StoreGraph;
	/** Lines of a file that must not be shown; `undefined` if no rule hides parts of it. */
	readonly hiddenLines: (uri: string) => Promise<readonly LineRange[] | undefined>;
}
