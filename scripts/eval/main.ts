import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Embedder } from "../../src/core/knowledge/embedder.ts";
import { openStaticEmbedder } from "../../src/embed/builtIn/staticEmbedder.ts";
import { root } from "../paths.ts";
import type { Judgement } from "./asked/askedQuestion.ts";
import { askLongQuestions, aspectBars, SHIPPED, tellAspects } from "./aspects.ts";
import { acrossBar, type Bar, measureBars } from "./bars.ts";
import { citationBars } from "./citations.ts";
import { type Collection, collectionNames, readAcross, readCollection } from "./collection.ts";
import { askDescribed, describeResults } from "./descriptions.ts";
import { firstHitBars } from "./firstHits.ts";
import { askGraphs } from "./graphQuestions.ts";
import { judge } from "./judge.ts";
import { runCollection } from "./legRuns.ts";
import { listingBars } from "./listings.ts";
import { compareModel } from "./localModel.ts";
import { askMadeQuestions, madeQuestionBars, tellMadeQuestions } from "./madeQuestions.ts";
import { NOTES } from "./notes.ts";
import { measurePoints, tellPoints, VARIANTS } from "./points.ts";
import { askForQuotes, quoteBars, tellQuotes } from "./quotes.ts";
import { type CollectionReport, type Report, writeReport } from "./report.ts";
import { askScenarios } from "./scenarios.ts";
import { SYSTEMS, TRIED } from "./systems.ts";
import { judgeWholeDocuments, WHOLE_DOCUMENTS } from "./wholeDocuments.ts";

/**
 * `npm run eval [name …]`: all collections, or only the named ones without the report; fails below a bar.
 * `npm run eval made`: only the made questions to graphs; also prints unanswered ones.
 * `npm run eval -- --model DIR [name …]`: compares a local model with the built-in one and with none.
 */
async function main(words: readonly string[]): Promise<void> {
	const data = process.env["COPILOT_LD_DATA"] ?? join(root, "..", "shared", "data");
	if (!existsSync(join(data, "ir"))) {
		console.log(
			`Skipped: there are no collections in ${data}. Set COPILOT_LD_DATA to the folder that has them.`,
		);
		return;
	}
	const { values, positionals } = parseArgs({
		args: [...words],
		options: { model: { type: "string" } },
		allowPositionals: true,
	});
	if (values.model !== undefined) return compareWith(values.model, positionals, data);
	const made = await askMadeQuestions(data);
	if (words.join() === "made") tell(madeQuestionBars(made, { withUnanswered: true }));
	else await measureAll(words, data, made);
}

async function compareWith(folder: string, names: readonly string[], data: string): Promise<void> {
	const builtIn = await openStaticEmbedder(join(root, "media", "model"));
	console.log(await compareModel(folder, { data, names, builtIn }));
}

async function measureAll(words: readonly string[], data: string, made: readonly Judgement[]): Promise<void> {
	const embedder = await openStaticEmbedder(join(root, "media", "model"));
	const names = collectionNames(join(data, "ir")).filter(
		(name) => words.length === 0 || words.includes(name),
	);
	const collections: CollectionReport[] = [];
	for (const name of names) collections.push(await measure(readCollection(join(data, "ir"), name), embedder));
	const across: CollectionReport[] = [];
	for (const collection of readAcross(join(data, "ir"), names))
		across.push(await measure(collection, embedder));
	const graphs = await askGraphs(join(data, "kg"), embedder);
	const scenarios = await askScenarios(join(data, "pages", "bionova"), embedder);
	const descriptions = describeResults(await askDescribed(embedder));
	const quotes = await askForQuotes(join(data, "ir"), embedder);
	const asked = await askLongQuestions(data, embedder, VARIANTS);
	const aspects = asked.get(SHIPPED.name) ?? [];
	const points = await measurePoints(data, embedder, { aspects: asked, collections });
	const pairs = collections.map(({ name, systems, tried }) => ({
		...{ name, ...systems },
		whole: tried.find((system) => system.name === WHOLE_DOCUMENTS)?.judged ?? systems.text,
	}));
	const bars = [
		...measureBars(pairs, graphs),
		...across.map(acrossBar),
		...quoteBars(quotes),
		...aspectBars(aspects),
		...(await listingBars(data)),
		...madeQuestionBars(made),
		...(await citationBars(data)),
		...(await firstHitBars(data, embedder)),
	];
	const told = { quotes: tellQuotes(quotes), aspects: tellAspects(aspects), points: tellPoints(points) };
	const sections = { descriptions, ...told, made: tellMadeQuestions(made), notes: NOTES };
	if (words.length === 0) await writePage({ collections, across, graphs, scenarios, bars, ...sections });
	tell(bars);
}

function writePage(report: Report): Promise<void> {
	return writeFile(join(root, "docs", "eval.md"), writeReport(report));
}

function tell(bars: readonly Bar[]): void {
	for (const { what, of, figures, holds } of bars)
		console.log(`${holds ? "✔" : "✖"} ${of ? `${of}: ` : ""}${what}: ${figures}`);
	if (bars.some(({ holds }) => !holds)) process.exitCode = 1;
}

async function measure(collection: Collection, embedder: Embedder): Promise<CollectionReport> {
	const started = performance.now();
	const { name } = collection;
	const run = await runCollection(collection, embedder);
	const systems = {
		text: judge(SYSTEMS.text, run),
		vector: judge(SYSTEMS.vector, run),
		hybrid: judge(SYSTEMS.hybrid, run),
		shipped: judge(SYSTEMS.shipped, run),
		full: judge(SYSTEMS.full, run),
	};
	const figures = Object.values(systems).map(({ mean }) => mean.ndcg.toFixed(4));
	console.log(`▸ ${name}: ${figures.join(" ")} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
	return {
		...{
			name,
			documents: collection.files.length,
			passages: run.passages,
			queries: collection.queries.length,
		},
		systems,
		tried: [
			{ name: WHOLE_DOCUMENTS, judged: judgeWholeDocuments(collection) },
			...TRIED.map((system) => ({ name: system.name, judged: judge(system, run) })),
		],
	};
}

await main(process.argv.slice(2));
