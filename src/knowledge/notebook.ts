import { fieldOf, listOf } from "../base/values.ts";
import type { ParsedDocument } from "../core/knowledge/document.ts";
import { documentOfText, toBlocks } from "./passages/passages.ts";
import { createSections, cutSections, type Section } from "./passages/sections.ts";
import { fileName, type Line, only, type Source } from "./passages/source.ts";
import { placeOf, readLocatedJson } from "./rdf/jsonLd/locatedJson.ts";

/** Reads the source of cells, without outputs, in sections by the headings of Markdown cells. */
export function parseNotebook({ uri, text }: Source): ParsedDocument {
	const { value, problems } = readLocatedJson(text);
	const sections = sectionsOf(value);
	const title = sections.flatMap(({ path }) => path)[0] ?? fileName(uri);
	return documentOfText(title, cutSections(title, sections), problems);
}

function headingOf(line: Line | undefined): readonly string[] {
	return /^(#{1,6})\s+(.*?)\s*#*\s*$/.exec(line?.text ?? "")?.slice(1) ?? [];
}

function sectionsOf(notebook: unknown): readonly Section[] {
	const sections = createSections();
	for (const cell of listOf(notebook, "cells")) {
		const isMarkdown = fieldOf(cell, "cell_type") === "markdown";
		const lines = sourceOf(cell);
		const [first, ...others] = lines;
		const [marks, text = ""] = headingOf(isMarkdown ? first : undefined);
		if (marks && first) sections.enter(marks.length, text, { ...first, text });
		const body = marks ? others : lines;
		const blocks = isMarkdown ? toBlocks(body, "lines") : [{ kind: "code" as const, lines: body }];
		blocks.forEach(sections.add);
	}
	return sections.all;
}

/** Source lines of a cell. If the file does not store each line on its own line, every line gets the whole range. */
function sourceOf(cell: unknown): Line[] {
	const source = fieldOf(cell, "source");
	const range = placeOf(cell)?.members.get("source") ?? only(1);
	const texts = Array.isArray(source) ? source.map(String) : [];
	if (typeof source === "string") texts.push(...source.split("\n"));
	const isOnePerLine = Array.isArray(source) && range.end - range.start === texts.length + 1;
	const linesAt = (index: number) => (isOnePerLine ? only(range.start + 1 + index) : range);
	return texts.map((text, index) => ({ text: text.replace(/\r?\n$/, ""), lines: linesAt(index) }));
}
