import type { ParsedDocument } from "../../core/knowledge/document.ts";
import type { Source } from "../passages/format.ts";
import { readAsciidoc } from "./asciidoc.ts";
import { readDelimited } from "./delimited.ts";
import { readLatex } from "./latex.ts";
import { readOrg } from "./org.ts";
import { readRestructuredText } from "./restructuredText.ts";
import { readSubtitles } from "./subtitles.ts";

/** By format id. */
export const TEXT_READERS = {
	asciidoc: readAsciidoc,
	restructuredtext: readRestructuredText,
	latex: readLatex,
	org: readOrg,
	subtitles: readSubtitles,
} satisfies Record<string, (source: Source) => ParsedDocument>;

export const readTable = readDelimited;
