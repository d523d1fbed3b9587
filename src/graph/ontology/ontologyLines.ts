import type { Prefixes } from "../../base/rdf/prefixes.ts";
import { RDF, XSD } from "../../base/rdf/vocabulary.ts";
import type { ClassUse, OntologySummary, PropertyUse } from "./ontologySummary.ts";
import type { Shape } from "./shapes.ts";

/** How much of an ontology is told. */
export interface Plan {
	/** How much of every class with its properties, in their order. */
	readonly details: readonly Detail[];
	/** Classes by name, after those. The others are counted. */
	readonly named: number;
}

export interface Detail {
	/** Properties; the others are counted. */
	readonly properties: number;
	readonly hasExamples: boolean;
}

const EXAMPLE_LENGTH = 40;
const SHOWN_RANGES = 4;

export function writeOntology(
	summary: OntologySummary,
	classes: readonly ClassUse[],
	{ plan, prefixes }: { readonly plan: Plan; readonly prefixes: Prefixes },
): string {
	const { details, named } = plan;
	const { length: detailed } = details;
	const names = classes
		.slice(detailed, detailed + named)
		.map((use) => `${nameOf(use, prefixes)} (${use.count})`);
	const rest = classes.length - detailed - named;
	const body = [
		...details.flatMap((detail, index) =>
			classes.slice(index, index + 1).map((use) => writeClass(use, detail, prefixes)),
		),
		...(names.length > 0 ? [`Other classes: ${names.join(", ")}`] : []),
		...(rest > 0 ? [`${rest} more classes left out.`] : []),
	].join("\n");
	return [writeTotals(summary), ...writePrefixes(body, prefixes), "", body].join("\n");
}

function writeTotals({ classes, properties, resources, quads }: OntologySummary): string {
	return `${resources} resources, ${quads} statements, ${classes.filter(({ iri }) => iri !== "").length} classes, ${properties.size} properties. Counts are resources.`;
}

/** Declarations of the prefixes that the text uses. */
function writePrefixes(body: string, { namespaces }: Prefixes): string[] {
	return [...namespaces]
		.filter(([prefix]) => new RegExp(`(?<![\\w-])${prefix}:`).test(body))
		.map(([prefix, namespace]) => `PREFIX ${prefix}: <${namespace}>`);
}

function writeClass(use: ClassUse, { properties, hasExamples }: Detail, prefixes: Prefixes): string {
	const rest = use.properties.length - properties;
	const example = hasExamples && use.iri !== "" ? `, e.g. ${writeExample(use.example)}` : "";
	return [
		`${nameOf(use, prefixes)} (${use.count})${example}`,
		...use.properties
			.slice(0, properties)
			.map((property) => `  ${writeProperty(property, hasExamples, prefixes)}`),
		...(rest > 0 ? [`  ${rest} more properties left out.`] : []),
	].join("\n");
}

function nameOf({ iri, label }: ClassUse, { compact }: Prefixes): string {
	if (iri === "") return "Without a class";
	return label === undefined || iri.toLowerCase().endsWith(label.toLowerCase())
		? compact(iri)
		: `${compact(iri)} "${label}"`;
}

function writeExample(id: string): string {
	return id.startsWith("_:") ? id : `<${id}>`;
}

function writeProperty(
	{ iri, resources, ranges, example }: PropertyUse,
	hasExample: boolean,
	prefixes: Prefixes,
): string {
	const value = hasExample && example !== undefined ? `, e.g. "${shorten(example)}"` : "";
	return `${prefixes.compact(iri)} (${resources}): ${writeRanges(ranges, prefixes)}${value}`;
}

function writeRanges(ranges: PropertyUse["ranges"], { compact }: Prefixes): string {
	const names = ranges.map(({ iri, count }) => {
		const name = PLAIN_NAMES[iri] ?? compact(iri);
		return ranges.length > 1 ? `${name} ${count}` : name;
	});
	const rest = names.length - SHOWN_RANGES;
	return names.slice(0, SHOWN_RANGES).join(", ") + (rest > 0 ? `, ${rest} more` : "");
}

const PLAIN_NAMES: Readonly<Record<string, string>> = {
	"": "resource without a class",
	[`${XSD}string`]: "text",
	[`${RDF}langString`]: "text with a language",
};

function shorten(text: string): string {
	const line = text.replace(/\s+/g, " ").trim();
	return line.length <= EXAMPLE_LENGTH ? line : `${line.slice(0, EXAMPLE_LENGTH - 1)}…`;
}

/** One line, for example `ex:PersonShape for ex:Person: ex:name minCount 1 maxCount 1`. */
export function writeShape({ id, targets, properties }: Shape, { compact }: Prefixes): string {
	const toName = (iri: string) => (/^\w+:/.test(iri) ? compact(iri) : iri);
	const rules = properties.map(({ path, constraints }) =>
		[toName(path), ...constraints.map(([name, value]) => `${name} ${toName(value)}`)].join(" "),
	);
	return `${id.startsWith("_:") ? id : toName(id)}${targets.length > 0 ? ` for ${targets.map(toName).join(", ")}` : ""}: ${rules.join("; ")}`;
}
