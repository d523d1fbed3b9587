import type { Place } from "../core/knowledge/place.ts";
import type { LineRange } from "../core/knowledge/source.ts";
import type { Quote } from "./quoteAnswer.ts";

/** Lines of a file as they stand in it. */
export interface FileLines {
	readonly text: string;
	readonly lines: Place;
}

/** A quote with the lines that hold its own words, where these are found among the lines of its passage. */
export function narrow(quote: Quote, source: FileLines): Quote {
	const found =
		quote.property === undefined ? linesOfSentence(quote.text, source) : linesOfValue(quote, source);
	if (!found) return quote;
	const { start } = source.lines;
	const lines = { ...source.lines, start: start + found.start, end: start + found.end };
	return { ...quote, citation: { ...quote.citation, lines } };
}

/** From 0. Only letters and digits are compared: files wrap, indent and mark up what passages tell in one line. */
function linesOfSentence(said: string, { text }: FileLines): LineRange | undefined {
	return lookFor(said, text) ?? lookFor(said, withoutTags(text)) ?? lookFor(cellsOf(said), text);
}

/** A row of a table tells the name of a column before each cell, and the file does not. */
function cellsOf(said: string): string {
	const cells = said.split(" | ");
	return cells.length < 2 ? "" : cells.map((cell) => cell.replace(/^[^:]{1,80}: /, "")).join(" ");
}

function lookFor(said: string, text: string): LineRange | undefined {
	const wanted = fold(said);
	const starts: number[] = [];
	let all = "";
	for (const line of text.split("\n")) {
		starts.push(all.length);
		all += fold(line);
	}
	const at = wanted === "" ? -1 : all.indexOf(wanted);
	if (at < 0) return undefined;
	const lineAt = (offset: number) => starts.findLastIndex((start) => start <= offset);
	return { start: lineAt(at), end: lineAt(at + wanted.length - 1) };
}

/** The line with the value and the name of its property, else the value below that name, else the value. */
function linesOfValue({ text: value, property = "" }: Quote, { text }: FileLines): LineRange | undefined {
	const lines = text.split("\n").map(fold);
	const places = value.split("; ").map((each) => lineOf(fold(each), fold(property), lines));
	if (places.some((place) => place < 0)) return undefined;
	return { start: Math.min(...places), end: Math.max(...places) };
}

function lineOf(value: string, property: string, lines: readonly string[]): number {
	const places = lines.flatMap((line, index) => (value !== "" && line.includes(value) ? [index] : []));
	const named = places.find((place) => lines[place]?.includes(property));
	const below = places.find((place) => lines[place - 1]?.includes(property));
	return named ?? below ?? places[0] ?? -1;
}

/** Lines stay lines. */
function withoutTags(text: string): string {
	return text.replace(/<[^<>]*>/g, (tag) => tag.replace(/[^\n]/g, ""));
}

function fold(text: string): string {
	return text
		.normalize("NFKC")
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]+/gu, "");
}
