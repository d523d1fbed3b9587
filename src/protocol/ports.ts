import { wordList } from "../base/words/wordList.ts";
import type { AgentFiles } from "../core/agent/chain.ts";
import type { Catalog } from "../core/knowledge/catalog.ts";
import type { Descriptions } from "../core/knowledge/descriptor.ts";
import type { KnowledgeGraph, Things } from "../core/knowledge/graph.ts";
import type { Knowledge } from "../core/knowledge/knowledge.ts";
import type { Publication } from "../core/knowledge/publication.ts";
import type { PluginFiles } from "../core/plugin/plugin.ts";
import type { Memory } from "../core/session/memory.ts";
import type { Sessions } from "../core/session/session.ts";
import type { IndexData, SessionData } from "../core/storedData.ts";

/** The worker's interfaces. Each method takes plain data, at most one listener, and finally a signal. */
export interface Ports {
	readonly knowledge: Knowledge;
	readonly graph: KnowledgeGraph;
	readonly things: Things;
	readonly catalog: Catalog;
	readonly descriptions: Descriptions;
	readonly publication: Publication;
	readonly sessions: Sessions;
	readonly memory: Memory;
	readonly agents: AgentFiles;
	readonly plugins: PluginFiles;
	readonly indexData: IndexData;
	readonly sessionData: SessionData;
}

export type PortName = keyof Ports;

/** Method names of each port. The client, the server and the lazy starter are built from this list. */
const REQUESTS = {
	knowledge: "search read status index",
	graph: "query check ontology",
	things:
		"describe named pointers notes mentions described find documents neighbours overview path at rename checkShapes prefixes",
	catalog: "browse documents resources explain problems policies reindex pause",
	descriptions: "undescribed describe",
	publication: "extent publish",
	sessions: "append list read search fork delete restore listDeleted",
	memory: "remember recall facts edit forget",
	agents: "registry watch fits rank",
	plugins: "registry watch",
	indexData: "sizes clear",
	sessionData: "sizes clear",
} as const;

type Words<Text extends string> = Text extends `${infer Word} ${infer Rest}` ? Word | Words<Rest> : Text;
type Listed<Name extends PortName> = Words<(typeof REQUESTS)[Name]>;

/** Fails to compile if a port has a method that `REQUESTS` does not list. */
const METHODS: { readonly [Name in PortName]: keyof Ports[Name] extends Listed<Name> ? string : never } =
	REQUESTS;

const PORT_NAMES = Object.keys(METHODS) as PortName[];

export interface Address {
	readonly port: PortName;
	readonly method: string;
}

export const ADDRESSES: readonly Address[] = PORT_NAMES.flatMap((port) =>
	wordList(METHODS[port]).map((method) => ({ port, method })),
);

export function requestName({ port, method }: Address): string {
	return `copilot-ld/${port}/${method}`;
}

export interface CallParams {
	/** Arguments without the signal; `null` in place of the listener. */
	readonly args: readonly unknown[];
	readonly progress?: number;
	/** The caller's span in the format of W3C Trace Context. */
	readonly traceparent?: string;
}

type Call = (address: Address, args: readonly unknown[]) => Promise<unknown>;

export function createPort<Name extends PortName>(port: Name, call: Call): Ports[Name] {
	const methods = wordList(METHODS[port]).map((method) => [
		method,
		(...args: readonly unknown[]) => call({ port, method }, args),
	]);
	return Object.fromEntries(methods);
}

export function createPorts(call: Call): Ports {
	return Object.fromEntries(PORT_NAMES.map((port) => [port, createPort(port, call)])) as {
		[Name in PortName]: never;
	};
}

export function callPort(port: Ports[PortName], method: string, args: readonly unknown[]): Promise<unknown> {
	const call = Reflect.get(port, method) as (...args: readonly unknown[]) => Promise<unknown>;
	return call(...args);
}
