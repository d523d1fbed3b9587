interface Said {
	readonly text: string;
	readonly href?: string | undefined;
}

/** Patterns must be bounded: they are tried at every character. */
export type InlineRule = readonly [
	pattern: RegExp,
	say: (...groups: (string | undefined)[]) => Said | string,
];

/** `breaks`: line breaks before the link. */
export type OnLink = (href: string, breaks: number) => void;

/** Longer lines are data, whose markup is not read. */
const LONGEST = 20_000;

/** Removes markup, but keeps line breaks so that lines stay known. */
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

/** Offsets must ascend. */
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

/** Text between two marks at word boundaries, as most formats mark emphasis. */
export function between(mark: string, group = 300): InlineRule {
	const escaped = mark.replace(/[*+^]/g, "\\$&");
	const single = escaped.slice(0, escaped.startsWith("\\") ? 2 : 1);
	const pattern = `(?<![\\p{L}\\p{N}${single}\\\\])${escaped}(?![\\s${single}])([^${single}]{1,${group}}?)(?<!\\s)${escaped}(?![\\p{L}\\p{N}${single}])`;
	return [new RegExp(pattern, "gu"), (text = "") => text];
}
