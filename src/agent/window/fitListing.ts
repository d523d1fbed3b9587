import type { ContextPart } from "../../core/agent/contextReport.ts";
import { MESSAGE_TOKENS } from "../prompt/tokens.ts";
import { cutTo } from "./cut.ts";
import type { Count } from "./tokenCounts.ts";

/** What the graph counted or listed, with its cost; `want` is 0 where there is nothing. */
export interface MeasuredListing {
	readonly listing: string | undefined;
	readonly want: number;
}

export async function measureListing(listing: string | undefined, count: Count): Promise<MeasuredListing> {
	return { listing, want: listing === undefined ? 0 : (await count(listing)) + MESSAGE_TOKENS };
}

export interface FittedListing {
	readonly listing: string | undefined;
	readonly parts: readonly ContextPart[];
	readonly used: number;
}

/** The number stands in its first line: a listing that is cut at its end still has it. */
export async function fitListing(
	{ listing, want }: MeasuredListing,
	room: number,
	count: Count,
): Promise<FittedListing> {
	if (listing === undefined) return { listing, parts: [], used: 0 };
	const text = want <= room ? listing : await cutTo(listing, room - MESSAGE_TOKENS, count);
	const used = text === "" ? 0 : (await count(text)) + MESSAGE_TOKENS;
	const part = { section: "sources" as const, title: "Counted in the graph", tokens: want, given: used };
	const given = text === listing ? "the question counts or lists" : "it was shortened to fit";
	const why = text === "" ? "it did not fit" : given;
	return { listing: text === "" ? undefined : text, parts: [{ ...part, why }], used };
}
