import { orderedStems, tellingStems } from "./stems.ts";

/** A question as the choice of an answer sees it. */
export interface Question {
	/** What it is about, as stems, without words that many questions have. */
	readonly words: ReadonlySet<string>;
	/** All of its stems, in order. */
	readonly order: readonly string[];
	/** Whether a text has what is asked for: a number, a date, a name. Absent where no kind is asked for. */
	readonly expects?: (text: string) => boolean;
	/** Words of the questions that were asked with it. */
	readonly beside: ReadonlySet<string>;
	/** Words that seem to be names. */
	readonly names: ReadonlySet<string>;
	/** Whether it asks for a reason, which no single value is. */
	readonly isWhy: boolean;
	/** Words for properties that hold what is asked for: `date` where it asks when. */
	readonly kinds: ReadonlySet<string>;
}

interface Kind {
	readonly asked: RegExp;
	readonly found: RegExp;
	readonly properties: string;
}

const WHY = "reason cause";

const DAYS =
	"january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday";
const NUMBERS =
	"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|million|billion|half|third|quarter|twice|several|percent";

const AUXILIARIES =
	"is|are|was|were|do|does|did|has|have|had|will|would|can|could|shall|should|must|may|might";

/** Two words with capitals, or one within a sentence. */
const NAME = /(?<=[\p{Ll},;:)\d] )\p{Lu}[\p{L}'’-]+|\p{Lu}[\p{L}'’-]+ \p{Lu}[\p{L}'’-]+/u;

/** The first that is asked for counts. */
const KINDS: readonly Kind[] = [
	{
		asked: new RegExp(
			`\\bwhen (?:${AUXILIARIES})\\b|\\b(?:since|until) when\\b|\\bwhen\\s*\\?|\\b(?:what|which) (?:year|date|day|month|century|decade|time)\\b`,
			"i",
		),
		found: new RegExp(
			`\\b(?:1\\d{3}|20\\d\\d)s?\\b|\\b(?:${DAYS}|bc|ad|midnight|noon)\\b|\\bcentur|\\b\\d+(?:st|nd|rd|th)\\b`,
			"i",
		),
		properties: "date day year time start",
	},
	{
		asked:
			/\bhow (?:many|much|long|far|tall|high|deep|old|big|large|heavy|fast|often|wide|tight)\b|\b(?:what|which) (?:number|percentage|percent|amount|size|fraction|proportion)\b|\b(?:what|which)(?: \p{L}+){0,2} (?:height|length|width|depth|distance|elevation|age|weight|speed|temperature|power|range)\b/iu,
		found: new RegExp(
			`\\d|\\b(?:${NUMBERS}|\\p{L}+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty)\\b`,
			"iu",
		),
		properties: "number count",
	},
	{
		asked: /\bwhy\b|\b(?:what|which) (?:(?:is|was) the )?(?:reason|cause)\b/i,
		found:
			/\b(?:because|since|due to|so that|in order to|reason|therefore|thus|caused?|as a result|led to)\b/i,
		properties: WHY,
	},
	{ asked: /\bwho(?:m|se)?\b|\b(?:what|which) (?:person|man|woman)\b/i, found: NAME, properties: "" },
	{
		asked:
			/\bwhere\b|\b(?:what|which) (?:city|country|place|town|state|region|island|isle|continent|river|nation|venue)\b/i,
		found: NAME,
		properties: "place location address contained",
	},
];

/** They say how something is asked, not about what. */
const ASKING = tellingStems(
	"many much tell show give please called exactly according must shall will can may might since",
);

/** Where a question begins a second one: `Who wrote it, and when?` */
const SECOND =
	/,? and (?=(?:since |until |by |in |at |on |for |from )?(?:how|when|where|who|whom|whose|why|what|which)\b)/i;

/** `of the two horns`: a number that counts what is asked about. */
const COUNTED = /\b(of (?:the|these|those)) (?:two|three|four|five)\b/gi;

/** `how long`: what is asked for, not about. */
const EXTENT = /\b(how) (?:long|often)\b/gi;

/** The questions in a text: most have one. Words of the others say what each is about. */
export function readQuestions(text: string): Question[] {
	const parts = text.replace(COUNTED, "$1").split(SECOND);
	const all = tellingOf(text);
	return parts.map((asked) => {
		const part = asked.replace(EXTENT, "$1");
		const kind = KINDS.find((each) => each.asked.test(asked));
		const order = orderedStems(part);
		const said = new Set(part.toLowerCase().match(WORD));
		const own = tellingOf(part);
		const words = own.size > 0 ? own : all;
		const names = new Set([...namesIn(text)].filter((word) => all.has(word)));
		return {
			words,
			order,
			names,
			beside: all.difference(words),
			kinds: tellingStems(kind?.properties ?? ""),
			isWhy: kind?.properties === WHY,
			...(kind && { expects: (answer: string) => kind.found.test(without(answer, said)) }),
		};
	});
}

function tellingOf(text: string): ReadonlySet<string> {
	const all = tellingStems(text);
	const telling = all.difference(ASKING);
	return telling.size > 0 ? telling : all;
}

/** Words with a capital, but for the first. */
function namesIn(text: string): ReadonlySet<string> {
	return tellingStems([...text.matchAll(/(?<=\S\s+)\p{Lu}[\p{L}\p{N}]+/gu)].join(" "));
}

/** What the question says itself is no answer. */
function without(text: string, asked: ReadonlySet<string>): string {
	return text.replace(WORD, (word) => (asked.has(word.toLowerCase()) ? "" : word));
}

const WORD = /[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu;
