import { stemmer } from "stemmer";
import { localNameOf } from "../../base/rdf/iriParts.ts";
import type { Graph } from "../../graph/facts/graph.ts";
import { isAkin } from "../entities/akin.ts";
import type { PropertyNames } from "../entities/propertyFit.ts";
import { isFunctionWord } from "../entities/questionWords.ts";
import type { Asking } from "./restrictions.ts";

/** "Which applications does X require", "which courses has X". */
const AUXILIARY = /^(?:do|does|did|has|have|had)$/;

/** "Are prerequisites for X", "are parts of X". */
const COPULA = /^(?:are|is|were|was)$/;
const BELONGING = /^(?:of|for|to)$/;

/** `memberOf` and `worksFor` point from what the noun names. */
const ENDS_IN_PREPOSITION = /(?:Of|For|By|In|At|To|With)$/;

/** What somebody requires are their `requirements`, but whoever attends is the `attendant`: that points the other way. */
const WHO_DOES_IT = /(?:ant|[^m]ent|er|or|ist|ian)s?$/;

/** How the words before and after a name speak of properties. */
export function askingOf(
	words: readonly string[],
	[start, end]: readonly [start: number, end: number],
	{ graph, properties }: { readonly graph: Graph; readonly properties: PropertyNames },
): Asking {
	const stems = words.filter((word) => !isFunctionWord(word)).map(stemmer);
	const before = words.slice(0, start).filter((word) => word !== "the" && word !== "a" && word !== "an");
	const isOwner =
		(AUXILIARY.test(before.at(-1) ?? "") && words.slice(end).some((word) => !isFunctionWord(word))) ||
		/^(?:has|have|had)$/.test(before.at(-1) ?? "");
	const isOfName = COPULA.test(before[0] ?? "") && BELONGING.test(before.at(-1) ?? "") && before.length > 2;
	const iriOf = (predicate: number) => graph.termAt(predicate).value;
	const isNamedBy = (predicate: number, said: readonly string[]) =>
		properties.stemsOf(iriOf(predicate)).some((own) => said.some((stem) => isAkin(own, stem)));
	const after = words
		.slice(end)
		.filter((word) => !isFunctionWord(word))
		.map(stemmer);
	return {
		isAsked: (predicate) => isNamedBy(predicate, stems),
		isFromMember: (predicate) =>
			!isOwner && !(isOfName && !ENDS_IN_PREPOSITION.test(localNameOf(iriOf(predicate)))),
		isWaySaid: (predicate) =>
			isOwner && isNamedBy(predicate, after) && !WHO_DOES_IT.test(localNameOf(iriOf(predicate))),
	};
}
