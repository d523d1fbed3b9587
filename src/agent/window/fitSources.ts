import type { Attachment } from "../../core/agent/agentEvent.ts";
import type { ContextPart } from "../../core/agent/contextReport.ts";
import { formatEvidence } from "../../core/knowledge/evidence.ts";
import type { Hit } from "../../core/knowledge/knowledge.ts";
import { briefPlace } from "../../core/knowledge/place.ts";
import { MESSAGE_TOKENS } from "../prompt/tokens.ts";
import { cutTo } from "./cut.ts";
import { flow } from "./flow.ts";
import type { Count } from "./tokenCounts.ts";

/** What the question rests on, with its costs; `want` is what all of it would take. */
export interface Sources {
	readonly attachments: readonly { readonly attachment: Attachment; readonly tokens: number }[];
	readonly hits: readonly { readonly hit: Hit; readonly tokens: number }[];
	readonly want: number;
}

/** What the sentences around the pieces take. */
const HEAD = 16 + MESSAGE_TOKENS;

export async function measureSources(
	given: { readonly attachments: readonly Attachment[]; readonly hits: readonly Hit[] },
	count: Count,
): Promise<Sources> {
	const attachments = await Promise.all(
		given.attachments.map(async (attachment) => ({
			attachment,
			tokens: (await count(attachment.text)) + (await count(attachment.name)) + HEAD,
		})),
	);
	const hits = await Promise.all(
		given.hits.map(async (hit) => ({ hit, tokens: (await count(formatEvidence(hit))) + 2 })),
	);
	return { attachments, hits, want: sum(attachments) + sum(hits) };
}

export interface FittedSources {
	readonly attachments: readonly Attachment[];
	/** Best first. */
	readonly hits: readonly Hit[];
	readonly parts: readonly ContextPart[];
	readonly used: number;
}

/** Attachments are cut to a fair share; of the hits the best that fit are taken, and a long one is passed over for a shorter. */
export async function fitSources(sources: Sources, allowance: number, count: Count): Promise<FittedSources> {
	const [forAttachments = 0] = flow(allowance, [
		{ weight: 1, want: sum(sources.attachments) },
		{ weight: 1, want: sum(sources.hits) },
	]);
	const rooms = flow(
		forAttachments,
		sources.attachments.map(({ tokens }) => ({ weight: 1, want: tokens })),
	);
	const cut = await Promise.all(
		sources.attachments.map((one, index) => fitAttachment(one, rooms[index] ?? 0, count)),
	);
	const usedByAttachments = cut.reduce((total, { part }) => total + part.given, 0);
	const best = fitHits(sources.hits, allowance - usedByAttachments);
	return {
		attachments: cut.flatMap(({ attachment }) => (attachment ? [attachment] : [])),
		hits: best.hits,
		parts: [...cut.map(({ part }) => part), ...best.parts],
		used: usedByAttachments + best.used,
	};
}

async function fitAttachment(
	{ attachment, tokens }: Sources["attachments"][number],
	room: number,
	count: Count,
): Promise<{ attachment: Attachment | undefined; part: ContextPart }> {
	const { name } = attachment;
	const part = { section: "attachments" as const, title: name, tokens };
	if (tokens <= room) return { attachment, part: { ...part, given: tokens, why: "you attached it" } };
	const frame = (await count(name)) + HEAD;
	const text = await cutTo(attachment.text, room - frame, count);
	if (text === "") return { attachment: undefined, part: { ...part, given: 0, why: "it did not fit" } };
	const given = frame + (await count(text));
	return {
		attachment: { name, text },
		part: { ...part, given, why: "it was shortened to fit" },
	};
}

function fitHits(hits: Sources["hits"], room: number) {
	const taken: Hit[] = [];
	const parts: ContextPart[] = [];
	let used = 0;
	for (const { hit, tokens } of hits) {
		const fits = used + tokens <= room;
		if (fits) {
			taken.push(hit);
			used += tokens;
		}
		const title = `${hit.path}:${briefPlace(hit.lines)} ${hit.title}`;
		const why = fits ? "the first search found it" : "it did not fit";
		parts.push({ section: "sources", title, tokens, given: fits ? tokens : 0, why });
	}
	return { hits: taken, parts, used };
}

function sum(pieces: readonly { readonly tokens: number }[]): number {
	return pieces.reduce((total, { tokens }) => total + tokens, 0);
}
