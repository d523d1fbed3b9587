import { existsSync, globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { ParsedDocument, Passage } from "../../src/core/knowledge/document.ts";
import type { Embedder } from "../../src/core/knowledge/embedder.ts";
import { cutPassages } from "../../src/knowledge/passages/passages.ts";
import { splitLines } from "../../src/knowledge/passages/source.ts";
import { verbalize } from "../../src/knowledge/resources/verbalize.ts";
import { createRetriever } from "../../src/retrieve/search.ts";
import { root } from "../paths.ts";
import { type Collection, readCollection } from "./collection.ts";
import { openCorpus, type Rewrite } from "./corpus.ts";
import { judge } from "./judge.ts";
import { runPassages } from "./legRuns.ts";
import { qualityOf } from "./measures.ts";
import { compared, type PointResult } from "./pointResult.ts";
import type { CollectionReport } from "./report.ts";
import { SYSTEMS } from "./systems.ts";

/** Collections of pages that link to each other, some with front matter. */
const LINKED = ["k8s-llm", "awsdocs"];

/** Number of functions of this project to search by name. */
const FUNCTIONS = 100;

/** A list item that consists of a link into its own document. */
const OWN_LINK = /^\s*(?:[-*+]|\d{1,9}[.)])\s+\[[^\]]+\]\(#[^)\s]*\)\s*$/;
const IMPORT = /^(?:import\b|\} from\b|\t(?:type )?\w+,$)/;

const never = new AbortController().signal;

/** Measures the search with passages that the readers omit put back. */
export async function noise(
	data: string,
	embedder: Embedder,
	reports: readonly CollectionReport[],
): Promise<PointResult[]> {
	const linked = LINKED.filter((name) => existsSync(join(data, "ir", name)));
	const [links, contents]: [number, number][][] = [[], []];
	for (const name of linked) {
		const shipped = reports.find((report) => report.name === name)?.systems.shipped.ndcgs ?? [];
		const collection = readCollection(join(data, "ir"), name);
		const ask = async (rewrite: Rewrite) => {
			const run = await runPassages(collection, embedder, { rewrite });
			return judge(SYSTEMS.shipped, run).ndcgs.map((ndcg, index): [number, number] => [
				shipped[index] ?? ndcg,
				ndcg,
			]);
		};
		links?.push(...(await ask(withLinks)));
		contents?.push(...(await ask(withLines(collection, OWN_LINK))));
	}
	const measure = `nDCG@10, all questions of ${linked.join(" and ")}`;
	return [
		compared({ point: 8, remedy: "links of a page are not part of its text", measure }, links ?? []),
		compared({ point: 8, remedy: "tables of contents are not passages", measure }, contents ?? []),
		await findFunctions(embedder),
	];
}

/** The passages of a document, with slugs of all linked things among its facts. */
function withLinks(document: ParsedDocument): readonly Passage[] {
	const own = document.passages.filter(({ resource }) => resource === undefined);
	return [...verbalize(document.resources, document.quads), ...own];
}

/** Adds a passage of the lines of a file that match a pattern. */
function withLines({ files }: Pick<Collection, "files">, pattern: RegExp): Rewrite {
	const texts = new Map(files.map(({ path, text }) => [path, text]));
	return ({ title, passages }, path) => {
		const lines = splitLines(texts.get(path) ?? "").filter(({ text }) => pattern.test(text));
		return [...passages, ...cutPassages(title, lines.length > 1 ? [{ kind: "lines", lines }] : [])];
	};
}

/** Searches this project's files by the words of functions' names, as in "Where is the list of things read". */
async function findFunctions(embedder: Embedder): Promise<PointResult> {
	const files = globSync(join(root, "src", "**", "*.ts"))
		.sort()
		.map((file) => ({ id: file, path: relative(root, file), text: readFileSync(file, "utf8") }));
	const named = files.flatMap(({ id, text }) =>
		[...text.matchAll(/^export (?:async )?function (\w+)/gm)].map(([, name = ""]) => ({ id, name })),
	);
	const step = named.length / FUNCTIONS;
	const asked = named.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
	const ask = async (rewrite?: Rewrite) => {
		const { store, pathOf, idOf, close } = await openCorpus(files, embedder, rewrite);
		const { search } = createRetriever({ store, embedder, pathOf });
		const ndcgs: number[] = [];
		for (const { id, name } of asked) {
			const { hits } = await search({ query: name, limit: 10 }, never);
			const found = [...new Set(hits.map(({ uri }) => idOf(uri)))];
			ndcgs.push(qualityOf(found, new Map([[id, 1]])).ndcg);
		}
		await close();
		return ndcgs;
	};
	const [without, plain] = [await ask(withLines({ files }, IMPORT)), await ask()];
	const measure = "nDCG@10 of the file with a function of this project, by its name";
	const marks = plain.map((ndcg, index) => [ndcg, without[index] ?? 0] as const);
	return compared({ point: 8, remedy: "imports at the top of code are not passages", measure }, marks);
}
