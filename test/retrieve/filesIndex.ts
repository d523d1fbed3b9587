import type { TestContext } from "node:test";
import type { StaticEmbedder } from "../../src/embed/builtIn/staticEmbedder.ts";
import { createGraph } from "../../src/graph/facts/graph.ts";
import { createRetriever, type Facts } from "../../src/retrieve/search.ts";
import { sampleDocument } from "../store/sampleDocument.ts";
import { openIn } from "../store/temporaryStore.ts";
import { documentOf } from "../support/documents.ts";
import { makeFolder } from "../support/folder.ts";

const ROOT = "file:///files/";

interface Options {
	/** If absent, searches use words and the graph only. */
	readonly embedder?: StaticEmbedder;
	/** Whether the graph has been read. */
	readonly isReady?: boolean;
}

/** Indexes files in this process, which starts much faster than a worker. */
export async function indexFiles(
	t: TestContext,
	files: Readonly<Record<string, string>>,
	{ embedder, isReady = true }: Options = {},
) {
	const store = await openIn(t, await makeFolder(t), { embedder });
	const graph = createGraph();
	for (const [path, text] of Object.entries(files)) {
		const uri = ROOT + path;
		const { title, passages, resources, quads } = await documentOf(uri, text);
		const { record, ...sample } = sampleDocument(path, [], { resources, quads });
		const vectors = await embedder?.embed(passages.map((passage) => `${passage.title}\n${passage.text}`));
		await store.replace([
			{
				...{ ...sample, passages, vectors: vectors ?? new Float32Array(), embedder: embedder?.id },
				record: { ...record, uri, title, hash: text, passages: passages.length },
			},
		]);
		graph.replace(uri, quads);
	}
	const facts: Facts = { graph, ready: async () => isReady, catchUp: () => undefined };
	const pathOf = (uri: string) => uri.slice(ROOT.length);
	return createRetriever({ store, embedder, pathOf, facts, ...(embedder && { words: embedder }) });
}
