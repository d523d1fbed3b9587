import { englishStem } from "../../base/language/englishStem.ts";
import { visibleText } from "../../base/text/visibleText.ts";
import type { Knowledge } from "../../core/knowledge/knowledge.ts";
import type { Channel } from "../../core/permission/permission.ts";
import type { Evaluation, PromptFacts } from "./evaluate.ts";

/** Entry of the index to which a word of the prompt refers. Do not trust its text, which is from the repository. */
export interface FoundName {
	readonly word: string;
	readonly kind: "file" | "symbol" | "heading";
	readonly name: string;
	readonly path: string;
}

export type FindNames = (words: readonly string[], signal: AbortSignal) => Promise<readonly FoundName[]>;

export interface Refinement {
	readonly prompt: string;
	/** Changes with their reasons; empty if the prompt stays unchanged. */
	readonly changes: readonly string[];
}

const MOST_NAMES = 3;

/** Adds names from the index to a clear but broad prompt. Returns other prompts unchanged. */
export function refine({ prompt, isClear, facts }: Evaluation, found: readonly FoundName[]): Refinement {
	if (!isClear || !isBroad(facts) || found.length === 0) return { prompt, changes: [] };
	const names = [...new Map(found.map((name) => [spell(name), name])).values()].slice(0, MOST_NAMES);
	const spelled = names.map(spell);
	const ending = /[.!?]$/.test(prompt) ? prompt.slice(-1) : "";
	const body = prompt.slice(0, prompt.length - ending.length);
	return {
		prompt: `${body} (${spelled.join("; ")})${ending}`,
		changes: names.map((name, index) => `named what “${name.word}” refers to: ${spelled[index]}`),
	};
}

export function isBroad({ broad, names }: PromptFacts): boolean {
	return broad.length > 0 && names.length === 0;
}

function spell({ kind, name, path }: FoundName): string {
	const shown = visibleText(path);
	return kind === "file"
		? shown
		: `${kind === "heading" ? `“${visibleText(name)}”` : visibleText(name)} in ${shown}`;
}

const MOST_HITS = 20;
const PROSE = /\.(?:md|mdx|txt|html?|rst|adoc|ipynb|json(?:ld)?|ttl|nt|nq|trig|rdf|xml|ya?ml)$/i;

/** Finds names by searching the documents that a channel may see. */
export function findNamesBy(
	knowledge: { readonly search: Knowledge["search"] },
	channel: Channel,
): FindNames {
	return async (words, signal) => {
		const query = { query: words.join(" "), limit: MOST_HITS, index: "content", channel } as const;
		return namesAmong((await knowledge.search(query, signal)).hits, words);
	};
}

interface Candidate {
	readonly path: string;
	/** Headings or symbols, outermost first, separated by `›`. */
	readonly title: string;
}

/** Returns the candidates whose own name contains a word of the prompt, in the given order. */
export function namesAmong(candidates: readonly Candidate[], words: readonly string[]): FoundName[] {
	const stems = words.map((word) => ({ word, stem: englishStem(word.toLowerCase()) }));
	const match = (text: string) => {
		const parts = partsOf(text);
		// Accepts `auth` for `authentication`, but no prefix with fewer than 4 letters.
		const isMeant = (stem: string) => (part: string) =>
			part === stem || (stem.length >= 4 && part.startsWith(stem));
		return stems.find(({ stem }) => parts.some(isMeant(stem)))?.word;
	};
	return candidates.flatMap(({ path, title }): FoundName[] => {
		const name = title.slice(title.lastIndexOf("›") + 1).trim();
		const inName = match(name);
		const inPath = match(path);
		if (inName !== undefined && !path.endsWith(name))
			return [{ word: inName, kind: PROSE.test(path) ? "heading" : "symbol", name, path }];
		return inPath === undefined ? [] : [{ word: inPath, kind: "file", name: path, path }];
	});
}

function partsOf(name: string): string[] {
	const spaced = name.replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, " ").toLowerCase();
	return (spaced.match(/[\p{L}\p{N}]+/gu) ?? []).map((part) => englishStem(part));
}
