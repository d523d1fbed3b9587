import { SCHEMA } from "../../base/rdf/vocabulary.ts";
import { literal, type NamedNode, namedNode } from "../../core/knowledge/rdf.ts";
import type { LineRange } from "../../core/knowledge/source.ts";
import { fileStem } from "../passages/fileName.ts";
import type { Section } from "../passages/sections.ts";
import type { Records } from "./records.ts";

export interface HeadingPlace {
	/** Innermost heading, or the file's name. */
	readonly heading: string;
	/** Lines of the section's own heading. */
	readonly lines?: LineRange | undefined;
	/** The document for its title, else a resource that is added on first use. */
	thing(): NamedNode;
}

/** A line may have several resources. */
export type LineIris = (line: number) => string;

export function createLineIris(uri: string): LineIris {
	const used = new Map<number, number>();
	return (line) => {
		const before = used.get(line) ?? 0;
		used.set(line, before + 1);
		return `${uri}#line=${line}${before === 0 ? "" : `;${before + 1}`}`;
	};
}

interface Headed {
	readonly uri: string;
	readonly sections: readonly Section[];
	readonly records: Records;
	readonly lineIris: LineIris;
}

/** Sections must be entered in order. */
export function createHeadings({ uri, sections, records, lineIris }: Headed) {
	const document: HeadingPlace = { heading: fileStem(uri), thing: () => namedNode(uri) };
	const title = titleIn(sections);
	const open: HeadingPlace[] = [];
	return {
		enter: (section: Section): HeadingPlace => {
			const { path } = section;
			const lines = linesOf(section);
			open.length = Math.min(open.length, lines ? path.length - 1 : path.length);
			const outer = open.at(-1) ?? document;
			const heading = path.at(-1) ?? document.heading;
			if (!lines) return { heading, thing: outer.thing };
			const thing = section === title ? document.thing : () => addHeading(heading, lines, outer);
			const place = { heading, lines, thing: lazily(thing) };
			open.push(place);
			return place;
		},
	};

	function addHeading(heading: string, lines: LineRange, outer: HeadingPlace): NamedNode {
		const whole = outer.thing();
		const subject = namedNode(lineIris(lines.start));
		if (!records.add({ subject, label: heading, lines })) return whole;
		records.state(subject, `${SCHEMA}name`, literal(heading), lines);
		records.state(subject, `${SCHEMA}isPartOf`, whole, lines);
		return subject;
	}
}

function linesOf({ path, heading, headingLines }: Section): LineRange | undefined {
	return path.length > 0 && heading?.text !== "" ? (heading?.lines ?? headingLines) : undefined;
}

/** The first heading if it is alone on its level, or has no text of its own. */
function titleIn(sections: readonly Section[]): Section | undefined {
	const [first, ...others] = sections.filter((section) => linesOf(section));
	const isAlone = others.every(({ path }) => path.length > 1);
	const isBare = first?.blocks.length === 0 && others[0]?.path.length === 1;
	return isAlone || isBare ? first : undefined;
}

function lazily<Value>(make: () => Value): () => Value {
	let made: { readonly value: Value } | undefined;
	return () => {
		made ??= { value: make() };
		return made.value;
	};
}
