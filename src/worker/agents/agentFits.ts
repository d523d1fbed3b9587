import { failureOf } from "../../base/failure.ts";
import { createBoundedMap } from "../../base/jobs/boundedMap.ts";
import { once } from "../../base/jobs/lazily.ts";
import { languageOf } from "../../base/language/detect.ts";
import { FUNCTION_WORDS } from "../../base/language/languages.ts";
import { cosine, relevanceOf, type Weighable, weigh, wordsOf } from "../../base/words/relevance.ts";
import { WORD } from "../../base/words/wordList.ts";
import type { AgentFiles, AgentFit, Described } from "../../core/agent/chain.ts";
import { type Embedder, vectorsOf } from "../../core/knowledge/embedder.ts";

interface WeighedAgent {
	readonly agent: Described;
	readonly aim: Weighable;
	/** Words of all texts of the agent, and the vector of its instructions. */
	readonly whole: Weighable;
}

/** Ranks agents or skills by words and vectors, or by words alone if the embedding model cannot be opened. */
export function createAgentFits({ registry }: Pick<AgentFiles, "registry">, open: () => Promise<Embedder>) {
	const embedder = once(open);
	const known = createBoundedMap<string, WeighedAgent>(MOST_KNOWN);
	const rankAll: AgentFiles["rank"] = async (tasks, agents, signal) => {
		const fresh = agents.filter(({ source }) => !known.get(source.hash));
		const texts = [...tasks, ...fresh.flatMap((one) => [aimOf(one), one.persona])];
		const model = await embedder.get().catch((thrown) => void failureOf(thrown));
		const vectors = await vectorsOf(texts, model, signal);
		for (const [index, agent] of fresh.entries()) {
			const at = tasks.length + 2 * index;
			known.set(agent.source.hash, weighAgent(agent, vectors.slice(at, at + 2)));
		}
		const weighed = agents.flatMap(({ source }) => known.get(source.hash) ?? []);
		return tasks.map((task, index) => rank(task, vectors[index] ?? new Float32Array(), weighed));
	};
	return {
		rank: rankAll,
		fits: async (tasks: readonly string[], signal: AbortSignal) =>
			rankAll(tasks, (await registry(signal)).agents, signal),
	};
}

const MOST_KNOWN = 2000;

function aimOf({ name, description, keywords }: Described): string {
	return [name.replaceAll("-", " "), description, keywords.join(" ")].join(". ");
}

function weighAgent(agent: Described, [aim, persona]: readonly Float32Array[]): WeighedAgent {
	const words = wordsOf(aimOf(agent));
	return {
		agent,
		aim: { words, vector: aim ?? new Float32Array() },
		whole: { words: words.union(wordsOf(agent.persona)), vector: persona ?? new Float32Array() },
	};
}

/** Fewer agents are padded to this number for word statistics: a word that a few agents share may still be rare. */
const FEW = 50;

function rank(task: string, vector: Float32Array, agents: readonly WeighedAgent[]): AgentFit[] {
	const told = withoutFunctionWords(task);
	const asked = { words: wordsOf(told), vector };
	const others = Array<Weighable>(Math.max(0, FEW - agents.length)).fill(weigh(""));
	const relevance = (part: "aim" | "whole") =>
		relevanceOf(asked, [...agents.map((agent) => agent[part]), ...others]);
	const [aims, wholes] = [relevance("aim"), relevance("whole")];
	const words = [...new Set(told.match(WORD))].filter((word) => hasAny(asked.words, word));
	const fits = agents.map(({ agent, aim, whole }, index): AgentFit => {
		const aimed = words.filter((word) => hasAny(aim.words, word));
		return {
			agent: agent.name,
			score: ((aims[index] ?? 0) + (wholes[index] ?? 0)) / 2,
			aim: aims[index] ?? 0,
			aimed,
			instructed: words.filter((word) => !aimed.includes(word) && hasAny(whole.words, word)),
			meaning: cosine(vector, aim.vector),
		};
	});
	return fits.sort((a, b) => b.score - a.score);
}

function hasAny(words: ReadonlySet<string>, text: string): boolean {
	return !wordsOf(text).isDisjointFrom(words);
}

/** Removes function words of other languages than English; `wordsOf` omits English function words. */
function withoutFunctionWords(task: string): string {
	const language = languageOf(task);
	const list = language && FUNCTION_WORDS[language];
	return list ? task.replace(WORD, (word) => (list.has(word.toLowerCase()) ? "" : word)) : task;
}
