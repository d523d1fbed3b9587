import { isFailure } from "../../base/failure.ts";
import type { FoundThing, Things } from "../../core/knowledge/things.ts";
import type { Door } from "../../core/permission/door.ts";
import { doubtfulNames } from "../../evidence/checkAnswer.ts";

/** Words of an answer that are looked up; whoever names more names them with their first names. */
const LOOKED_UP = 20;
const NAMESAKES = 10;
/** A title of a text is mostly made of ordinary words. */
const TEXTS = /article|page|document|work|book|note|section|comment|message|posting|concept|dataset|file/i;

/** Words of an answer that the graph knows as names, where a capital letter alone does not tell. */
export async function knownNames(
	things: Pick<Things, "find">,
	{ answer, door }: { readonly answer: string; readonly door: Door },
	signal: AbortSignal,
): Promise<ReadonlySet<string>> {
	const isKnown = async (name: string) => {
		const query = { words: name, kinds: ["thing"], limit: NAMESAKES, door } as const;
		const found = await things.find(query, signal).catch(nothingToAsk);
		return found.some((thing) => thing.label === name && isNamed(thing));
	};
	const names = doubtfulNames(answer).slice(0, LOOKED_UP);
	const known = await Promise.all(names.map(isKnown));
	return new Set(names.filter((_, index) => known[index]));
}

function isNamed({ types }: FoundThing): boolean {
	return types.length > 0 && !types.some((type) => TEXTS.test(type));
}

/** The lines are compared all the same. */
function nothingToAsk(thrown: unknown): readonly FoundThing[] {
	if (isFailure(thrown)) return [];
	throw thrown;
}
