import { FOLDERS, KINDS } from "../../base/rdf/vocabulary.ts";
import { compareTexts } from "../../base/text/compareTexts.ts";
import type { ListedThing, Listing } from "../../core/knowledge/knowledge.ts";
import type { Graph, GraphQuad } from "../../graph/facts/graph.ts";
import { fullestSourceOf, keyOf, labelIn } from "../../graph/facts/labels.ts";
import { addedUp } from "./adding.ts";
import { leftOutOf } from "./members.ts";
import type { Form, Left, ListingPorts, Noun, Statement } from "./task.ts";

export const MOST_ITEMS = 20;

const MOST_SORTED = 5000;

const MOST_VALUES_SHOWN = 3;

/** Lists the members with citations; `undefined` if members lack a name or may be duplicates. */
export function tell(form: Form, noun: Noun, left: Left, { graph, cite }: ListingPorts): Listing | undefined {
	const { members, told, because } = left;
	const called =
		noun.node === undefined ? form.words.slice(...noun.span).join(" ") : labelIn(graph, noun.node);
	const things = [...members].slice(0, MOST_SORTED).map((node) => ({ node, label: labelIn(graph, node) }));
	// A node that only groups values, such as an object below `currencies`, has the name of its property.
	const isNameless = (label: string) => label.startsWith("_:") || keyOf(label) === keyOf(called);
	if (things.some(({ label }) => isNameless(label)) || mayBeSame(things, noun, graph)) return undefined;
	const sorted = form.order?.count ? things : things.sort((a, b) => compareTexts(a.label, b.label));
	const first = sorted.slice(0, MOST_ITEMS);
	const items = first.flatMap(({ node, label }) =>
		itemOf(node, label, because.get(node) ?? [], { graph, cite }).map((item) => {
			const number = left.numbers?.by.get(node);
			return number === undefined
				? item
				: { ...item, values: [{ name: left.numbers?.name ?? "", value: `${number}` }] };
		}),
	);
	const what = `${ofFolder(called, noun, graph)}${told.join(" and")}`.trim();
	const leftOut = leftOutOf(graph, noun.all ?? members);
	// Restrictions cannot be applied to rows that the graph omits.
	if (leftOut > 0 && (told.length > 0 || noun.all?.size !== members.size)) return undefined;
	const total = members.size + leftOut;
	const listing = { kind: kindOf(form, total), what, total, items, truncated: total > items.length };
	return left.added && total > 1 ? withSum(listing, left.added, leftOut, graph) : listing;
}

/** Calls files of a folder "documents", because the folder's name need not describe each file. */
function ofFolder(called: string, { node = 0 }: Noun, graph: Graph): string {
	return graph.termAt(node).value.startsWith(FOLDERS) ? `documents in “${called}”` : called;
}

/** Adds the sum or mean of the values; `undefined` if the graph omits some rows. */
function withSum(
	listing: Listing,
	{ predicate, values }: NonNullable<Left["added"]>,
	leftOut: number,
	graph: Graph,
) {
	const value = leftOut > 0 ? undefined : addedUp(values, listing.kind === "mean", graph);
	return value === undefined ? undefined : { ...listing, added: { name: labelIn(graph, predicate), value } };
}

/** Whether rows of different tables have equal labels, so that they may describe the same resource. */
function mayBeSame(
	things: readonly { readonly node: number; readonly label: string }[],
	{ classes }: Noun,
	graph: Graph,
): boolean {
	if (!classes.some((node) => graph.termAt(node).value.startsWith(KINDS))) return false;
	const documentOf = ({ node }: { readonly node: number }) => graph.termAt(node).value.replace(/#.*/, "");
	return [...Map.groupBy(things, ({ label }) => label.toLowerCase()).values()].some(
		(alike) => new Set(alike.map(documentOf)).size > 1,
	);
}

function kindOf({ isCount, order, totaled }: Form, total: number): Listing["kind"] {
	if (isCount) return "count";
	if (totaled && total === 1) return "value";
	if (totaled) return totaled.isMean ? "mean" : "sum";
	return order ? "extreme" : "list";
}

/** The resource with a citation of a supporting statement, else of the lines that state most about it. */
export function itemOf(
	node: number,
	label: string,
	because: readonly Statement[],
	{ graph, cite }: Pick<ListingPorts, "graph" | "cite">,
): ListedThing[] {
	const term = graph.termAt(node);
	const [stated] = because.flatMap((statement) => sourceOf(graph, statement) ?? []);
	const own =
		term.termType === "Literal" ? graph.match({ object: term }).next().value : fullestSourceOf(graph, term);
	const source = stated ?? own;
	if (!source) return [];
	const citation = cite(source.document, source.lines);
	const told = [...subjectOf(node, label, graph), ...because]
		.filter(({ subject, object }) => subject === node && graph.termAt(object).termType === "Literal")
		.map(({ predicate, object }) => ({ name: labelIn(graph, predicate), value: labelIn(graph, object) }))
		.filter(({ value }) => value !== label);
	const values = [...new Map(told.map((each) => [`${each.name} ${each.value}`, each])).values()].slice(
		0,
		MOST_VALUES_SHOWN,
	);
	const iri = term.termType === "NamedNode" ? { iri: term.value } : {};
	return [{ label, ...iri, ...(values.length > 0 && { values }), citation }];
}

/** A label that is only a number or a code: `R-42`. */
const CODE = /^[\p{L}#]{0,4}[\s.-]?\d+[\p{L}]?$/u;

/** The first statement about a row that has words, if the row's label is only a code. */
function subjectOf(node: number, label: string, graph: Graph): Statement[] {
	if (!CODE.test(label)) return [];
	for (const statement of graph.walk({ subject: node })) {
		const { termType, value } = graph.termAt(statement.object);
		if (termType === "Literal" && value !== label && /\p{L}{3}/u.test(value)) return [statement];
	}
	return [];
}

function sourceOf(graph: Graph, { subject, predicate, object }: Statement): GraphQuad | undefined {
	const term = graph.termAt(subject);
	if (term.termType === "Literal") return undefined;
	const pattern = { subject: term, predicate: graph.termAt(predicate).value, object: graph.termAt(object) };
	return graph.match(pattern).next().value ?? undefined;
}
