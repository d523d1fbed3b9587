import type { Attachment } from "../../core/agentEvent.ts";
import { formatEvidence } from "../../core/evidence.ts";
import type { Hit } from "../../core/knowledge.ts";
import type { PromptFacts, ToolRound } from "./promptFacts.ts";
import { estimateTokens, MESSAGE_TOKENS } from "./tokens.ts";

/** Shares of the window; what one leaves over, the pruning of the prompt gives to the others. */
const SHARE = { attachments: 0.2, context: 0.4, rounds: 0.6, listing: 0.2 };

/**
 * Cuts what is too long in itself, so that the renderer only has to choose among whole pieces:
 * it would drop a long tool result altogether where its beginning would fit.
 */
export function fitFacts(facts: PromptFacts, budget: number): PromptFacts {
	const { request, hits, listing, rounds } = facts;
	const attachments = request.attachments.map((attachment) =>
		cutAttachment(attachment, (budget * SHARE.attachments) / request.attachments.length),
	);
	return {
		...facts,
		request: { ...request, attachments },
		...(listing !== undefined && { listing: cutText(listing, budget * SHARE.listing) }),
		hits: hitsWithin(hits, budget * SHARE.context),
		rounds: rounds.map((round) => cutRound(round, (budget * SHARE.rounds) / rounds.length)),
	};
}

/** The best hits that fit; one that does not fit is passed over for a shorter one. */
function hitsWithin(hits: readonly Hit[], budget: number): Hit[] {
	let left = budget;
	return hits.filter((hit) => {
		const cost = estimateTokens(formatEvidence(hit)) + 2;
		if (cost > left) return false;
		left -= cost;
		return true;
	});
}

function cutRound(round: ToolRound, budget: number): ToolRound {
	const each = budget / Math.max(1, round.calls.length) - MESSAGE_TOKENS;
	return { ...round, outcomes: round.outcomes.map((text) => cutText(text, each)) };
}

function cutAttachment({ name, text }: Attachment, budget: number): Attachment {
	return { name, text: cutText(text, budget) };
}

const CUT = "\n(cut: the rest did not fit in the model's window)";

/** The beginning of a text, to a line's end, with a note where something is missing. */
function cutText(text: string, budget: number): string {
	if (estimateTokens(text) <= budget) return text;
	let end = text.length;
	while (end > 0 && estimateTokens(text.slice(0, end) + CUT) > budget) {
		end = Math.floor(end * 0.8);
	}
	const lineEnd = text.lastIndexOf("\n", end);
	return text.slice(0, lineEnd > end / 2 ? lineEnd : end) + CUT;
}
