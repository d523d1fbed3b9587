import { messageOf } from "../../base/failure.ts";
import type { Source } from "../passages/format.ts";
import { only } from "../passages/lines.ts";
import type { MarkupOptions, MarkupReader } from "./markupReader.ts";
import { createMicrodataReader } from "./microdata.ts";
import { createRdfaReader, hasRdfa } from "./rdfa.ts";
import { limitsFor, type Statements } from "./statements.ts";

/** The readers that a page needs, as one. */
export function createMarkupReaders({ uri, text }: Source, statements: Statements): MarkupReader {
	const options: MarkupOptions = {
		base: uri,
		textBudget: limitsFor(text).characters,
	};
	const readers: MarkupReader[] = [];
	if (/\sitemscope/i.test(text)) {
		readers.push(createMicrodataReader({ ...options, referenced: referencedIds(text) }, statements));
	}
	if (hasRdfa(text)) readers.push(createRdfaReader(options, statements));
	return combineReaders(readers, (thrown, line) =>
		statements.addProblem({
			severity: "error",
			message: `The linked data of this page is read only up to here: ${messageOf(thrown)}`,
			lines: only(line),
		}),
	);
}

/** What the `itemref`s of a page name, as far as a cheap look can tell: a few too many do no harm. */
function referencedIds(text: string): Set<string> {
	const values = text.matchAll(/\sitemref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/gi);
	return new Set([...values].flatMap(([, ...value]) => value.join("").split(/\s+/)));
}

/** A reader that gives up is left out from then on: what it has found stays. */
function combineReaders(
	readers: readonly MarkupReader[],
	onFailure: (thrown: unknown, line: number) => void,
): MarkupReader {
	const active = new Set(readers);
	let line = 1;
	return {
		open(tag) {
			line = tag.element.start;
			let isValue = false;
			each((reader) => {
				isValue = reader.open(tag) || isValue;
			});
			return isValue;
		},
		text: (text) => each((reader) => reader.text(text)),
		close: () => each((reader) => reader.close()),
		end: () => each((reader) => reader.end()),
		setBase: (iri) => each((reader) => reader.setBase(iri)),
	};

	function each(read: (reader: MarkupReader) => void) {
		for (const reader of active) {
			try {
				read(reader);
			} catch (thrown) {
				active.delete(reader);
				onFailure(thrown, line);
			}
		}
	}
}
