import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ParsedDocument, Passage } from "../../src/core/knowledge/document.ts";
import type { Embedder } from "../../src/core/knowledge/embedder.ts";
import { createGraph, type Graph } from "../../src/graph/facts/graph.ts";
import { parseDocument } from "../../src/knowledge/formats.ts";
import { openStore } from "../../src/store/openStore.ts";
import type { Store, StoredDocument } from "../../src/store/port/store.ts";
import type { CorpusFile } from "./collection.ts";

/** Number of documents indexed at once. */
const BATCH = 500;

const ROOT = "file:///corpus/";

/** A file, which may be binary. */
type File = Omit<CorpusFile, "text"> & { readonly text: string | Uint8Array };

export type Rewrite = (document: ParsedDocument, path: string) => readonly Passage[];

/** Files indexed like in the extension, in a folder that `close` deletes. */
export interface Corpus {
	readonly store: Store;
	/** The statements of all files. */
	readonly graph: Graph;
	idOf(uri: string): string;
	pathOf(uri: string): string;
	close(): Promise<void>;
}

/** Indexes files; `rewrite` may replace the passages of a file. */
export async function openCorpus(
	files: readonly File[],
	embedder: Embedder,
	rewrite: Rewrite = ({ passages }) => passages,
): Promise<Corpus> {
	const folder = await mkdtemp(join(tmpdir(), "copilot-ld-eval-"));
	const store = await openStore({ folder, embedder });
	const graph = createGraph();
	const ids = new Map(files.map(({ id, path }) => [uriOf(path), id]));
	for (let start = 0; start < files.length; start += BATCH) {
		const batch = files.slice(start, start + BATCH);
		const documents = await Promise.all(batch.map((file) => toStored(file, embedder, rewrite)));
		for (const { record, quads } of documents) graph.replace(record.uri, quads);
		await store.replace(documents);
	}
	await store.optimize();
	return {
		...{ store, graph },
		idOf: (uri) => ids.get(uri) ?? uri,
		pathOf: (uri) => decodeURIComponent(uri.slice(ROOT.length)),
		close: async () => {
			await store.close();
			await rm(folder, { recursive: true });
		},
	};
}

function uriOf(path: string): string {
	return ROOT + path.split("/").map(encodeURIComponent).join("/");
}

async function toStored({ path, text }: File, embedder: Embedder, rewrite: Rewrite): Promise<StoredDocument> {
	const uri = uriOf(path);
	const bytes = Buffer.from(text);
	const outcome = await parseDocument(uri, bytes);
	if ("skipped" in outcome) throw new Error(`${path} was skipped: ${outcome.skipped}.`);
	const { document, format } = outcome;
	const passages = rewrite(document, path);
	const vectors = await embedder.embed(passages.map(({ title, text }) => `${title}\n${text}`));
	return {
		record: {
			...{ uri, format, size: bytes.length, modifiedMs: 0, state: { kind: "indexed" } },
			hash: createHash("sha256").update(bytes).digest("hex"),
			...countsOf(document),
		},
		...{ passages, vectors, embedder: embedder.id, resources: document.resources, quads: document.quads },
	};
}

function countsOf({ title, passages, resources, quads, problems }: ParsedDocument) {
	return {
		...{ title, problems },
		...{ passages: passages.length, resources: resources.length, quads: quads.length },
	};
}
