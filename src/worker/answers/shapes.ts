import { createLast } from "../../base/jobs/lazily.ts";
import { createMutex } from "../../base/jobs/mutex.ts";
import { SH } from "../../base/rdf/vocabulary.ts";
import { numeral } from "../../base/text/plural.ts";
import { visibleLines } from "../../base/text/visibleText.ts";
import type { DocumentProblems } from "../../core/knowledge/catalog.ts";
import { problemAt } from "../../core/knowledge/document.ts";
import { namedNode } from "../../core/knowledge/rdf.ts";
import type { Graph } from "../../graph/facts/graph.ts";
import { nameOf, sourcesOf } from "../../graph/facts/labels.ts";
import type { ShapeResult, ShapesTask } from "../../graph/shapes/validateShapes.ts";
import type { Parser } from "../parsing/parserProcess.ts";
import { groupProblems } from "./catalog.ts";

/** Maximum number of statements to check: a larger graph would take minutes and all memory of a process. */
const MOST_STATEMENTS = 300_000;

export function createShapeChecks(validator: Parser) {
	const turns = createMutex();
	const last = createLast<Promise<readonly DocumentProblems[]>>();
	return (graph: Graph, signal: AbortSignal) =>
		turns.run(async () => {
			signal.throwIfAborted();
			return last([graph.version], () => check(graph, validator, signal));
		});
}

async function check(graph: Graph, validator: Parser, signal: AbortSignal): Promise<DocumentProblems[]> {
	const documents = documentsWithShapes(graph);
	const [first] = documents;
	if (first === undefined) return [];
	if (graph.size > MOST_STATEMENTS)
		return [notChecked(graph, first, `there are more than ${numeral(MOST_STATEMENTS)} statements`)];
	try {
		const outcome = await validator.work({ task: "shapes", input: taskOf(graph, documents) }, signal);
		if (outcome.kind === "done") return problemsOf(graph, outcome.output);
		return [notChecked(graph, first, outcome.reason)];
	} finally {
		// An idle validator would not release the memory of the last check.
		await validator.close();
	}
}

function documentsWithShapes(graph: Graph): Set<number> {
	const ofShapes = new Map<number, boolean>();
	const documents = new Set<number>();
	for (const { predicate, document } of graph.walk()) {
		const isOfShape = ofShapes.get(predicate) ?? graph.termAt(predicate).value.startsWith(SH);
		ofShapes.set(predicate, isOfShape);
		if (isOfShape) documents.add(document);
	}
	return documents;
}

function taskOf(graph: Graph, documents: ReadonlySet<number>): ShapesTask {
	const places = new Map<number, number>();
	const placeOf = (node: number): number => {
		const known = places.get(node) ?? places.size;
		places.set(node, known);
		return known;
	};
	const [data, shapes]: [number[], number[]] = [[], []];
	for (const { subject, predicate, object, document } of graph.walk()) {
		const statement = [subject, predicate, object].map(placeOf);
		data.push(...statement);
		if (documents.has(document)) shapes.push(...statement);
	}
	return {
		terms: [...places.keys()].map(graph.termAt),
		data: Uint32Array.from(data),
		shapes: Uint32Array.from(shapes),
	};
}

function notChecked(graph: Graph, document: number, reason: string): DocumentProblems {
	const message = `The SHACL shapes were not checked: ${reason}.`;
	return { uri: graph.termAt(document).value, problems: [problemAt(1, message, "warning")] };
}

function problemsOf(graph: Graph, results: readonly ShapeResult[]): DocumentProblems[] {
	const problems = results.flatMap((result) => {
		const { document, lines } = placeOf(graph, result) ?? {};
		if (document === undefined || !lines) return [];
		return [{ severity: result.severity, message: messageOf(graph, result), document, lines }];
	});
	return groupProblems(problems);
}

function placeOf(graph: Graph, { focus, property, value }: ShapeResult) {
	const isLiteral = focus.termType === "Literal";
	const about = isLiteral ? { object: focus } : { subject: focus, ...(property && { predicate: property }) };
	const [stated] = value && !isLiteral ? graph.match({ ...about, object: value }) : [];
	const [told] = stated ? [stated] : graph.match(about);
	return told ?? (isLiteral ? undefined : sourcesOf(graph, focus)[0]);
}

/** Makes hidden characters visible, because labels and messages come from untrusted documents. */
function messageOf(graph: Graph, { focus, property, message }: ShapeResult): string {
	const path = property === undefined ? "" : `, ${nameOf(graph, namedNode(property))}`;
	const name = focus.termType === "Literal" ? focus.value : nameOf(graph, focus);
	return visibleLines(`${name}${path}: ${message}`).replace(/\s+/g, " ").slice(0, 500);
}
