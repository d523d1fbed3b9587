import type { LineRange } from "../../core/knowledge/source.ts";
import { filePathOf, uriOf } from "../files/fileUri.ts";

/** What somebody asks to read. */
export interface ReadTarget {
	/** An IRI, a path, a `file:` URI in the spelling of the index, or a label. */
	readonly name: string;
	readonly lines?: LineRange;
}

/** What a text may mean: as it stands, or with lines at its end. Brackets of a citation or an IRI do not count. */
export function targetsOf(text: string): ReadTarget[] {
	const bare = text.trim().replace(/^\[(.*)\]$|^<(.*)>$/s, "$1$2");
	const withLines = /^(.+):(\d+)(?:-(\d+))?$/s.exec(bare);
	if (!withLines) return [{ name: canonical(bare) }];
	const [, name = "", first = "", last = first] = withLines;
	const start = Math.max(1, Number(first));
	return [
		{ name: canonical(bare) },
		{ name: canonical(name), lines: { start, end: Math.max(start, Number(last)) } },
	];
}

function canonical(name: string): string {
	const path = filePathOf(name);
	return path === undefined ? name.replace(/^(?:\.\/)+/, "") : uriOf(path);
}
