import { languageOf } from "../../base/language/detect.ts";
import { FUNCTION_WORDS } from "../../base/language/languages.ts";
import { WORD, wordSet } from "../../base/words/wordList.ts";

export interface PromptFacts {
	/** Distinct words that describe the task. */
	readonly telling: readonly string[];
	/** Generic words such as `module`, of which every repository has many. */
	readonly broad: readonly string[];
	readonly names: readonly string[];
}

/** Maximum number of characters of a prompt; longer prompts are refused. */
export const LONGEST_PROMPT = 32_000;

/** Clarity of a prompt, found by rules alone, so that the same prompt always gets the same result. */
export interface Evaluation {
	readonly prompt: string;
	readonly isClear: boolean;
	/** From 0 to 1; at least 0.7 if the prompt is clear. */
	readonly confidence: number;
	/** Question to the user about missing information; omitted if the prompt is clear. */
	readonly question?: string;
	readonly facts: PromptFacts;
}

export function evaluate(given: string): Evaluation {
	const prompt = given.trim();
	const facts = readPrompt(prompt.slice(0, LONGEST_PROMPT));
	const question = questionOf(facts);
	const known = facts.telling.length + facts.names.length;
	if (question !== undefined)
		return { prompt, isClear: false, confidence: known > 0 ? 0.5 : 0.2, question, facts };
	return { prompt, isClear: true, confidence: facts.names.length > 0 ? 0.9 : 0.8, facts };
}

/** Requires at least two telling words or names: one for the action, one for its object. */
function questionOf({ telling, broad, names }: PromptFacts): string | undefined {
	const [word] = telling;
	if (telling.length + names.length > 1 && word !== undefined) return undefined;
	const quoted = names.slice(0, 3).map((name) => `“${name}”`);
	if (names.length > 0) return `What should be done with ${quoted.join(" and ")}?`;
	if (broad.length > 0) return `Which ${broad[0]}: a file, a folder, or a name?`;
	if (word !== undefined) return `“${word}” what? Name a file, a folder, or a name.`;
	return "What should be done, and with what?";
}

const LONGEST_NAME = 200;
const PATH = /^\.{0,2}\/?(?:[\w@.-]+\/)+[\w@.-]*$/;
const FILE = /^[\w-][\w.-]*\.[a-z][a-z0-9]{0,7}$/i;
const CODE = /^\w+\(\)?\)?$|^[a-z]+\d*[A-Z]\w*$|^(?:[A-Z][a-z0-9]+){2,}$|^[a-z]\w*_\w+$|^\w+(?:::|#)\w+$/;

/** Matches words that look like a path or a file but are not. */
const NO_PLACE =
	/^(?:and\/or|read\/write|input\/output|client\/server|yes\/no|und\/oder|(?:[a-z]\.)+[a-z]?)$/i;

/** Words that any task may contain and that say nothing about the task, in English and German. */
const EMPTY_WORDS = wordSet(`
		hello hi hey thanks thank please kindly just can could would need want let us new also some make makes made get gets
		give take go try help better good nice well fine work works working thing things stuff something anything everything
		somehow whatever generic general various several
		hallo danke bitte mal kannst könntest würdest mach mache machen tu tue tun gib nimm hilf helfen besser gut schön geht gehen ding dinge sache
		sachen etwas alles irgendwas irgendwie zeug neu`);

const BROAD_WORDS = wordSet(`
		module modules code codebase project projects app apps application system file files component components service
		services repository repo program part parts feature features package library folder function functions method
		methods class classes bug bugs error errors issue issues problem problems
		modul module projekt projekte anwendung datei dateien komponente dienst programm teil teile funktion funktionen
		bibliothek ordner methode klasse klassen fehler problem probleme`);

/** Skips function words of English, of German, and of the prompt's own language. */
function readPrompt(prompt: string): PromptFacts {
	const tokens = prompt
		.split(/\s+/)
		.filter((token) => token.length <= LONGEST_NAME)
		.map(bare);
	const isName = (token: string) =>
		!NO_PLACE.test(token) && [PATH, FILE, CODE].some((form) => form.test(token));
	const names = tokens.filter(isName);
	const isFunctionWord = functionWordsOf(prompt);
	const words = tokens
		.filter((token) => !names.includes(token))
		.flatMap((token) => token.match(WORD) ?? [])
		.map((word) => [word.toLowerCase(), word] as const)
		.filter(([lower]) => lower.length > 1 && !isFunctionWord(lower) && !EMPTY_WORDS.has(lower));
	const all = [...new Map(words)];
	return {
		telling: all.filter(([lower]) => !BROAD_WORDS.has(lower)).map(([, word]) => word),
		broad: all.filter(([lower]) => BROAD_WORDS.has(lower)).map(([, word]) => word),
		names: [...new Set(names)],
	};
}

function functionWordsOf(text: string): (word: string) => boolean {
	const lists = [FUNCTION_WORDS.en, FUNCTION_WORDS[languageOf(text) ?? "de"], FUNCTION_WORDS.de];
	return (word) => lists.some((list) => list.has(word));
}

function bare(token: string): string {
	return token.replace(/^[^\p{L}\p{N}./@_#]+/u, "").replace(/(?:[^\p{L}\p{N}/_)]|(?<!\()\))+$/u, "");
}
