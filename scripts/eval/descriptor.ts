import { readableName } from "../../src/base/rdf/vocabulary.ts";
import type { Passage } from "../../src/core/knowledge/document.ts";
import type { Rewrite } from "./corpus.ts";

/** Number of first characters of the text in a descriptor. */
const BEGINNING = 300;

/**
 * Replaces passages by descriptors, which describe them without a model: headings, words of the path, and the
 * beginning of the text; for code, the name and comment of the function.
 */
export const toDescriptors: Rewrite = ({ passages }, path) =>
	passages.map((passage) => ({ ...passage, title: "", text: describe(passage, path) }));

function describe({ title, text }: Passage, path: string): string {
	if (path.endsWith(".py")) return describeCode(text);
	// The evaluation names files by numbers, which are omitted.
	const folders = /^\d+\.\w+$/.test(path)
		? ""
		: path
				.replace(/\.\w+$/, "")
				.split("/")
				.map(readableName)
				.join(" ");
	const [sentence = ""] = text.split(/(?<=[.!?])\s|\n\n/);
	return [title, folders, sentence.slice(0, BEGINNING)].join("\n");
}

function describeCode(text: string): string {
	const [, name = ""] = /def (\w+)/.exec(text) ?? [];
	const [, comment = ""] = /"""([\s\S]*?)(?:\n\s*\n|"""|$)/.exec(text) ?? [];
	return `${readableName(name)} ${comment.trim().slice(0, BEGINNING)}`;
}
