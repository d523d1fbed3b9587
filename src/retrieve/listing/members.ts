import { memoize } from "../../base/jobs/lazily.ts";
import { englishStem } from "../../base/language/englishStem.ts";
import { isNaming } from "../../base/rdf/naming.ts";
import { KINDS, RDFS, SCHEMA, VOID_ENTITIES } from "../../base/rdf/vocabulary.ts";
import { FULL_NAME, GIVEN_NAMES } from "../../base/words/givenNames.ts";
import { type Graph, perVersion } from "../../graph/facts/graph.ts";
import { labelIn, nameKey } from "../../graph/facts/labels.ts";
import { isFunctionWord, toSingular } from "../entities/questionWords.ts";
import { type Form, type Noun, type Restricted, restrictedTo } from "./task.ts";
import { endsIn, isPlural, kindInIri, type Naming, type Vocabulary } from "./vocabulary.ts";

const MOST_WORDS_OF_NOUN = 4;
const MOST_ADJECTIVES = 3;

/** Possible nouns, likeliest first: classes, values of properties, resources with the noun in their IRIs. */
export function* nounsIn(question: Form, graph: Graph, vocabulary: Vocabulary): Generator<Noun> {
	if (question.isWho) return yield* peopleIn(graph, vocabulary);
	for (const span of spansOf(question)) yield* nounsOf(question, span, { graph, vocabulary });
	if (question.isOpen || question.isAnyone) yield { span: [0, 0], classes: [], has: () => true };
}

const CALLING = /^(?:name|who|person|wer|nom)$/;

/** The rows of each table of people: most names in the table are full names, and one has a known given name. */
const peopleIn = perVersion((graph: Graph, vocabulary: Vocabulary) => {
	const cells = vocabulary
		.propertyNames()
		.filter(([, name]) => CALLING.test(name.at(-1) ?? ""))
		.flatMap(([predicate]) => [...graph.walk({ predicate })]);
	const tables = Map.groupBy(cells, ({ subject }) => tableOf(subject, graph, vocabulary));
	tables.delete(undefined);
	return [...tables].flatMap(([table = 0, own]) => {
		const full = own.map(({ object }) => graph.termAt(object).value).filter((name) => FULL_NAME.test(name));
		const isOfPeople = full.some((name) => GIVEN_NAMES.has(name.split(" ", 1).join()));
		const all = new Set(own.map(({ subject }) => subject));
		const noun: Noun = { ...nounOf([0, 0], table, { all, classes: [table] }), table };
		return isOfPeople && full.length > own.length / 2 ? [noun] : [];
	});
});

/** Possible positions of the noun: first plurals, which may follow some adjectives, then singulars at the beginning. */
export function spansOf({ words, needsPlural, order, isByData }: Form): Noun["span"][] {
	const end = words.findIndex(isFunctionWord);
	const most = end < 0 ? MOST_ADJECTIVES : Math.min(MOST_ADJECTIVES, end);
	const all = Array.from({ length: most + 1 }, (_, start) => {
		const lengths = Array.from(
			{ length: Math.min(MOST_WORDS_OF_NOUN, words.length - start) },
			(_each, less) => less,
		);
		return lengths.reverse().map((less): Noun["span"] => [start, start + less + 1]);
	}).flat();
	const many = all.filter((span) => isPlural(words.slice(...span)));
	const one = needsPlural
		? []
		: all.filter(([start, to]) => (start === 0 || order || isByData) && !isPlural(words.slice(start, to)));
	return [...many, ...one];
}

function* nounsOf(
	{ words, isCount = false, isBare = false, order }: Form,
	span: Noun["span"],
	{ graph, vocabulary }: Naming,
): Generator<Noun> {
	const own = words.slice(...span);
	// Ignores `isPartOf`, which links every resource with a heading and a file.
	const called = vocabulary
		.propertiesNamed(own)
		.filter((node) => graph.termAt(node).value !== `${SCHEMA}isPartOf`);
	const named = called.filter((node) => !isCount || !isNumeric(graph, node));
	// Prefers a column named "type" to the property that states the table of a row.
	const columns = named.filter((node) => !vocabulary.types.includes(node));
	const properties = columns.length > 0 ? columns : named;
	const classes = vocabulary
		.classesNamed(own)
		.filter((table) => !countsValues({ isCount, called }, table, { graph, vocabulary }));
	const [first] = classes;
	if (first !== undefined) yield nounOf(span, first, { all: membersOf(graph, classes, vocabulary), classes });
	yield* nounsOfProperties(span, properties, { isBare, graph, vocabulary });
	const ofKind = vocabulary.classesOfKind(own);
	if (ofKind[0] !== undefined)
		yield nounOf(span, ofKind[0], { all: membersOf(graph, ofKind, vocabulary), classes: ofKind });
	if (first === undefined && called.length === 0 && ofKind[0] === undefined) {
		const isOfRows = order !== undefined || isPlural(own);
		if (isOfRows) yield* rowsOfValue(own, span, { graph, vocabulary });
		yield* linkedNouns(own, span, { graph, vocabulary });
	}
	const kinds = new Set([own, toSingular(own)].map(nameKey));
	yield { span, classes: [], has: (node) => kinds.has(kindInIri(graph, node)) };
}

function* nounsOfProperties(
	span: Noun["span"],
	properties: readonly number[],
	{ isBare, graph, vocabulary }: Required<Pick<Form, "isBare">> & Naming,
): Generator<Noun> {
	const [property] = properties;
	if (property === undefined) return;
	const told = rowsToldBy(graph, vocabulary)(properties.join());
	// "Fee of plot 51" asks for one value. "Dishes for lunch" asks for rows, whose names are in the column "dishes".
	const tables = isBare ? told.filter(({ rows }) => areCalledBy(property, rows, graph)) : told;
	for (const { table, rows } of tables)
		yield { ...nounOf(span, property, { all: rows, classes: [] }), ...(tables.length > 1 && { table }) };
	if (!isBare) yield nounOf(span, property, { all: valuesOf(graph, properties, vocabulary), classes: [] });
}

function areCalledBy(predicate: number, rows: ReadonlySet<number>, graph: Graph): boolean {
	const [subject = 0] = rows;
	return graph
		.walk({ subject, predicate })
		.some(({ object }) => labelIn(graph, object) === labelIn(graph, subject));
}

/** Whether "how many hours" counts values of a column "hours" and not rows of a table "hours". */
function countsValues(
	{ isCount, called }: { readonly isCount: boolean; readonly called: readonly number[] },
	table: number,
	{ graph, vocabulary }: Naming,
): boolean {
	const isElse = (predicate: number) => {
		const cells = [...graph.walk({ predicate })].filter(
			({ subject }) => tableOf(subject, graph, vocabulary) === table,
		);
		const isRepeated = new Set(cells.map(({ object }) => object)).size < cells.length;
		const isName = cells.every(({ subject, object }) =>
			labelIn(graph, subject).includes(labelIn(graph, object)),
		);
		return isRepeated || (!isName && isNumeric(graph, predicate));
	};
	return isCount && called.some(isElse);
}

/** Whether all values are numbers, so that "how many gears" asks for a value and not for the number of values. */
function isNumeric(graph: Graph, predicate: number): boolean {
	const isNumber = ({ object }: { readonly object: number }) =>
		/^\d+(?:[.,]\d+)?$/.test(graph.termAt(object).value);
	return graph.walk({ predicate }).every(isNumber);
}

/** The rows of each table in which all values of the columns differ, so that "which week" means a row. */
const rowsToldBy = perVersion((graph: Graph, vocabulary: Vocabulary) =>
	memoize((properties: string) => {
		const cells = properties.split(",").flatMap((one) => [...graph.walk({ predicate: Number(one) })]);
		const tables = Map.groupBy(cells, ({ subject }) => tableOf(subject, graph, vocabulary));
		tables.delete(undefined);
		return [...tables].flatMap(([table = 0, own]) => {
			const rows = new Set(own.map(({ subject }) => subject));
			const values = new Set(own.map(({ object }) => object));
			const isKey = own.length > 1 && rows.size === own.length && values.size === own.length;
			return isKey ? [{ table, rows }] : [];
		});
	}),
);

/** The class that represents the table of a row; `undefined` if the subject is not a row. */
export function tableOf(subject: number, graph: Graph, { types }: Vocabulary): number | undefined {
	for (const predicate of types)
		for (const { object } of graph.walk({ subject, predicate }))
			if (graph.termAt(object).value.startsWith(KINDS)) return object;
	return undefined;
}

/** The rows with the value that the noun names ("how many altos"), if they are in one column of one table. */
function* rowsOfValue(
	own: readonly string[],
	span: Noun["span"],
	{ graph, vocabulary }: Naming,
): Generator<Noun> {
	const cells = vocabulary
		.valuesNamed(isPlural(own) ? toSingular(own) : own)
		.flatMap((object) => [...graph.walk({ object })])
		.filter(({ predicate }) => !isNaming(graph.termAt(predicate).value));
	const tables = new Set(cells.map(({ subject }) => tableOf(subject, graph, vocabulary)));
	const [cell] = cells;
	const isOne = tables.size === 1 && cells.every(({ predicate }) => predicate === cell?.predicate);
	if (!cell || !isOne || tables.has(undefined)) return;
	yield nounOf(span, cell.object, { all: new Set(cells.map(({ subject }) => subject)), classes: [] });
}

/** Objects of a property whose name ends with the noun, or subjects of a verb: for `playsInClub`, clubs or players. */
function* linkedNouns(
	own: readonly string[],
	span: Noun["span"],
	{ graph, vocabulary }: Naming,
): Generator<Noun> {
	const { byFirst, byLast } = stemmedNames(graph, vocabulary);
	const stems = toSingular(own).map(englishStem);
	const [, verb] = /^(\p{L}{3,})(?:er|or)s?$/u.exec(own.join(" ")) ?? [];
	const to = (byLast.get(stems.at(-1)) ?? []).filter(
		({ name }) => name.length > stems.length && endsIn(name, stems),
	);
	const from = verb === undefined ? [] : (byFirst.get(englishStem(verb)) ?? []);
	const [node] = [...to, ...from];
	if (node === undefined || (to.length > 0 && from.length > 0)) return;
	const ends = [
		...to.flatMap(({ predicate }) => Array.from(graph.walk({ predicate }), ({ object }) => object)),
		...from.flatMap(({ predicate }) => Array.from(graph.walk({ predicate }), ({ subject }) => subject)),
	];
	const all = new Set(ends.filter((one) => graph.termAt(one).termType !== "Literal"));
	// Other things may be clubs or players too, so that the list may be incomplete.
	if (all.size > 0)
		yield { span, node: node.predicate, classes: [], isLinked: true, has: (one) => all.has(one) };
}

const stemmedNames = perVersion((_graph: Graph, { propertyNames }: Vocabulary) => {
	const all = propertyNames().map(([predicate, words]) => ({ predicate, name: words.map(englishStem) }));
	return {
		byFirst: Map.groupBy(all, ({ name }) => name[0]),
		byLast: Map.groupBy(all, ({ name }) => name.at(-1)),
	};
});

function nounOf(
	span: Noun["span"],
	node: number,
	{ all, classes }: { readonly all: ReadonlySet<number>; readonly classes: readonly number[] },
): Noun {
	return { span, node, all, classes, has: (one) => all.has(one) };
}

export function membersOf(graph: Graph, classes: readonly number[], { types }: Vocabulary): Set<number> {
	const all = new Set(classes);
	for (const wide of all) for (const narrow of narrowerOf(graph, wide)) all.add(narrow);
	return new Set([...all].flatMap((one) => types.flatMap((type) => subjectsOf(graph, type, one))));
}

export function classedMembers(
	classes: readonly number[],
	{ graph, vocabulary, noun }: Naming & { readonly noun: Noun },
): Restricted | undefined {
	const { all } = noun;
	if (!all || classes.length === 0 || classes.some((one) => noun.classes.includes(one))) return undefined;
	const ties = vocabulary.types.flatMap((predicate) =>
		classes.flatMap((object) =>
			[...graph.walk({ predicate, object })].filter(({ subject }) => all.has(subject)),
		),
	);
	return ties.length > 0 ? restrictedTo(ties) : undefined;
}

/** Objects of the properties, or subjects if the name of the property ends in "of": `memberOf` lists members. */
function valuesOf(graph: Graph, properties: readonly number[], vocabulary: Vocabulary): Set<number> {
	const found = new Set<number>();
	for (const predicate of properties) {
		const isOfOther = vocabulary.namesOf(predicate)[0]?.at(-1) === "of";
		for (const { subject, object } of graph.walk({ predicate })) found.add(isOfOther ? subject : object);
	}
	return found;
}

function narrowerOf(graph: Graph, wide: number): number[] {
	const subClassOf = graph.numberOf({ termType: "NamedNode", value: `${RDFS}subClassOf` });
	return subClassOf === 0 ? [] : subjectsOf(graph, subClassOf, wide);
}

function subjectsOf(graph: Graph, predicate: number, object: number): number[] {
	return Array.from(graph.walk({ predicate, object }), ({ subject }) => subject);
}

/** Whether all members belong to several subclasses, so that the question may mean only one of these. */
export function isOfSeveralKinds(graph: Graph, classes: readonly number[], vocabulary: Vocabulary): boolean {
	if (classes.some((one) => vocabulary.types.some((type) => subjectsOf(graph, type, one).length > 0)))
		return false;
	const narrow = new Set(classes.flatMap((one) => narrowerOf(graph, one)));
	return [...narrow].filter((one) => membersOf(graph, [one], vocabulary).size > 0).length > 1;
}

/** Number of rows that the graph lacks in the tables of these things, because the files are too large. */
export function leftOutOf(graph: Graph, things: ReadonlySet<number>): number {
	let missing = 0;
	for (const { subject, object, document } of graph.match({ predicate: VOID_ENTITIES })) {
		if (!subject.value.startsWith(KINDS)) continue;
		const isOwn = (node: number) => graph.termAt(node).value.startsWith(`${document}#`);
		const own = [...things].filter(isOwn).length;
		if (own > 0) missing += Number(object.value) - own;
	}
	return missing;
}
