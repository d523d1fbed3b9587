import type { Hit, Leg, SearchResult } from "./knowledge.ts";

const LEG_NAMES: Readonly<Record<Leg, string>> = {
	text: "words",
	vector: "meaning",
	descriptor: "description",
	entity: "graph",
};

/** Said with hits that are better than none. */
export const NOTHING_MATCHES =
	"There are no good matches. The nearest passages are shown, but they may share only a few words with the question.";

/** How a hit was found: `words #1, meaning #3, graph #2: Ada Byron → worksFor → Analytical Society`. */
export function describeWhy({ why, via }: Pick<Hit, "why" | "via">): string {
	const legs = (["text", "vector", "descriptor", "entity"] as const).flatMap((leg) => {
		const rank = why[leg];
		return rank === undefined ? [] : [`${LEG_NAMES[leg]} #${rank}`];
	});
	return `${legs.join(", ")}${via ? `: ${via}` : ""}`;
}

/** `57 passages match`, or `at least 100 passages match` where a leg had more to give. */
export function describeTotal({ total, isAtLeast }: Pick<SearchResult, "total" | "isAtLeast">): string {
	const passages = total === 1 ? "1 passage matches" : `${total.toLocaleString("en")} passages match`;
	return isAtLeast ? `at least ${passages}` : passages;
}
