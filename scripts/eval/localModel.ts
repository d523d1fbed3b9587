import { join } from "node:path";
import type { Embedder } from "../../src/core/knowledge/embedder.ts";
import { type Collection, collectionNames, readCollection } from "./collection.ts";
import { judge } from "./judge.ts";
import { runPassages } from "./legRuns.ts";
import { meanOf } from "./measures.ts";
import { SYSTEMS } from "./systems.ts";
import { openTransformer } from "./transformerVectors.ts";

/**
 * A Markdown table of nDCG@10 without vectors, with the built-in model, and with a local model, all other legs on.
 * Collections with saved vectors take seconds.
 */
export async function compareModel(
	folder: string,
	{
		data,
		names,
		builtIn,
	}: { readonly data: string; readonly names: readonly string[]; readonly builtIn: Embedder },
): Promise<string> {
	const local = await openTransformer(folder);
	const rows: number[][] = [];
	const wanted = collectionNames(join(data, "ir")).filter(
		(name) => names.length === 0 || names.includes(name),
	);
	for (const name of wanted) {
		const collection = readCollection(join(data, "ir"), name);
		const [without, shipped] = await figuresOf(collection, { embedder: builtIn, words: builtIn });
		const [, stronger] = await figuresOf(collection, {
			embedder: local.passages,
			questions: local.questions,
			words: builtIn,
		});
		rows.push([without, shipped, stronger]);
		console.log(`▸ ${name}: ${rows.at(-1)?.map(figure).join(" ")}`);
	}
	const lines = rows.map((row, index) => [wanted[index], ...row.map(figure)]);
	const means = [0, 1, 2].map((column) => figure(meanOf(rows.map((row) => row[column] ?? 0))));
	const head = ["collection", "no vectors", "built-in", local.passages.id];
	return [head, head.map(() => "---"), ...lines, ["**mean**", ...means]]
		.map((cells) => `| ${cells.join(" | ")} |`)
		.join("\n");
}

async function figuresOf(
	collection: Collection,
	{ embedder, ...others }: { embedder: Embedder; questions?: Embedder; words: Embedder },
): Promise<[number, number]> {
	const run = await runPassages(collection, embedder, others);
	return [judge(SYSTEMS.text, run).mean.ndcg, judge(SYSTEMS.shipped, run).mean.ndcg];
}

function figure(value: number): string {
	return value.toFixed(3);
}
