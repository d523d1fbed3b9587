import { boundedText, escapeMarkdown, visibleText } from "../../base/text/visibleText.ts";
import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import { uncited } from "../../core/knowledge/citation.ts";
import type { SearchResult } from "../../core/knowledge/knowledge.ts";

const PASSAGES = 3;
/** Characters of each. */
const SHOWN = 400;

const FOUND =
	"The language model gave an empty answer; these passages were found for the question. Ask in other words, or choose another model.";
const NOTHING =
	"The language model gave an empty answer, and no passage was found for the question. Ask in other words, or choose another model.";

/** Ends a turn whose model wrote nothing, with the passages that were found for the question. */
export function* quoteFound({ hits }: SearchResult): Generator<AgentEvent> {
	const shown = hits.slice(0, PASSAGES);
	yield { kind: "notice", text: shown.length > 0 ? FOUND : NOTHING };
	for (const { text, path, lines } of shown) {
		yield { kind: "text", text: `- ${escapeMarkdown(uncited(visibleText(boundedText(text, SHOWN))))} ` };
		yield { kind: "citation", citation: { path, lines } };
		yield { kind: "text", text: "\n" };
	}
	const quoted = { kind: "nothing", items: [], isComplete: false } as const;
	yield { kind: "ended", reason: "done", isQuoted: true, quoted };
}
