import { readableName } from "../../src/base/rdf/vocabulary.ts";
import type { Passage } from "../../src/core/knowledge/document.ts";
import type { Rewrite } from "./corpus.ts";

/** Characters of the text's beginning that are part of a descriptor. */
const BEGINNING = 300;

/**
 * Passages of descriptors alone: what a passage is, without a model. Its headings, the words of its file's path, and its
 * beginning; of code the name of the function and what its comment says.
 */
export const toDescriptors: Rewrite = ({ passages }, path) =>
	passages.map((passage) => ({ ...passage, title: "", text: describe(passage, path) }));

function describe({ title, text }: Passage, path: string): string {
	if (path.endsWith(".py")) return describeCode(text);
	// A number is the name that the evaluation gave to a file.
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
