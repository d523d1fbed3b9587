import type { ParsedDocument } from "../../core/knowledge/document.ts";
import type { Source } from "../passages/source.ts";
import { readDelimited } from "./delimited.ts";
import { readLightMarkup } from "./lightMarkup.ts";
import { MARKUPS } from "./markups.ts";
import { readSubtitles } from "./subtitles.ts";

export const TEXT_READERS = {
	asciidoc: (source) => readLightMarkup(MARKUPS.asciidoc, source),
	restructuredtext: (source) => readLightMarkup(MARKUPS.restructuredtext, source),
	latex: (source) => readLightMarkup(MARKUPS.latex, source),
	org: (source) => readLightMarkup(MARKUPS.org, source),
	subtitles: readSubtitles,
	table: readDelimited,
} satisfies Record<string, (source: Source) => ParsedDocument>;
