import { wordList } from "../../base/words/wordList.ts";

/** Characters of a stem that another one may begin with: `expert` and `expertis`. */
const SHORTEST_SHARED = 5;

/** Stems that say the same of two things, where people ask in one word and vocabularies state in another. */
const SAME: readonly ReadonlySet<string>[] = [
	"requir depend need prerequisit",
	"author write wrote written",
	"know knew known",
	"make made",
	"lead led",
	"teach taught",
	"born birth birthplac",
	"sell sold",
	"buy bought",
	"hold held",
	"build built",
	"win won",
	"speak spoke spoken",
	"pay pai paid",
	"send sent",
	"take took taken",
	"give gave given",
	"draw drew drawn",
	"drive drove driven",
	"leav left",
	"meet met",
	"run ran",
].map((stems) => new Set(wordList(stems)));

/** Whether two stems are of one word, or one of a word that is made of the other, or both say the same. */
export function isAkin(stem: string, other: string): boolean {
	const [short, long] = stem.length < other.length ? [stem, other] : [other, stem];
	if (short === long || (short.length >= SHORTEST_SHARED && long.startsWith(short))) return true;
	return SAME.some((stems) => stems.has(stem) && stems.has(other));
}
