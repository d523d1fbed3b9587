import { orderedStems } from "./stems.ts";

/** How people ask for what properties are called, in English: the words of a question, and those of properties. */
const RELATIONS: Readonly<Record<string, string>> = {
	"father mother dad mum mom": "parent",
	"son daughter kid": "child children",
	"husband wife married": "spouse",
	"brother sister": "sibling",
	"head heads boss leads leader runs": "head director manager chief leader",
	"wrote written writer": "author creator",
	"made makes maker builds built builder produces producer": "manufacturer maker builder creator producer",
	"designs drew": "designer architect creator",
	"owns belongs": "owner",
	"born old": "birth",
	"died dead": "death",
	"works job": "employer works job occupation",
	"lives stands located": "contained location address place residence",
	"high higher highest tall taller tallest": "height elevation",
	"far farther farthest": "range distance",
	"heard hear": "audible",
	"heavy weighs": "weight mass",
	"big large": "size area",
	"deep deeper": "depth draught",
	"fast faster": "speed",
};

const asked = new Map<string, readonly string[]>();
for (const [questions, properties] of Object.entries(RELATIONS))
	for (const stem of orderedStems(questions)) asked.set(stem, [stem, ...orderedStems(properties)]);

/** The stems of properties that a word of a question can ask for: its own, and others. */
export function wordsAskedFor(stem: string): readonly string[] {
	return asked.get(stem) ?? [stem];
}
