import { stemmer } from "stemmer";
import { type Measure, measureOf } from "../../base/quantities/measure.ts";
import { readableName } from "../../base/rdf/vocabulary.ts";
import type { Graph } from "../../graph/facts/graph.ts";
import { isNaming } from "../../graph/facts/labels.ts";
import { isAkin, isFunctionWord } from "../entities/questionWords.ts";
import type { Scale } from "./scales.ts";
import type { Gauge, Measured } from "./task.ts";
import type { Vocabulary } from "./vocabulary.ts";

interface MeasurePorts {
	readonly graph: Graph;
	readonly vocabulary: Vocabulary;
}

/** What fits better counts more: a name that the question says, a name of the scale, a dimension of the scale. */
const SAID = 4;
const NAMED = 2;
const FITTING = 1;

/** Plain numbers that may be years. */
const EARLIEST = 1000;
const LATEST = 2100;

/** The one property of the things that the words, the scale or a unit ask for; `undefined` if none or several do. */
export function gaugeFor(
	nodes: Iterable<number>,
	{ words, scale }: { readonly words: readonly string[]; readonly scale: Scale | undefined },
	ports: MeasurePorts,
): Gauge | undefined {
	const asked = words.filter((word) => !isFunctionWord(word)).map(stemmer);
	const rated = gaugesOf(nodes, ports).map((gauge) => ({ gauge, fit: fitOf(gauge, asked, scale, ports) }));
	const most = Math.max(0, ...rated.map(({ fit }) => fit));
	const [best, ...others] = rated.filter(({ fit }) => fit === most);
	return most > 0 && others.length === 0 ? best?.gauge : undefined;
}

function fitOf(
	{ predicate, dimension, values }: Gauge,
	asked: readonly string[],
	scale: Scale | undefined,
	{ vocabulary }: MeasurePorts,
): number {
	const names = vocabulary.namesOf(predicate).flat().map(stemmer);
	const isSaid = names.some((name) => asked.some((word) => isAkin(name, word)));
	if (!scale) return isSaid ? SAID : 0;
	const isNamed = scale.names.some((own) => names.some((name) => isAkin(name, stemmer(own))));
	const isYear = isNamed && dimension === "" && scale.dimensions.includes("date") && values.every(isYearLike);
	const isFit = isYear || scale.dimensions.includes(dimension);
	const isElse = !scale.isGeneral && dimension !== "" && !isFit;
	if (isElse || (dimension === "" && !isSaid && !isNamed)) return 0;
	return Number(isSaid) * SAID + Number(isNamed) * NAMED + Number(isFit) * FITTING;
}

function isYearLike({ measure: { value } }: Measured): boolean {
	return value >= EARLIEST && value <= LATEST;
}

/** The properties whose values are of one dimension. */
function gaugesOf(nodes: Iterable<number>, { graph }: MeasurePorts): Gauge[] {
	const byPredicate = new Map<number, Measured[]>();
	for (const node of nodes)
		for (const { predicate, object } of graph.walk({ subject: node })) {
			const measure = measureAt(graph, predicate, object) ?? amountOf(graph, object);
			if (!measure) continue;
			const all = byPredicate.get(predicate) ?? [];
			all.push({ node, object, measure });
			byPredicate.set(predicate, all);
		}
	return [...byPredicate].flatMap(([predicate, all]) => {
		const own = [...Map.groupBy(all, ({ node }) => node).values()];
		const values = own.flatMap((each) => (each.length === 1 ? each : []));
		const [dimension, ...others] = new Set(values.map(({ measure }) => measure.dimension));
		return dimension === undefined || others.length > 0 ? [] : [{ predicate, dimension, values }];
	});
}

function measureAt(graph: Graph, predicate: number, object: number): Measure | undefined {
	const term = graph.termAt(object);
	if (term.termType !== "Literal") return undefined;
	return measureOf(term.value, readableName(graph.termAt(predicate).value));
}

/** What the name of a price node measures, else its only number. */
function amountOf(graph: Graph, node: number): Measure | undefined {
	if (graph.termAt(node).termType === "Literal") return undefined;
	const found: Measure[] = [];
	for (const { predicate, object } of graph.walk({ subject: node })) {
		const measure = measureAt(graph, predicate, object);
		const isName = isNaming(graph.termAt(predicate).value);
		if (isName) return measure;
		if (measure) found.push(measure);
	}
	return found.length === 1 ? found[0] : undefined;
}
