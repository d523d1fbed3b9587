import { runsOf } from "../../base/values.ts";
import { decodeEntities } from "../../base/words/entities.ts";
import { heightOf, MOST_LINES } from "../../core/knowledge/citation.ts";

import type { ParsedDocument } from "../../core/knowledge/document.ts";
import { cutPassages, documentOfText } from "../passages/passages.ts";
import { PATH_MARK } from "../passages/sections.ts";
import {
	fileName,
	isBlank,
	type Line,
	lineWhere,
	type Source,
	span,
	splitLines,
	squeeze,
} from "../passages/source.ts";

interface Cue {
	readonly from: string;
	readonly to: string;
	readonly said: Line;
}

const BLOCK = 700;

const TIME = "(?:(\\d{1,4}):)?(\\d{1,2}):(\\d{2})[.,]\\d{1,3}";
const TIMES = new RegExp(`^\\s*${TIME}\\s*-->\\s*${TIME}`);

/** Reads spoken text without numbers and marks. The title of a passage contains its time span. */
export function readSubtitles({ uri, text }: Source): ParsedDocument {
	const title = fileName(uri);
	const passages = runsOf(cuesIn(splitLines(text)), goesOn).flatMap((cues) => {
		const times = `${cues[0]?.from ?? ""}–${cues.at(-1)?.to ?? ""}`;
		const lines = cues.map(({ said }) => said);
		return cutPassages(`${title}${PATH_MARK}${times}`, [{ kind: "lines", lines }]);
	});
	return documentOfText(title, passages);
}

function goesOn(run: readonly Cue[], cue: Cue): boolean {
	const length = [...run, cue].reduce((sum, { said }) => sum + said.text.length + 1, 0);
	return length <= BLOCK + 1 && heightOf(span((run[0] ?? cue).said.lines, cue.said.lines)) <= MOST_LINES;
}

function cuesIn(lines: readonly Line[]): Cue[] {
	const cues: Cue[] = [];
	for (let at = 0; at < lines.length; at++) {
		const times = TIMES.exec(lines[at]?.text ?? "");
		if (!times) continue;
		const end = lineWhere(lines, at + 1, (text) => isBlank(text) || TIMES.test(text));
		const own = lines.slice(at + 1, end);
		const [first, last] = [lines[at], own.at(-1)];
		const text = squeeze(own.map((line) => wordsOf(line.text)).join(" "));
		if (first && last && text !== "") {
			const [from, to] = [timeOf(times.slice(1, 4)), timeOf(times.slice(4, 7))];
			cues.push({ from, to, said: { text, lines: span(first.lines, last.lines) } });
		}
		at = end - 1;
	}
	return cues;
}

function timeOf(parts: readonly (string | undefined)[]): string {
	return parts.map((part = "0") => part.padStart(2, "0")).join(":");
}

/** Removes marks. Keeps the speaker in `<v Ada>`. */
function wordsOf(text: string): string {
	const plain = text
		.replace(/<v(?:\.[\w.]{1,60})?\s+([^<>]{1,100})>/g, "$1: ")
		.replace(/<\/?[\w.:]{1,60}(?:\s[^<>]{0,200})?>|\{\\[^{}]{1,60}\}|&[lr]lm;/g, "");
	return decodeEntities(plain);
}
