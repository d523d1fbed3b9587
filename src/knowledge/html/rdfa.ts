import { type IActiveTag, type IRdfaPattern, RDFA_FEATURES, RdfaParser } from "rdfa-streaming-parser";
import { internalsOf } from "../../base/internals.ts";
import { RDF_TYPE } from "../../base/rdf/vocabulary.ts";
import type { Element, MarkupReader, Tag } from "../readable/walkHtml.ts";
import type { Statements, Triple } from "./statements.ts";

const MAX_PREFIXES = 500;

/** Attributes that indicate RDFa. `rel` counts only with a prefixed or predefined term. */
export const RDFA =
	/\s(?:(?:property|typeof|about|resource|vocab|prefix|inlist|datatype|role)\s*=|re[lv]\s*=\s*["']?[^"'>]{0,200}?(?::|license|describedby))/i;

const SCOPE = "rdfa";

/** Maximum number of copied patterns, because patterns can copy each other exponentially. */
const MAX_COPIES = 10_000;
const MAX_COPY_DEPTH = 20;
/** Maximum total number of copied prefixes. Each element that declares prefixes copies all prefixes. */
const MAX_COPIED_PREFIXES = 2_000_000;

/** Keeps only pairs `name: iri`, because the library's pattern takes exponential time on other text. */
function tidy(prefix: string): string {
	const pairs = prefix.matchAll(/(?<!\S)([^\s:]*):\s*(\S+)/g).take(MAX_PREFIXES);
	return Array.from(pairs, ([, name, iri]) => `${name}: ${iri}`).join(" ");
}

export class RdfaReader extends RdfaParser implements MarkupReader {
	readonly #statements: Statements;
	/** Elements by their attributes, because the library keeps only the attributes of a pattern that it copies later. */
	readonly #elements = new WeakMap<object, Element>();
	readonly #open: { readonly element: Element; readonly isValue: boolean }[] = [];
	readonly #tags: readonly IActiveTag[];
	/** `undefined` before the first element. */
	#hasImpliedRoot: boolean | undefined;
	#textLeft: number;
	#copies = 0;
	#copyDepth = 0;
	#prefixes = 0;
	#openValues = 0;

	constructor(base: string, statements: Statements) {
		const { html: features } = RDFA_FEATURES;
		// The library modifies this object, so pages must not share it.
		super({ baseIRI: base, profile: "html", features: { ...features } });
		this.#statements = statements;
		this.#textLeft = statements.limits.characters;
		this.#tags = internalsOf<{ activeTagStack: IActiveTag[] }>(this, ["activeTagStack"]).activeTagStack;
	}

	openTag({ name, attributes, element }: Tag): boolean {
		// The root element describes the page. As in browsers, a fragment gets an implied root `<html>`.
		const isImplied = this.#hasImpliedRoot === undefined && name !== "html";
		this.#hasImpliedRoot ??= isImplied;
		if (isImplied) this.#openElement("html", {}, element);
		const { prefix, ...others } = attributes;
		const own = prefix === undefined ? others : { ...others, prefix: tidy(prefix) };
		this.#openElement(name, own, element);
		return "property" in own && !("typeof" in own);
	}

	#openElement(name: string, attributes: Record<string, string>, element: Element): void {
		this.#elements.set(attributes, element);
		this.onTagOpen(name, attributes);
	}

	addText(text: string): void {
		this.#textLeft -= text.length * this.#openValues;
		if (this.#textLeft > 0) this.onText(text);
	}

	override onEnd(): void {
		if (this.#hasImpliedRoot) this.onTagClose();
		super.onEnd();
	}

	override onTagOpen(name: string, attributes: Record<string, string>): void {
		const element = this.#elements.get(attributes) ?? this.#open.at(-1)?.element ?? { start: 1, end: 1 };
		const isNamed = "about" in attributes || "resource" in attributes;
		const entry = { element, isValue: false };
		this.#open.push(entry);
		this.#openTag(name, attributes);
		const tag = this.#tags.at(-1);
		entry.isValue = Boolean(tag?.predicates);
		if (entry.isValue) this.#openValues++;
		if (isNamed && tag?.explicitNewSubject && typeof tag.subject === "object")
			this.#statements.declare(SCOPE, tag.subject, element);
	}

	/** Shares prefixes with the parent, because the library would copy all prefixes for every element. */
	#openTag(name: string, attributes: Record<string, string>): void {
		const parent = this.#tags.at(-1);
		if (!parent || parent.collectChildTags || this.#declaresPrefixes(attributes, parent)) {
			super.onTagOpen(name, attributes);
			return;
		}
		const { prefixesCustom } = parent;
		parent.prefixesCustom = {};
		super.onTagOpen(name, attributes);
		parent.prefixesCustom = prefixesCustom;
		const tag = this.#tags.at(-1);
		if (tag) tag.prefixesCustom = prefixesCustom;
	}

	/** Whether an element declares prefixes. Removes the declarations once the library has copied too many prefixes. */
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

	/** Passes only texts that become values, because the library copies every text into all parents. */
	override onText(text: string): void {
		if (this.#openValues > 0 || this.#tags.at(-1)?.collectedPatternTag) super.onText(text);
	}

	override onTagClose(): void {
		const [parent, tag] = this.#tags.slice(-2);
		for (const each of [parent, tag]) if (each) joinTexts(each);
		// The library drops the text of a value even if an outer value includes it.
		const isForgotten = tag?.predicates && parent && !parent.predicates && this.#openValues > 1;
		const forgotten = isForgotten ? { ...tag } : undefined;
		super.onTagClose();
		if (parent && forgotten) appendTexts(parent, forgotten);
		if (this.#open.pop()?.isValue) this.#openValues--;
	}

	protected override emitPatternCopy(parent: IActiveTag, pattern: IRdfaPattern, id: string): void {
		if (++this.#copies > MAX_COPIES || ++this.#copyDepth > MAX_COPY_DEPTH)
			throw new Error("Its patterns are copied again and again.");
		super.emitPatternCopy(parent, pattern, id);
		this.#copyDepth--;
	}

	protected override emitTriple(...triple: Triple): void {
		const isRelative = triple.some((term) => term.termType === "NamedNode" && !term.value.includes(":"));
		const element = this.#open.at(-1)?.element;
		if (isRelative || !element) return;
		const [subject, predicate] = triple;
		if (predicate.value === RDF_TYPE) this.#statements.declare(SCOPE, subject, element);
		this.#statements.add(SCOPE, triple, element);
	}
}

/** Merges all texts except the first text, which the library sometimes drops as the tag itself. */
function joinTexts(tag: IActiveTag): void {
	const { textWithTags: [first = "", ...others] = [], textWithoutTags = [] } = tag;
	if (others.length > 1) tag.textWithTags = [first, concatenate(others)];
	if (textWithoutTags.length > 1) tag.textWithoutTags = [concatenate(textWithoutTags)];
}

function appendTexts(parent: IActiveTag, { name, collectChildTags, ...texts }: IActiveTag): void {
	const { textWithTags = [], textWithoutTags = [] } = texts;
	const end = collectChildTags ? [`</${name}>`] : [];
	parent.textWithTags = [...(parent.textWithTags ?? []), ...textWithTags, ...end];
	parent.textWithoutTags = [...(parent.textWithoutTags ?? []), ...textWithoutTags];
}

/** Concatenation shares memory, while `join` copies. */
function concatenate(texts: readonly string[]): string {
	return texts.reduce((whole, text) => whole + text, "");
}
