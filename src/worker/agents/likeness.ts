import { once } from "../../base/jobs/lazily.ts";
import { cosine } from "../../base/words/relevance.ts";
import type { AgentFiles } from "../../core/agent/chain.ts";
import type { Embedder } from "../../core/knowledge/embedder.ts";

/** Texts whose vectors are kept: agents are compared with every prompt, and seldom change. */
const KEPT = 2000;

/** Compares texts by the vectors of a model, which the first comparison opens. */
export function createLikeness(open: () => Promise<Embedder>): AgentFiles["likeness"] {
	const embedder = once(open);
	const kept = new Map<string, Float32Array>();
	return async (text, others, signal) => {
		const { embed, dimensions } = await embedder.get();
		if (kept.size > KEPT) kept.clear();
		const missing = [...new Set([text, ...others])].filter((one) => !kept.has(one));
		const vectors = await embed(missing, signal);
		for (const [index, one] of missing.entries())
			kept.set(one, vectors.slice(index * dimensions, (index + 1) * dimensions));
		const asked = kept.get(text);
		// A prompt is not asked about again.
		kept.delete(text);
		return others.map((other) => Math.max(0, cosine(asked ?? NONE, kept.get(other) ?? NONE)));
	};
}

const NONE = new Float32Array();
