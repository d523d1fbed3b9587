import type { Catalog } from "../core/knowledge/catalog.ts";
import type { Descriptions } from "../core/knowledge/descriptor.ts";
import type { KnowledgeGraph } from "../core/knowledge/graph.ts";
import type { Knowledge } from "../core/knowledge/knowledge.ts";
import { ask, type Pipe } from "./pipe.ts";
import * as protocol from "./worker.ts";

/** The same questions, asked over a pipe. A pipe that closes rejects what is open with `WORKER_STOPPED`. */
export function createWorkerClient(pipe: Pipe): Knowledge {
	let runs = 0;
	return {
		search: (query, signal) => ask(pipe, { type: protocol.search, params: query }, signal),
		read: (query, signal) => ask(pipe, { type: protocol.read, params: query }, signal),
		status: (signal) => ask(pipe, { type: protocol.status, params: {} }, signal),
		index: async ({ rebuild }, onProgress, signal) => {
			const progress = ++runs;
			const subscription = pipe.onProgress(protocol.indexProgress, progress, onProgress);
			try {
				return await ask(pipe, { type: protocol.index, params: { rebuild, progress } }, signal);
			} finally {
				subscription.dispose();
			}
		},
	};
}

/** The graph over a pipe. */
export function createGraphClient(pipe: Pipe): KnowledgeGraph {
	return {
		query: (query, signal) => ask(pipe, { type: protocol.queryGraph, params: query }, signal),
		check: (query, signal) => ask(pipe, { type: protocol.checkQuery, params: query }, signal),
		ontology: (query, signal) => ask(pipe, { type: protocol.describeOntology, params: query }, signal),
	};
}

/** The descriptions over a pipe. */
export function createDescriptionsClient(pipe: Pipe): Descriptions {
	return {
		undescribed: (limit, signal) => ask(pipe, { type: protocol.undescribed, params: { limit } }, signal),
		describe: (hash, descriptor, signal) =>
			ask(pipe, { type: protocol.describe, params: { hash, descriptor } }, signal),
	};
}

/** The catalog over a pipe. */
export function createCatalogClient(pipe: Pipe): Catalog {
	return {
		browse: (uri, signal) => ask(pipe, { type: protocol.browse, params: { uri } }, signal),
		resources: (uri, signal) => ask(pipe, { type: protocol.resources, params: { uri } }, signal),
		explain: (uri, signal) => ask(pipe, { type: protocol.explain, params: { uri } }, signal),
		problems: (of, signal) => ask(pipe, { type: protocol.problems, params: { of } }, signal),
		reindex: (uris, signal) => ask(pipe, { type: protocol.reindex, params: { uris } }, signal),
		pause: (paused, signal) => ask(pipe, { type: protocol.pauseIndexing, params: { paused } }, signal),
		policies: (signal) => ask(pipe, { type: protocol.policies, params: {} }, signal),
	};
}
