import { MicrodataRdfParser } from "microdata-rdf-streaming-parser";
import { internalsOf } from "../../base/internals.ts";
import { problemAt } from "../../core/knowledge/document.ts";
import { only } from "../passages/source.ts";
import type { Element, MarkupReader, Tag } from "../readable/walkHtml.ts";
import type { Statements, Triple } from "./statements.ts";

const SCOPE = "microdata";

/** Maximum depth of elements to which `itemref` refers. Each such element keeps a copy of its content. */
const MAX_REFERENCED = 8;

interface Internals {
	readonly util: { baseIRI: string; deriveVocab(type: string, registry: unknown): string };
	readonly vocabRegistry: unknown;
	readonly textBufferStack: readonly unknown[];
	readonly isEmittingReferences: boolean;
}

const INTERNALS = ["util", "vocabRegistry", "textBufferStack", "isEmittingReferences"] as const;

/** Implements https://www.w3.org/TR/microdata-rdf/. */
export class MicrodataReader extends MicrodataRdfParser implements MarkupReader {
	readonly #statements: Statements;
	readonly #referenced: ReadonlySet<string>;
	/** Elements by their attributes: for repetition, the library keeps only the attributes. */
	readonly #elements = new WeakMap<object, Element>();
	/** Open elements. `id` is set only if an `itemref` refers to the element. */
	readonly #open: { readonly element: Element; readonly id: string | undefined; isValue: boolean }[] = [];
	readonly #internals: Internals;
	#textLeft: number;
	#openValues = 0;
	#openReferenced = 0;

	constructor(base: string, statements: Statements, referenced: ReadonlySet<string>) {
		super({ baseIRI: base });
		this.#statements = statements;
		this.#referenced = referenced;
		this.#textLeft = statements.limits.characters;
		// IDs in a page must not match inherited properties of objects.
		Object.assign(this, {
			pendingItemRefsDomain: { __proto__: null },
			pendingItemRefsRangeFinalized: { __proto__: null },
			pendingItemRefsRangeCollecting: { __proto__: null },
		});
		this.#internals = internalsOf<Internals>(this, INTERNALS);
	}

	setBase(iri: string): void {
		this.#internals.util.baseIRI = iri;
	}

	openTag({ name, attributes, element }: Tag): boolean {
		// Hide unreferenced IDs, because the library copies the content of every element with an ID.
		const { id = "", ...others } = attributes;
		const isKept = this.#referenced.has(id) && this.#openReferenced < MAX_REFERENCED;
		const own = isKept ? { ...attributes } : others;
		this.#elements.set(own, element);
		this.onTagOpen(name, own);
		return "itemprop" in own && !("itemscope" in own);
	}

	addText(text: string): void {
		this.#textLeft -= text.length * this.#openValues;
		if (this.#textLeft > 0 && (this.#openReferenced > 0 || this.#openValues > 0)) this.onText(text);
	}

	override onTagOpen(name: string, attributes: Record<string, string>): void {
		const element = this.#elements.get(attributes) ?? only(1);
		const { id, itemref = "" } = attributes;
		if (itemref !== "") this.#reportCycle(itemref.split(/\s+/), element);
		const entry = { element, id, isValue: false };
		this.#open.push(entry);
		if (id !== undefined) this.#openReferenced++;
		super.onTagOpen(name, attributes);
		entry.isValue = this.#internals.textBufferStack.at(-1) !== undefined;
		if (entry.isValue) this.#openValues++;
		const scope = "itemscope" in attributes ? this.getItemScope() : undefined;
		if (!scope?.subject) return;
		this.#statements.declare(SCOPE, scope.subject, element);
		// Set the vocabulary, because the library would use the vocabulary of the enclosing item.
		const { util, vocabRegistry } = this.#internals;
		const [type = ""] = attributes["itemtype"]?.trim().split(/\s+/) ?? [];
		if (URL.canParse(type)) scope.vocab = util.deriveVocab(type, vocabRegistry);
	}

	override onTagClose(): void {
		super.onTagClose();
		const closed = this.#open.pop();
		if (closed?.isValue) this.#openValues--;
		if (closed?.id !== undefined) this.#openReferenced--;
	}

	#reportCycle(references: readonly string[], element: Element): void {
		const cycle = this.#open.find(({ id }) => id !== undefined && references.includes(id));
		if (!cycle || this.#internals.isEmittingReferences) return;
		const message = `This item refers to "${cycle.id}", which contains it.`;
		this.#statements.problems.push(problemAt(element.start, message));
	}

	protected override emitTriple(...triple: Triple): void {
		const element = this.#open.at(-1)?.element;
		if (element) this.#statements.add(SCOPE, triple, element);
	}
}
