import type * as RDF from "@rdfjs/types";
import { type IActiveTag, type IRdfaPattern, RDFA_FEATURES, RdfaParser } from "rdfa-streaming-parser";
import { internalsOf } from "../../base/internals.ts";
import { RDF as RDF_NAMESPACE } from "../../base/rdf/vocabulary.ts";
import type { MarkupOptions, MarkupReader } from "./markupReader.ts";
import type { Statements } from "./statements.ts";
import type { Element, Tag } from "./walkHtml.ts";

/** Prefixes in one attribute. */
const MAX_PREFIXES = 500;

/** Attributes without which RDFa says nothing; `rel` alone only does with a prefixed or a predefined term. */
const RDFA =
	/\s(?:(?:property|typeof|about|resource|vocab|prefix|inlist|datatype|role)\s*=|re[lv]\s*=\s*["']?[^"'>]{0,200}?(?::|license|describedby))/i;

/** Names the blank nodes of this syntax. */
const SCOPE = "rdfa";

/** Patterns may copy patterns that copy patterns: a page that does it more often is a bomb. */
const MAX_COPIES = 10_000;

const MAX_COPY_DEPTH = 20;

/** Copies of prefixes in a page: every element that declares some copies all. */
const MAX_COPIED_PREFIXES = 2_000_000;

/** Fields of the library that its types keep private. */
interface Internals {
	readonly activeTagStack: readonly IActiveTag[];
}

export function hasRdfa(text: string): boolean {
	return RDFA.test(text);
}

export function createRdfaReader(options: MarkupOptions, statements: Statements): MarkupReader {
	const parser = new ElementRdfaParser(options.base, statements);
	let textLeft = options.textBudget;
	let isStarted = false;
	let hasImpliedRoot = false;
	return {
		open({ name, attributes, element }: Tag) {
			// The first element is about the page, and a fragment's is not: browsers put it into `<html>`.
			hasImpliedRoot ||= !isStarted && name !== "html";
			if (!isStarted && hasImpliedRoot) parser.openElement("html", {}, element);
			isStarted = true;
			const { prefix, ...others } = attributes;
			return parser.openElement(
				name,
				prefix === undefined ? others : { ...others, prefix: tidy(prefix) },
				element,
			);
		},
		text(text) {
			textLeft -= text.length * parser.openValues;
			if (textLeft > 0) parser.onText(text);
		},
		close: () => parser.onTagClose(),
		end() {
			if (hasImpliedRoot) parser.onTagClose();
			parser.onEnd();
		},
		setBase: () => undefined,
	};
}

/** Only `name: iri` pairs: the library's own expression takes exponential time on anything else. */
function tidy(prefix: string): string {
	const words = prefix.trim().split(/\s+/);
	const pairs: string[] = [];
	for (let at = 0; at < words.length && pairs.length < MAX_PREFIXES; at++) {
		const word = words[at] ?? "";
		const colon = word.indexOf(":");
		if (colon < 0) continue;
		const iri = word.slice(colon + 1) || words[++at];
		if (iri) pairs.push(`${word.slice(0, colon)}: ${iri}`);
	}
	return pairs.join(" ");
}

/** The library's parser, told which element it is at, with its statements taken as they are made. */
class ElementRdfaParser extends RdfaParser {
	readonly #statements: Statements;
	/** Attributes are the only thing that the library keeps of an element that it copies later. */
	readonly #elements = new WeakMap<object, Element>();
	readonly #open: { readonly element: Element; readonly isValue: boolean }[] = [];
	readonly #internals: Internals;
	#copies = 0;
	#copyDepth = 0;
	#prefixes = 0;
	openValues = 0;

	constructor(base: string, statements: Statements) {
		const { html: features } = RDFA_FEATURES;
		// The library switches a feature off and on while it ends: on one object for all pages, unless it gets its own.
		super({ baseIRI: base, profile: "html", features: { ...features } });
		this.#statements = statements;
		this.#internals = internalsOf<Internals>(this, ["activeTagStack"]);
	}

	openElement(name: string, attributes: Record<string, string>, element: Element): boolean {
		this.#elements.set(attributes, element);
		this.onTagOpen(name, attributes);
		return "property" in attributes && !("typeof" in attributes);
	}

	override onTagOpen(name: string, attributes: Record<string, string>): void {
		const element = this.#elements.get(attributes) ?? this.#open.at(-1)?.element ?? { start: 1, end: 1 };
		const isNamed = "about" in attributes || "resource" in attributes;
		const entry = { element, isValue: false };
		this.#open.push(entry);
		this.#openTag(name, attributes);
		const tag = this.#internals.activeTagStack.at(-1);
		entry.isValue = Boolean(tag?.predicates);
		if (entry.isValue) this.openValues++;
		if (isNamed && tag?.explicitNewSubject && typeof tag.subject === "object") {
			this.#statements.declare(SCOPE, tag.subject, element);
		}
	}

	/** The library copies all prefixes for every element below one that declares some: here they are shared. */
	#openTag(name: string, attributes: Record<string, string>): void {
		const parent = this.#internals.activeTagStack.at(-1);
		if (!parent || parent.collectChildTags || this.#declaresPrefixes(attributes, parent)) {
			super.onTagOpen(name, attributes);
			return;
		}
		const { prefixesCustom } = parent;
		parent.prefixesCustom = {};
		super.onTagOpen(name, attributes);
		parent.prefixesCustom = prefixesCustom;
		const tag = this.#internals.activeTagStack.at(-1);
		if (tag) tag.prefixesCustom = prefixesCustom;
	}

	/** Prefixes are not taken any more when they have been copied too often. Elements of a pattern have none yet. */
	#declaresPrefixes(attributes: Record<string, string>, parent: IActiveTag): boolean {
		const declarations = Object.keys(attributes).filter((key) => key === "prefix" || key.startsWith("xmlns"));
		if (declarations.length === 0) return false;
		if (this.#prefixes <= MAX_COPIED_PREFIXES) {
			this.#prefixes += declarations.length + Object.keys(parent.prefixesAll ?? {}).length;
			return true;
		}
		for (const key of declarations) delete attributes[key];
		return false;
	}

	/** The library keeps every text, and copies it into every parent: only those that become values are wanted. */
	override onText(text: string): void {
		const tag = this.#internals.activeTagStack.at(-1);
		if (this.openValues > 0 || tag?.collectedPatternTag) super.onText(text);
	}

	override onTagClose(): void {
		const [parent, tag] = this.#internals.activeTagStack.slice(-2);
		for (const each of [parent, tag]) if (each) joinTexts(each);
		// The library forgets a value's text even if an element further out than its parent makes a value of it too.
		const isForgotten = tag?.predicates && parent && !parent.predicates && this.openValues > 1;
		const forgotten = isForgotten ? { ...tag } : undefined;
		super.onTagClose();
		if (parent && forgotten) appendTexts(parent, forgotten);
		if (this.#open.pop()?.isValue) this.openValues--;
	}

	protected override emitPatternCopy(parent: IActiveTag, pattern: IRdfaPattern, id: string): void {
		if (++this.#copies > MAX_COPIES || ++this.#copyDepth > MAX_COPY_DEPTH) {
			throw new Error("Its patterns are copied again and again.");
		}
		super.emitPatternCopy(parent, pattern, id);
		this.#copyDepth--;
	}

	protected override emitTriple(
		subject: RDF.Quad_Subject,
		predicate: RDF.Quad_Predicate,
		object: RDF.Quad_Object,
	): void {
		if (
			[subject, predicate, object].some((term) => term.termType === "NamedNode" && !term.value.includes(":"))
		) {
			return;
		}
		const element = this.#open.at(-1)?.element;
		if (!element) return;
		if (predicate.value === `${RDF_NAMESPACE}type`) this.#statements.declare(SCOPE, subject, element);
		this.#statements.add(SCOPE, { subject, predicate, object }, element);
	}
}

/** Two texts are kept apart, because the library drops the first, the tag itself, in some cases. */
function joinTexts(tag: IActiveTag): void {
	if (tag.textWithTags && tag.textWithTags.length > 2) tag.textWithTags = joinAfterFirst(tag.textWithTags);
	if (tag.textWithoutTags && tag.textWithoutTags.length > 1)
		tag.textWithoutTags = [concatenate(tag.textWithoutTags)];
}

function joinAfterFirst([first = "", ...others]: readonly string[]): string[] {
	return [first, concatenate(others)];
}

function appendTexts(parent: IActiveTag, { name, collectChildTags, ...texts }: IActiveTag): void {
	const { textWithTags = [], textWithoutTags = [] } = texts;
	const end = collectChildTags ? [`</${name}>`] : [];
	parent.textWithTags = [...(parent.textWithTags ?? []), ...textWithTags, ...end];
	parent.textWithoutTags = [...(parent.textWithoutTags ?? []), ...textWithoutTags];
}

/** Adding shares the parts in memory where joining would copy them. */
function concatenate(texts: readonly string[]): string {
	return texts.reduce((whole, text) => whole + text, "");
}
