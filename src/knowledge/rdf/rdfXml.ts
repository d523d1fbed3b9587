import type * as RDF from "@rdfjs/types";
import { RdfXmlParser } from "rdfxml-streaming-parser";
import { messageOf } from "../../base/failure.ts";
import { internalsOf } from "../../base/internals.ts";
import { BEGIN_OF_TURTLE } from "../../base/rdf/vocabulary.ts";
import type { LineRange } from "../../core/knowledge/citation.ts";
import { type Problem, problemAt } from "../../core/knowledge/document.ts";
import { type Quad, quadFromRdfjs } from "../../core/knowledge/rdf.ts";
import type { Parse } from "../passages/source.ts";
import { type RdfContent, toRdfDocument } from "./rdfDocument.ts";
import { turtle } from "./turtle.ts";

const MAX_PROBLEMS = 50;
/** Maximum number of errors. A text with more errors is not XML, and every error takes time. */
const MAX_ERRORS = 1000;
/** Maximum depth. Deeper elements contain no data, and the cost increases with the depth. */
const MAX_DEPTH = 1000;
/** Maximum number of characters of all expanded entities. */
const MAX_EXPANSION = 64_000_000;

const NOT_READ = "Nothing after this error is read.";

const ENTITY = /<!ENTITY\s+([^\s"'%]+)\s+(?:"([^"]*)"|'([^']*)')\s*>/g;

/** Parses RDF/XML or mislabeled Turtle. Omits broken elements with their content. */
export const parseRdfXml: Parse = (source) =>
	BEGIN_OF_TURTLE.test(source.text)
		? turtle(source)
		: toRdfDocument(source, new ElementParser(source.uri, source.text).readAll());

/** Lines of an element. Those of the whole element are final after the element is closed. */
interface Element {
	readonly opening: LineRange;
	readonly whole: { readonly start: number; end: number };
}

interface Internals {
	readonly saxParser: {
		readonly line: number;
		readonly column: number;
		readonly ENTITIES: Record<string, string>;
		on(event: "opentagstart", listener: () => void): void;
		write(text: string): { close(): void };
	};
	readonly activeTagStack: {
		predicate?: RDF.Term | null;
		text?: string;
		childrenStringTags?: string[];
		predicateEmitted?: boolean;
	}[];
}

class UnreadableError extends Error {
	override readonly name = "UnreadableError";
}

/** Parses on after errors, and receives statements as soon as the library creates them. */
class ElementParser extends RdfXmlParser {
	readonly problems: Problem[] = [];
	readonly #text: string;
	readonly #quads: Quad[] = [];
	readonly #open: Element[] = [];
	readonly #internals: Internals;
	#tagStart = 1;
	#isClosing = false;
	#errors = 0;

	constructor(base: string, text: string) {
		super({ baseIRI: base });
		this.#text = text;
		this.#internals = internalsOf<Internals>(this, ["saxParser", "activeTagStack"]);
		const { saxParser } = this.#internals;
		saxParser.on("opentagstart", () => {
			// This event comes one character after the name, which may be a line end.
			this.#tagStart = saxParser.column === 0 ? saxParser.line - 1 : saxParser.line;
		});
		this.on("error", (error) => {
			this.#report(error);
			// At an unmatched closing tag, the library closes all elements, so the text after the tag is lost.
			if (error.message.includes("unmatched closing tag")) throw new UnreadableError(NOT_READ);
		});
	}

	readAll(): RdfContent {
		try {
			this.#internals.saxParser.write(this.#text).close();
		} catch (thrown) {
			if (!(thrown instanceof UnreadableError)) throw thrown;
			this.#tell(thrown);
		}
		return { quads: this.#quads, problems: this.problems };
	}

	/** Receives statements from the library's stream. */
	override push(quad: RDF.Quad): boolean {
		const [parentTag, tag] = this.#lastTags();
		const isOfParent = !this.#isClosing && parentTag?.predicate === quad.predicate;
		const element = (isOfParent ? this.#open.at(-2) : undefined) ?? this.#open.at(-1);
		const isWhole = isOfParent || this.#isClosing || tag?.predicate === quad.predicate;
		const stated = element && quadFromRdfjs(quad, isWhole ? element.whole : element.opening);
		if (stated) this.#quads.push(stated);
		return true;
	}

	protected override onTag(tag: Parameters<RdfXmlParser["onTag"]>[0]): void {
		if (this.#open.length === MAX_DEPTH)
			throw new UnreadableError(`Elements nested deeper than ${MAX_DEPTH} levels are not read.`);
		const lines = { start: this.#tagStart, end: this.#internals.saxParser.line };
		this.#open.push({ opening: lines, whole: { ...lines } });
		try {
			super.onTag(tag);
		} catch (thrown) {
			this.#report(thrown);
			this.#ignoreContent();
		}
	}

	/** Joins texts, because the library keeps only the last piece around a comment or CDATA section. */
	protected override onText(text: string): void {
		const tag = this.#internals.activeTagStack.at(-1);
		if (tag?.predicate && !tag.childrenStringTags) tag.text = (tag.text ?? "") + text;
		else super.onText(text);
	}

	protected override onCloseTag(): void {
		const element = this.#open.at(-1);
		if (element) element.whole.end = this.#internals.saxParser.line;
		this.#isClosing = true;
		try {
			super.onCloseTag();
		} catch (thrown) {
			this.#report(thrown);
		}
		this.#isClosing = false;
		this.#open.pop();
	}

	/** Defines entities, most of which are namespaces. Skips entities that would expand too much. */
	protected override onDoctype(doctype: string): void {
		const references = this.#text.split("&").length - 1;
		for (const [, name = "", quoted, apostrophed] of doctype.matchAll(ENTITY)) {
			const value = quoted ?? apostrophed ?? "";
			if (value.length * references > MAX_EXPANSION) {
				this.#report(new Error(`The entity "${name}" is too long to be replaced everywhere.`));
			} else this.#internals.saxParser.ENTITIES[name] = value;
		}
	}

	#lastTags() {
		const { activeTagStack } = this.#internals;
		return [activeTagStack.at(-2), activeTagStack.at(-1)] as const;
	}

	#ignoreContent(): void {
		const [parent, tag] = this.#lastTags();
		if (parent) parent.predicateEmitted = true;
		if (tag) Object.assign(tag, { predicate: null, childrenStringTags: [] });
	}

	#report(thrown: unknown): void {
		this.#tell(thrown);
		this.#errors++;
		if (this.#errors === MAX_ERRORS) throw new UnreadableError(NOT_READ);
	}

	#tell(thrown: unknown): void {
		const message = messageOf(thrown).replace(/^\d+:\d+: /, "");
		const { line } = this.#internals.saxParser;
		const last = this.problems.at(-1);
		const isRepeated = last?.message === message && last.lines.start === line;
		if (!isRepeated && this.problems.length < MAX_PROBLEMS) this.problems.push(problemAt(line, message));
	}
}
