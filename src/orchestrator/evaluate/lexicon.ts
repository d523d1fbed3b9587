import { stemmer } from "stemmer";
import { wordList } from "../../base/words/wordList.ts";

/** Words by their stems: `reviewing` is `review`, and `contest` is no `test`. */
export type Stems = ReadonlySet<string>;

/** What one asks an agent to do, by what such a task needs to be clear. */
export const JUDGING = stemsOf(
	"review analyze analyse check audit inspect examine evaluate assess validate verify improve optimize optimise refactor",
);
export const MAKING = stemsOf(
	"create generate write add implement build develop draft extend make design architect propose",
);
const MENDING = stemsOf(
	"fix debug update change rename remove delete migrate replace upgrade convert resolve solve move split merge simplify",
);
const TELLING = stemsOf(
	"explain describe document summarize summarise show list find search answer tell compare trace count name test run plan",
);
export const ACTIONS: Stems = new Set([...JUDGING, ...MAKING, ...MENDING, ...TELLING]);

/** They name nothing. In full, for `generic` has the stem of `generate`. */
export const VAGUE_WORDS: ReadonlySet<string> = new Set(
	wordList(
		"thing things stuff something anything everything somehow whatever generic general various misc several",
	),
);
export const PRONOUNS: ReadonlySet<string> = new Set(wordList("it this that these those them"));

/** They name something of which there is much in every repository. */
export const BROAD_WORDS = stemsOf(
	"module code codebase project app application system file component service repository repo program part feature package library folder function method class",
);

/** What a task is about besides its object. */
export const CONCERNS = stemsOf(
	"security vulnerability performance speed latency correctness bug issue error race leak memory quality readability style naming coverage accessibility maintainability architecture documentation typo compatibility concurrency duplication complexity regression consistency clarity reliability robustness privacy",
);

/** Words that say how to do it. */
export const CONSTRAINTS: ReadonlySet<string> = new Set(
	wordList(
		"with without using must only never should including except like under within least most follow keep for in",
	),
);

export const MANNERS: ReadonlySet<string> = new Set(
	wordList(
		"hello hi hey thanks thank please kindly just can could would need want let us me new also do done some",
	),
);

export const QUESTION_WORDS: ReadonlySet<string> = new Set(
	wordList("who what when where why how which whose is are was were does did do can could should"),
);

/** What kinds of agents a word speaks of, in this order. */
const TOPICS: readonly { readonly stems: Stems; readonly keywords: readonly string[] }[] = [
	{
		stems: stemsOf("code review quality bug issue fix check error performance refactor correct correctness"),
		keywords: ["code-review", "quality"],
	},
	{ stems: stemsOf("test testing coverage mock unittest"), keywords: ["test-generator", "testing"] },
	{
		stems: stemsOf("architecture architect design pattern structure organize scale module boundary"),
		keywords: ["architecture-advisor", "design"],
	},
	{
		stems: stemsOf("doc docs document documentation readme guide comment explain write api tutorial"),
		keywords: ["documentation-writer", "docs"],
	},
];

/** The main concern of a review by its object. */
const CONCERNS_OF: readonly { readonly stems: Stems; readonly concern: string }[] = [
	{
		stems: stemsOf(
			"auth authentication authorization login password token session permission secret credential cookie crypto",
		),
		concern: "security vulnerabilities",
	},
	{
		stems: stemsOf("query cache index search loop batch queue stream render benchmark"),
		concern: "performance bottlenecks",
	},
	{ stems: stemsOf("parser parse input form upload decoder import"), concern: "malformed input" },
	{ stems: stemsOf("lock mutex thread worker async concurrent transaction"), concern: "race conditions" },
	{ stems: stemsOf("api schema protocol interface migration"), concern: "compatibility" },
];

export function topicsOf(stems: readonly string[]): string[] {
	return [
		...new Set(
			TOPICS.flatMap((topic) => (stems.some((stem) => topic.stems.has(stem)) ? topic.keywords : [])),
		),
	];
}

export function concernOf(stems: readonly string[]): string | undefined {
	return CONCERNS_OF.find((entry) => stems.some((stem) => entry.stems.has(stem)))?.concern;
}

function stemsOf(text: string): Stems {
	return new Set(wordList(text).map((word) => stemmer(word)));
}
