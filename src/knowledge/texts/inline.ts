/** What a piece of markup says, and where it leads. */
interface Said {
	readonly text: string;
	readonly href?: string | undefined;
}

/** Markup within a line, and what it says. A pattern must be bounded: it is tried at every character. */
export type InlineRule = readonly [
	pattern: RegExp,
	say: (...groups: (string | undefined)[]) => Said | string,
];

/** Hears of a link, and how many line breaks stand before it. */
export type OnLink = (href: string, breaks: number) => void;

/** Characters of a line whose markup is read: longer ones are data. */
const LONGEST = 20_000;

/** A text without its markup; every line break stays, so that each line is still known. */
export function readInline(text: string, rules: readonly InlineRule[], onLink?: OnLink): string {
	if (text.length > LONGEST && text.split("\n").some((line) => line.length > LONGEST)) return text;
	return rules.reduce((told, [pattern, say]) => {
		const breaksBefore = createBreakCount(told);
		return told.replace(pattern, (whole: string, ...rest: unknown[]) => {
			const at = rest.findIndex((each) => typeof each === "number");
			const said = say(...(rest.slice(0, at) as (string | undefined)[]));
			const { text: words, href } = typeof said === "string" ? { text: said } : said;
			if (href) onLink?.(href, breaksBefore(Number(rest[at])));
			return words + "\n".repeat(Math.max(0, breaksIn(whole) - breaksIn(words)));
		});
	}, text);
}

/** Of offsets that are asked for in their order. */
function createBreakCount(text: string): (offset: number) => number {
	let [cursor, breaks] = [0, 0];
	return (offset) => {
		for (; cursor < offset; cursor++) if (text.charCodeAt(cursor) === 10) breaks++;
		return breaks;
	};
}

function breaksIn(text: string): number {
	return text.includes("\n") ? text.split("\n").length - 1 : 0;
}

/** Text between two marks that stand where a word begins and ends, as most formats write emphasis. */
export function between(mark: string, group = 300): InlineRule {
	const escaped = mark.replace(/[*+^]/g, "\\$&");
	const single = escaped.slice(0, escaped.startsWith("\\") ? 2 : 1);
	const pattern = `(?<![\\p{L}\\p{N}${single}\\\\])${escaped}(?![\\s${single}])([^${single}]{1,${group}}?)(?<!\\s)${escaped}(?![\\p{L}\\p{N}${single}])`;
	return [new RegExp(pattern, "gu"), (text = "") => text];
}
