import { fold, stemOf, tells, wordsIn } from "./sourceText.ts";

const NEGATION =
	/^(?:no|not|never|none|nobody|neither|nor|without|cannot|nicht|nie|niemals|niemand|kein\p{L}{0,2}|ohne|ne|pas|jamais|aucune?|sans)$/u;
const CLAUSE =
	/[,;:()!?|]|\.(?=\s)|\s[-–—]\s|(?<!\p{L})(?:but|aber|sondern|and|und)(?!\p{L})|\n(?!\s*\p{Ll})/giu;
const PREFIX = /^(?:un|non|in|im)(?=\p{L}{4})/u;
const FORBIDDEN = /^(?:forb[ia]d|prohibit|bann|verbot|untersag)/;
const OPPOSITES =
	"west east|western eastern|north south|northern southern|left right|upper lower|inside outside|increase decrease|increased decreased|rose fell|rises falls|includes excludes|included excluded|allowed forbidden|optional required|public private|minimum maximum|morning afternoon|morning evening|summer winter|oldest youngest|largest smallest|highest lowest|longest shortest|male female|arrival departure|won lost|approved rejected|west ost|westlich ostlich|nord sud|nordlich sudlich|links rechts|obere untere|innen außen|erlaubt verboten|offentlich privat|mindestens hochstens|vormittags nachmittags|morgens abends|sommer winter|bergauf bergab|stieg sank|steigt sinkt|mannlich weiblich|ankunft abfahrt|gewann verlor|angenommen abgelehnt|erste letzte|freiwillig verpflichtend|alteste jungste|großte kleinste|hochste niedrigste"
		.split("|")
		.map((pair) => pair.split(" "));
/** Number of words after a negation that the negation may apply to. */
const REACH = 4;

interface Word {
	readonly word: string;
	readonly stem: string;
	readonly isDenied: boolean;
	readonly clause: number;
}

/** The first word of the sentence that the lines only deny; `undefined` if there is none. */
export function deniedWord(sentence: string, lines: string): string | undefined {
	const [said, told] = [sentence, lines].map(readWords);
	const denied = said?.find((each) => told && isDeniedIn(told, each, said));
	return sentence.match(/[\p{L}\p{N}]+/gu)?.find((word) => fold(word) === denied?.word) ?? denied?.word;
}

function readWords(text: string): Word[] {
	const clauses = text.replace(/n['’]t(?!\p{L})/gu, " not").split(CLAUSE);
	return clauses.flatMap((part, clause) => {
		let reach = 0;
		return wordsIn(part).flatMap((word) => {
			if (NEGATION.test(word)) reach = REACH + 1;
			reach--;
			if (NEGATION.test(word) || !tells(word)) return [];
			return [{ word, stem: stemOf(word), isDenied: reach > 0, clause }];
		});
	});
}

/** Whether the lines contain the word only in denials, near other words of the word's clause. */
function isDeniedIn(told: readonly Word[], { word, stem, clause }: Word, said: readonly Word[]): boolean {
	const against = OPPOSITES.filter((pair) => pair.includes(word)).flat();
	const there = told.filter(
		(each) => each.stem === stem || each.word.replace(PREFIX, "") === word || against.includes(each.word),
	);
	const isAffirmed = there.some((each) => (each.stem === stem) !== each.isDenied);
	const isTelling = /\p{L}{3}/u.test(stem) && !said.some((each) => each.stem === stem && each.isDenied);
	if (!isTelling || isAffirmed || said.some((each) => FORBIDDEN.test(each.word))) return false;
	const others = new Set(said.filter((each) => each.clause === clause).map((each) => each.stem));
	return there.some((each) => {
		const near = told.filter((other) => other.clause === each.clause && other !== each);
		const next = near.find((other) => other.isDenied && told.indexOf(other) === told.indexOf(each) + 1);
		const shared = near.filter((other) => others.has(other.stem));
		return 2 * shared.length >= near.length || others.has(next?.stem ?? "");
	});
}
