/** A passage as it stands in a prompt or in the result of a search. */
interface Passage {
	/** With its brackets. */
	readonly citation: string;
	readonly title: string;
	readonly lines: readonly string[];
}

interface Statement {
	readonly citation: string;
	readonly title: string;
	readonly text: string;
}

/** Statements that an answer quotes. */
const QUOTED = 3;

const LABEL = "**Demo answer** (made without a language model, by quoting the passages that fit best):";
const NOTHING = "**Demo answer**: no passage about this was found in the knowledge base.";

/** Quotes the statements that share the most words with the question, each with its citation. */
export function demoAnswer(question: string, sources: readonly string[]): string {
	const statements = statementsOf(sources);
	const weights = weighWords(wordsOf(question), statements);
	const best = statements
		.map((statement) => ({ statement, score: scoreOf(statement, weights) }))
		.filter(({ score }) => score > 0)
		.sort((a, b) => b.score - a.score)
		.slice(0, QUOTED)
		.map(({ statement: { title, text, citation } }) => `- ${title}: ${text} ${citation}`);
	return best.length > 0 ? [LABEL, "", ...best].join("\n") : NOTHING;
}

/** Every statement once, though the same passage may have been found several times. */
function statementsOf(sources: readonly string[]): Statement[] {
	const statements = sources
		.flatMap(passagesIn)
		.flatMap(({ citation, title, lines }) =>
			lines.flatMap(sentencesOf).map((text) => ({ citation, title, text })),
		);
	return [...new Map(statements.map((statement) => [statement.text, statement])).values()];
}

/** A passage begins with a line `[path:12-18] Title` and ends before a blank line. */
function passagesIn(text: string): Passage[] {
	return text.split(/\n[ \t]*\n/).flatMap((block) => {
		const [head = "", ...lines] = block.trim().split("\n");
		const [, citation, title] = /^(\[[^[\]]+:\d+(?:-\d+)?\]) ?(.*)$/.exec(head) ?? [];
		return citation === undefined || title === undefined ? [] : [{ citation, title, lines }];
	});
}

function sentencesOf(line: string): string[] {
	return line
		.split(/(?<=[.!?])\s+(?=\p{Lu})/u)
		.map((sentence) => sentence.trim())
		.filter((sentence) => wordsOf(sentence).length > 1);
}

/** Rare words say more: a word counts the more, the fewer statements have it. */
function weighWords(words: readonly string[], statements: readonly Statement[]): Map<string, number> {
	const bags = statements.map(({ title, text }) => new Set(wordsOf(`${title} ${text}`)));
	const holders = (word: string) => bags.filter((bag) => bag.has(word)).length;
	return new Map(words.map((word) => [word, Math.log(1 + statements.length / (1 + holders(word)))]));
}

/** What the text shares counts twice as much as what only its title shares. */
function scoreOf({ title, text }: Statement, weights: ReadonlyMap<string, number>): number {
	const inText = new Set(wordsOf(text));
	const inTitle = new Set(wordsOf(title));
	let score = 0;
	for (const [word, weight] of weights) {
		if (inText.has(word)) score += 2 * weight;
		else if (inTitle.has(word)) score += weight;
	}
	return score;
}

/** Words of three letters and more but for addresses, without what would make "museums" and "museum" differ. */
function wordsOf(text: string): string[] {
	const words =
		text
			.replace(/\w+:\/\/\S+/g, "")
			.toLowerCase()
			.match(/[\p{L}\p{N}]{3,}/gu) ?? [];
	return words.map((word) => word.replace(/(?:es|s|ed|ing|e)$/, ""));
}
