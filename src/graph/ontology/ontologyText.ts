import { createPrefixes, type Prefixes } from "../../base/rdf/prefixes.ts";
import { localNameOf, RDF, XSD } from "../../base/rdf/vocabulary.ts";
import { CHARACTERS_PER_TOKEN } from "../../base/text/tokenEstimate.ts";
import {
	type ClassUse,
	type OntologySummary,
	type PropertyUse,
	pathsOf,
	type Shape,
} from "./ontologySummary.ts";

interface Plan {
	readonly details: readonly Detail[];
	/** Number of further classes that are listed by name only. All other classes are only counted. */
	readonly named: number;
}

interface Detail {
	readonly properties: number;
	readonly hasExamples: boolean;
}

const EXAMPLE_LENGTH = 40;
const SHOWN_RANGES = 4;

/** The most detailed text in the budget: shortens all classes before omitting any, except classes in `focus`. */
export function describeOntology(
	summary: OntologySummary,
	{ budgetTokens, focus }: { readonly budgetTokens: number; readonly focus: string },
): string {
	const room = budgetTokens * CHARACTERS_PER_TOKEN;
	const prefixes = prefixesOf(summary);
	const focused = findMentioned(summary.classes, focus, prefixes);
	const classes = [...new Set([...focused, ...summary.classes])];
	const write = (plan: Plan) => writeOntology(summary, classes, plan, prefixes);
	const plan = choosePlan(focused.length, classes.length, (tried) => write(tried).length <= room);
	const shapes = summary.shapes.map((shape) => writeShape(shape, prefixes));
	const withShapes = (count: number) => joinShapes(write(plan), shapes, count);
	const shownShapes = largest(shapes.length, (count) => withShapes(count).length <= room);
	return withShapes(shownShapes);
}

export function prefixesOf({ classes, properties, shapes }: OntologySummary): Prefixes {
	const ranges = classes.flatMap((use) => use.properties.flatMap((property) => property.ranges));
	const used = [...classes, ...ranges].map(({ iri }) => iri);
	return createPrefixes([...used, ...properties.keys(), ...pathsOf(shapes)]);
}

const LEAST: Detail = { properties: 3, hasExamples: false };

const DETAILS: readonly Detail[] = [
	{ properties: Number.POSITIVE_INFINITY, hasExamples: true },
	{ properties: Number.POSITIVE_INFINITY, hasExamples: false },
	{ properties: 12, hasExamples: false },
	{ properties: 6, hasExamples: false },
	LEAST,
];

/** All classes get equal detail if possible; otherwise, classes in focus get more detail than the others. */
function choosePlan(focused: number, total: number, fits: (plan: Plan) => boolean): Plan {
	const even = DETAILS.map((detail) => ({ details: repeat(detail, total), named: 0 }));
	const others = total - focused;
	const uneven = DETAILS.map((own) => repeat(own, focused)).flatMap((own) => [
		...DETAILS.map((other) => ({ details: [...own, ...repeat(other, others)], named: 0 })),
		{ details: own, named: others },
	]);
	const plan = (focused === 0 ? even : [...even.slice(0, 2), ...uneven]).find(fits);
	if (plan) return plan;
	const detailed = largest(total, (count) => fits({ details: repeat(LEAST, count), named: total - count }));
	if (detailed > 0) return { details: repeat(LEAST, detailed), named: total - detailed };
	return { details: [], named: largest(total, (named) => fits({ details: [], named })) };
}

function repeat(detail: Detail, count: number): Detail[] {
	return Array.from({ length: count }, () => detail);
}

/** The largest count up to `max` that fits; 0 if none does. Assumes that every smaller count also fits. */
function largest(max: number, fits: (count: number) => boolean): number {
	let [low, high] = [0, max];
	while (low < high) {
		const middle = Math.ceil((low + high) / 2);
		if (fits(middle)) low = middle;
		else high = middle - 1;
	}
	return low;
}

function joinShapes(text: string, shapes: readonly string[], count: number): string {
	if (shapes.length === 0) return text;
	const rest = shapes.length - count;
	const omitted = rest > 0 ? [`${rest} more shapes left out.`] : [];
	return [text, "", "SHACL shapes:", ...shapes.slice(0, count), ...omitted].join("\n");
}

/** The classes whose name or property name is mentioned in a text, best matches first. */
function findMentioned(classes: readonly ClassUse[], text: string, prefixes: Prefixes): ClassUse[] {
	const words = new Set(wordsOf(text));
	const names = new Set(text.split(/[\s,;<>"'()]+/).filter((name) => name !== ""));
	const shareOf = (iri: string, label = "") =>
		names.has(iri) || names.has(prefixes.compact(iri))
			? 1
			: Math.max(shareIn(words, localNameOf(iri)), shareIn(words, label));
	const scoreOf = ({ iri, label, properties }: ClassUse) => {
		const isMentioned = properties.some((property) => shareOf(property.iri) === 1);
		return Math.max(shareOf(iri, label), isMentioned ? PROPERTY_SCORE : 0);
	};
	return classes
		.map((use) => ({ use, score: scoreOf(use) }))
		.filter(({ score }) => score > 0)
		.sort((a, b) => b.score - a.score)
		.map(({ use }) => use);
}

/** A mentioned property is weaker evidence for a class than the class's own name. */
const PROPERTY_SCORE = 0.25;

function shareIn(words: ReadonlySet<string>, name: string): number {
	const own = wordsOf(name);
	return own.length === 0 ? 0 : own.filter((word) => words.has(word)).length / own.length;
}

/** Lower-case words without plural endings; `ScholarlyArticles` has two words. */
function wordsOf(text: string): string[] {
	const words = text.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lo}+|\p{N}+/gu) ?? [];
	const singular = (word: string) => word.replace(/ies$/, "y").replace(/(?<=..)s$/, "");
	return words.map((word) => singular(word.toLowerCase()));
}

function writeOntology(summary: OntologySummary, classes: ClassUse[], plan: Plan, prefixes: Prefixes) {
	const { details, named } = plan;
	const end = details.length + named;
	const names = classes.slice(details.length, end).map((use) => `${nameOf(use, prefixes)} (${use.count})`);
	const rest = classes.length - end;
	const body = [
		...details.flatMap((detail, index) => {
			const use = classes[index];
			return use ? writeClass(use, detail, prefixes) : [];
		}),
		...(names.length > 0 ? [`Other classes: ${names.join(", ")}`] : []),
		...(rest > 0 ? [`${rest} more classes left out.`] : []),
	].join("\n");
	const { resources, quads, properties } = summary;
	const own = classes.filter(({ iri }) => iri !== "").length;
	const totals = `${resources} resources, ${quads} statements, ${own} classes, ${properties.size} properties. Counts are resources.`;
	return [totals, ...writePrefixes(body, prefixes), "", body].join("\n");
}

function writePrefixes(body: string, { namespaces }: Prefixes): string[] {
	return [...namespaces]
		.filter(([prefix]) => new RegExp(`(?<![\\w-])${prefix}:`).test(body))
		.map(([prefix, namespace]) => `PREFIX ${prefix}: <${namespace}>`);
}

function writeClass(use: ClassUse, { properties, hasExamples }: Detail, prefixes: Prefixes): string {
	const rest = use.properties.length - properties;
	const id = use.example.startsWith("_:") ? use.example : `<${use.example}>`;
	const example = hasExamples && use.iri !== "" ? `, e.g. ${id}` : "";
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

function writeProperty(property: PropertyUse, hasExample: boolean, prefixes: Prefixes): string {
	const { iri, resources, ranges, example } = property;
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

/** Formats a shape on one line: `ex:PersonShape for ex:Person: ex:name minCount 1 maxCount 1`. */
function writeShape({ id, targets, properties }: Shape, { compact }: Prefixes): string {
	const toName = (iri: string) => (/^\w+:/.test(iri) ? compact(iri) : iri);
	const toWords = ([name, value]: readonly [string, string]) => `${name} ${toName(value)}`;
	const rules = properties.map((one) => [toName(one.path), ...one.constraints.map(toWords)].join(" "));
	const target = targets.length > 0 ? ` for ${targets.map(toName).join(", ")}` : "";
	return `${id.startsWith("_:") ? id : toName(id)}${target}: ${rules.join("; ")}`;
}
