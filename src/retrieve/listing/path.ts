import { englishStem } from "../../base/language/englishStem.ts";
import { FUNCTION_WORDS } from "../../base/language/languages.ts";
import { SCHEMA } from "../../base/rdf/vocabulary.ts";
import { wordList } from "../../base/words/wordList.ts";
import type { Listing } from "../../core/knowledge/knowledge.ts";
import type { Graph } from "../../graph/facts/graph.ts";
import { keyOf, labelIn, nameWords } from "../../graph/facts/labels.ts";
import { isAkin, isFunctionWord, isWhollySaid } from "../entities/questionWords.ts";
import { askedOnPath } from "./askedOnPath.ts";
import { referencesTo, referredTo } from "./keys.ts";
import { tableOf } from "./members.ts";
import { classStems, namedIn } from "./named.ts";
import type { Ports, Span, Statement } from "./task.ts";
import { itemOf, MOST_ITEMS } from "./tell.ts";
import { AUXILIARY, type End, endOf, type Setting, withoutArticles } from "./words/voice.ts";

const MOST_NODES_BETWEEN = 20;
const MOST_STATEMENTS = 2000;

/** Words that the path need not cover, because they may mean no more than "is". */
const LIVING = /^(?:lives?|lived|comes?|based|located|uses?|used|called|given|wohnt|liegt|angegeben)$/;

/** Statements of one property that lead from some nodes to others. */
interface Step {
	readonly predicate: number;
	/** Whether the statements lead from objects to subjects. */
	readonly isInverse: boolean;
	/** Indexes of the question's words for the property. */
	readonly said: ReadonlySet<number>;
	readonly statements: readonly (Statement & { readonly from: number; readonly to: number })[];
}

/**
 * Answers a question about a named resource, or about a linked resource: "Who trained the brewer of Kestrel?"
 * `undefined` unless a single path of statements covers all words of the question.
 */
export function followPath(query: string, ports: Ports): Listing | undefined {
	const words = nameWords(query);
	const asked = askedOnPath(words);
	if (!asked) return undefined;
	const { fits, kind } = asked;
	const isTold = (label: string) => !label.startsWith("_:") && fits(label);
	for (const { span, nodes } of namedIn({ ...ports, words })) {
		// A class next to a name belongs to the name: "the Marketing department", "bike B108".
		const kinds = nodes.flatMap((node) => classStems(ports, node));
		const isOwn = (at: number) =>
			isWithin(at, [span[0] - 1, span[1] + 1]) &&
			(isWithin(at, span) || kinds.includes(englishStem(words[at] ?? "")));
		const open = words.flatMap((word, at) => (isOwn(at) || isEmpty(word, words[at - 1]) ? [] : [at]));
		const place = { words, span };
		const found = pathsFrom(nodes, { open, words, span, kind }, ports).filter(
			(path) =>
				path.at(-1)?.statements.every(({ to }) => isTold(labelIn(ports.graph, to))) &&
				!path.some((step) => step.isInverse && (isHad(step, words, ports) || isDone(step, place, ports))) &&
				!isRowOfKind(path, kind, ports),
		);
		const only =
			onlyOne(found) ??
			onlyOne(found.filter((path) => isSaidEnd(path, place, ports))) ??
			onlyOne(found.filter((path) => isSaidInFull(path, words, ports)));
		if (only) return tellIfAsked(query, span, tellPath(only, labelIn(ports.graph, nodes[0]), ports));
	}
	return undefined;
}

/** Drops the listing for "how many lamps were ordered", which asks neither for a value of lamps nor for a list. */
function tellIfAsked(query: string, [start]: Span, told: Listing): Listing | undefined {
	return !HOW_MANY.test(query) || (told.kind === "value" && start !== 2) ? told : undefined;
}

const HOW_MANY = /^(?:how (?:many|much)|wie ?viele?)\b/i;

/** Whether the step is possessive: "the manager of Ida" does not mean a person that Ida manages. */
function isHad({ predicate, said }: Step, words: readonly string[], { vocabulary }: Ports): boolean {
	const names = vocabulary.namesOf(predicate).map((name) => name.at(-1));
	const isOf = (at: number) => /^(?:of|von|des)$/.test(words[at + 1] ?? "") && at + 2 < words.length;
	return [...said].some((at) => names.includes(words[at]) && (isOf(at) || words[at - 1] === "s"));
}

/** Whether the path leads from a cell to a row of which only the kind is named: "which currency has Bhutan". */
function isRowOfKind([only, further]: Path, kind: number, { graph }: Ports): boolean {
	if (!only?.isInverse || further) return false;
	const isCell = only.statements.every(({ from }) => graph.termAt(from).termType === "Literal");
	return isCell && [...only.said].join() === `${kind}`;
}

/** Whether the named thing is the subject of the question: "whom does Ida like" does not ask who likes Ida. */
function isDone(step: Step, place: Place, ports: Ports): boolean {
	const before = place.words[place.span[0] - 1] ?? "";
	return AUXILIARY.test(before) && endSaid(step, settingOf(step, place), ports) === "target";
}

/** The first path if all paths have the same ends. */
function onlyOne([first, ...others]: readonly Path[]): Path | undefined {
	const isSame = (other: Path) => first && endsOf(other).symmetricDifference(endsOf(first)).size === 0;
	return others.every(isSame) ? first : undefined;
}

/** Whether the question has the last property's whole name: "currency" means `currency_name`, not `currency_code`. */
function isSaidInFull(path: Path, words: readonly string[], { vocabulary }: Ports): boolean {
	const names = vocabulary.namesOf(path.at(-1)?.predicate ?? 0);
	const isSaid = (name: readonly string[]) => isWhollySaid(name, words);
	return names.map((name) => name.filter((word) => word !== "name")).some(isSaid);
}

/** Whether grammar confirms the direction of the last step: "who trained Priya", unlike "who was trained by Priya". */
function isSaidEnd(path: Path, place: Place, ports: Ports): boolean {
	const last = path.at(-1);
	if (!last) return false;
	// After two steps, the last words are the name: "the brewer of Kestrel" in "who trained the brewer of Kestrel".
	const end = path.length > 1 ? Math.max(...last.said) + 1 : place.span[0];
	const setting = settingOf(last, {
		...place,
		span: [end, path.length > 1 ? place.words.length : place.span[1]],
	});
	return endSaid(last, setting, ports) === (last.isInverse ? "start" : "target");
}

function endSaid({ predicate }: Step, setting: Setting, { vocabulary }: Ports): End | undefined {
	return endOf(vocabulary.namesOf(predicate)[0] ?? [], setting);
}

function settingOf({ said }: Step, { words, span: [start, end] }: Place): Setting {
	return {
		leading: [],
		before: withoutArticles(words.slice(1, start)),
		after: withoutArticles(words.slice(end)),
		isSaid: (word) => said.has(words.indexOf(word)),
	};
}

function isWithin(at: number, [start, end]: Span): boolean {
	return start <= at && at < end;
}

const EMPTY = new Set([...FUNCTION_WORDS.de, ...wordList("year jahr frau herr ms mr mrs dr")]);

const MEASURE = /^(?:long|tall|high|old|far|big|alt|lang|hoch|weit)$/;

function isEmpty(word: string, before = ""): boolean {
	return isFunctionWord(word) || EMPTY.has(word) || (/^(?:how|wie)$/.test(before) && MEASURE.test(word));
}

interface Place {
	readonly words: readonly string[];
	readonly span: Span;
}

interface Asked extends Place {
	/** Indexes of the words that must be understood. */
	readonly open: readonly number[];
	readonly kind: number;
}

type Path = readonly Step[];

function pathsFrom(nodes: readonly number[], asked: Asked, ports: Ports): Path[] {
	const { open, words, span, kind } = asked;
	// The word just before a name, or just after "'s", must belong to the first step.
	const nearest =
		words[span[1]] === "s" ? open.find((at) => at > span[1]) : open.findLast((at) => at < span[0]);
	const firsts = stepsFrom(new Set(nodes), asked, ports).filter(
		({ said }) => nearest === undefined || said.has(nearest),
	);
	const isWhole = (path: Path) =>
		open.every(
			(at) =>
				LIVING.test(words[at] ?? "") ||
				path.some(({ said }) => said.has(at)) ||
				(at === kind && isSaidFurther(path, runUntil(nearest, open))),
		);
	const ones = firsts.map((first) => [first]).filter(isWhole);
	if (ones.length > 0) return ones;
	return firsts.flatMap((first) => {
		const ends = first.statements.map((each) =>
			each.to === each.object ? referredTo(each, ports) : each.to,
		);
		const between = new Set(ends.filter((to) => !nodes.includes(to)));
		if (between.size === 0 || between.size > MOST_NODES_BETWEEN) return [];
		const next = stepsFrom(between, asked, ports).filter(
			({ said, statements }) =>
				!said.isSubsetOf(first.said) && !statements.some(({ to }) => nodes.includes(to)),
		);
		return next.map((last) => [first, last]).filter(isWhole);
	});
}

/** Indexes of the adjacent open words that end at `last`. */
function runUntil(last: number | undefined, open: readonly number[]): Set<number> {
	const run = new Set<number>();
	for (let at = last; at !== undefined && open.includes(at); at--) run.add(at);
	return run;
}

/** Whether the last step has a word of the question that is not next to the name. */
function isSaidFurther(path: Path, nearest: ReadonlySet<number>): boolean {
	return path.at(-1)?.said.isSubsetOf(nearest) === false;
}

function stepsFrom(nodes: ReadonlySet<number>, asked: Asked, ports: Ports): Step[] {
	const { graph, vocabulary } = ports;
	const all = [...nodes].flatMap((node) => [
		...graph
			.walk({ subject: node })
			.take(MOST_STATEMENTS + 1)
			.flatMap((quad) => containedIn(quad, graph).map((to) => ({ ...quad, from: node, to }))),
		...graph
			.walk({ object: node })
			.take(MOST_STATEMENTS + 1)
			.map((quad) => ({ ...quad, from: node, to: quad.subject })),
		...referencesTo(node, ports).map((quad) => ({ ...quad, from: node, to: quad.subject })),
	]);
	if (all.length > MOST_STATEMENTS) return [];
	const isNews = ({ from, to }: { readonly from: number; readonly to: number }) =>
		labelIn(graph, from) !== labelIn(graph, to);
	const ways = Map.groupBy(
		all.filter(isNews),
		({ predicate, from, subject }) => `${predicate} ${from === subject}`,
	);
	return [...ways.values()].flatMap((statements) => {
		const [{ predicate = 0 } = {}] = statements;
		// Ignores `isPartOf`, which links every resource with a heading and a file.
		const { value } = graph.termAt(predicate);
		if (vocabulary.types.includes(predicate) || value === `${SCHEMA}isPartOf`) return [];
		const isInverse = statements[0]?.from === statements[0]?.object;
		const names = vocabulary
			.namesOf(predicate)
			.flat()
			.filter((word) => !isFunctionWord(word));
		const byName = saidIn(names.map(englishStem), asked);
		// In "the barcode prefix of Albania", a word names the table and not the column.
		const row = isInverse || byName.length === 0 ? [] : saidIn(tableStems(statements, ports), asked);
		// In "the brewer of Kestrel", "brewer" may name the class of the linked thing.
		const bySaid = Map.groupBy(statements, ({ to }) =>
			[...byName, ...row, ...saidIn(classStems(ports, to), asked)].join(),
		);
		bySaid.delete("");
		return Array.from(bySaid, ([at, own]) => {
			return { predicate, isInverse, said: new Set(at.split(",").map(Number)), statements: own };
		});
	});
}

/** The objects of a node that only groups values, such as an object below a key `currencies`; else the node itself. */
function containedIn({ predicate, object }: Statement, graph: Graph): number[] {
	const isCalled = (node: number) => keyOf(labelIn(graph, node));
	if (graph.termAt(object).termType === "Literal" || isCalled(object) !== isCalled(predicate))
		return [object];
	const held = Array.from(graph.walk({ subject: object }), (quad) => quad.object);
	return held.filter((node) => isCalled(node) !== isCalled(object));
}

function tableStems(statements: readonly Statement[], { graph, vocabulary }: Ports): string[] {
	const tables = new Set(statements.map(({ subject }) => tableOf(subject, graph, vocabulary)));
	tables.delete(undefined);
	return [...tables].flatMap((table) => nameWords(labelIn(graph, table)).map(englishStem));
}

function saidIn(stems: readonly string[], { open, words }: Asked): number[] {
	// Ignores "living" in "for a living", which does not ask for a place to live.
	const own = open.filter((at) => words[at - 1] !== "a");
	return own.filter((at) => stems.some((stem) => isAkin(stem, englishStem(words[at] ?? ""))));
}

function endsOf(path: Path): Set<number> {
	return new Set(path.at(-1)?.statements.map(({ to }) => to));
}

function tellPath(path: Path, name: string, ports: Ports): Listing {
	const { graph } = ports;
	const ends = Map.groupBy(path.at(-1)?.statements ?? [], ({ to }) => to);
	const [{ predicate = 0, isInverse = false, statements: [via] = [] } = {}, last] = path;
	const property = labelIn(graph, predicate);
	const itemsOf = (
		node: number,
		statements: readonly Statement[],
		told: { readonly name: string; readonly value: string },
	) => itemOf(node, labelIn(graph, node), statements, ports).map((item) => ({ ...item, values: [told] }));
	// Shows the step that led to each end: "Edith Calloway (trained Priya Nair)", "Accra (Ghana capital)".
	const first = isInverse ? { name: property, value: name } : { name, value: property };
	const before = last && via ? { name: property, value: labelIn(graph, via.to) } : first;
	const items = [...ends].flatMap(([node, statements]) => itemsOf(node, statements, before));
	const isOne = ends.size === 1;
	const led = isOne && last && via ? itemsOf(via.to, [via], first) : [];
	return {
		kind: isOne ? "value" : "list",
		what: [...path.toReversed().map(({ predicate }) => labelIn(graph, predicate)), name].join(" of "),
		total: ends.size,
		items: [...items.slice(0, MOST_ITEMS), ...led],
		truncated: ends.size > MOST_ITEMS,
	};
}
