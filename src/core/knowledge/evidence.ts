import { type Citation, formatCitation, uncited } from "./citation.ts";
import type { Extent, Listing, SearchResult } from "./knowledge.ts";
import { extentText } from "./searchSummary.ts";

/** Maximum characters of a title that is shown on one line. */
const BRIEF_TITLE = 80;
const BRIEF_TEXT = 100;

interface Piece extends Citation {
	readonly title: string;
	readonly text: string;
	readonly others?: readonly (Citation & { readonly text: string })[];
}

/** Formats a piece of a source for a model: citation, title and text, followed by what `others` add. */
export function formatEvidence(piece: Piece): string {
	const others = piece.others?.map((other) => `${formatCitation(other)} ${uncited(other.text)}`) ?? [];
	const title = onOneLine(piece.title);
	// The text of a verbalized resource already begins with the title.
	const isTold = `${piece.text}\n`.startsWith(`${title}\n`);
	const first = `${formatCitation(piece)} ${uncited(isTold ? piece.text : `${title}\n${piece.text}`)}`;
	return [first, ...others].join("\n");
}

export function formatBriefly(piece: Piece): string {
	const { title, text } = piece;
	const lead = text.startsWith(title) ? text.slice(title.length) : text;
	return `${formatCitation(piece)} ${uncited(`${cut(title, BRIEF_TITLE)}: ${cut(lead, BRIEF_TEXT)}`)}`;
}

function cut(text: string, most: number): string {
	const line = onOneLine(text).trim();
	return line.length > most ? `${line.slice(0, most).toWellFormed()}…` : line;
}

/** Formats a listing for a model: the number of resources, and a line with a citation for each resource. */
export function formatListing({ kind, what, total, added, items, truncated }: Listing, extent?: Extent) {
	const lines = items.map(({ label, iri, values = [], citation }) => {
		const told = values.map(({ name, value }) => `${name} ${value}`).join(", ");
		const name = `${label}${iri === undefined ? "" : ` <${iri}>`}${told && ` (${told})`}`;
		return `- ${uncited(onOneLine(name))} ${formatCitation(citation)}`;
	});
	const shown = truncated ? `; the first ${items.length}` : "";
	const sum = added ? `${kind} of ${added.name} ${added.value}, of ` : "";
	const found = `${uncited(onOneLine(sum))}${kind === "comparison" ? "" : `${total} × `}${uncited(onOneLine(what))}${shown}`;
	const head = `${kind === "comparison" ? "Compared" : "Counted"} in ${extentText(extent)}: ${found}`;
	const rest = truncated ? [`- and ${total - items.length} more`] : [];
	return `${head}:\n${[...lines, ...rest].join("\n")}`;
}

export function formatListings(found: SearchResult): string[] {
	const { listing, otherListings = [], extent } = found;
	return [listing ?? [], otherListings].flat().map((one) => formatListing(one, extent));
}

function onOneLine(text: string): string {
	return text.replace(/[\s\p{Cc}]+/gu, " ");
}
