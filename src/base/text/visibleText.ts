/** Characters that are invisible, look like a space, or change how their neighbors appear. */
const UNSEEN =
	/[\p{C}\p{Default_Ignorable_Code_Point}\u2800⟨⟩]|(?! )\p{Z}|(?<!\p{L}\p{M}?)\p{M}| {4,}|\$(?=\()|\](?=\()/gu;

/** Cyrillic and Greek letters that look like Latin letters and can disguise a Latin word (“gіt”). */
const LOOK = "асеорхуіјѕһԁԛԝАВЕКМНОРСТХУІЈЅΑΒΕΖΗΙΚΜΝΟΡΤΥΧον";
const DECEPTIVE = new RegExp(
	`(?<=\\p{sc=Latin}\\p{L}{0,40})[${LOOK}]|[${LOOK}](?=\\p{L}{0,40}\\p{sc=Latin})`,
	"gu",
);

const NAMES: Readonly<Record<string, string>> = {
	"\n": "newline",
	"\r": "return",
	"\t": "tab",
	// VS Code would show these characters as icons or links in labels.
	$: "$",
	"]": "]",
};

/** Untrusted text on one line, with unseen characters as ⟨name⟩. A word that consists only of look-alikes stays. */
export function visibleText(text: string): string {
	const nameOf = (found: string) =>
		found.startsWith(" ") ? `${found.length} spaces` : (NAMES[found] ?? codePointOf(found));
	const named = (found: string) => `⟨${nameOf(found)}⟩`;
	return text.replace(UNSEEN, named).replace(DECEPTIVE, named);
}

function codePointOf(character: string): string {
	return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Characters that join or vary an emoji and stay unchanged. */
const IN_EMOJI =
	/(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d(?=\p{Extended_Pictographic})|(?<=\p{Emoji})[\ufe0e\ufe0f]/u;
/** Control, direction, joining, formatting, private and unassigned characters, and unusual blanks. */
const INVISIBLE = /(?![ \n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}]/u;
const EITHER = new RegExp(`${IN_EMOJI.source}|(${INVISIBLE.source})`, "gu");

/** Text with every character visible: line breaks and tabs stay; invisible characters are named, as in `⟨U+202E⟩`. */
export function visibleLines(text: string): string {
	return text.replace(/\r\n?/g, "\n").replace(EITHER, (character, unseen?: string) => {
		if (unseen === undefined) return character;
		return /[\u00a0\u202f]/.test(unseen) ? " " : `⟨${codePointOf(unseen)}⟩`;
	});
}

/** Shortens a text to about `limit` characters: beginning, number of omitted characters, and end. */
export function boundedText(text: string, limit: number): string {
	const characters = [...text];
	const left = characters.length - limit;
	if (left <= 0) return text;
	const end = Math.floor(limit / 3);
	const [first, last] = [characters.slice(0, limit - end), characters.slice(characters.length - end)];
	return `${first.join("")} ⟨${left} more characters⟩ ${last.join("")}`;
}

/** Untrusted text of any length on one line, shortened to about `limit` characters. */
export function boundedLine(text: string, limit: number): string {
	return visibleText(boundedText(text.replace(/\s+/g, " ").trim(), limit));
}

/** Tags that VS Code itself interprets before it parses Markdown. */
const EDITOR_TAG = /<(?=\/?vscode_)/gi;

const COLOR = /(?![\n\r\t])\p{Cc}\[[\d;]*m/gu;

/** Encloses a text in a Markdown fence that is longer than any run of backticks in the text. */
export function fenced(text: string, language = ""): string {
	const fence = "`".repeat(longestRun(text, 2) + 1);
	return `${fence}${language}\n${text}\n${fence}`;
}

export function shownBlock(text: string, language = ""): string {
	return fenced(shownLines(text), language);
}

/** Text for a code fence: without color codes, and with every other character visible. */
export function shownLines(text: string): string {
	return visibleLines(text.replace(COLOR, "")).replace(EDITOR_TAG, "⟨");
}

/** Inline code in Markdown. Its marks are longer than any run of backticks in the text. */
export function inlineCode(text: string): string {
	const line = onOneLine(text).replace(EDITOR_TAG, "⟨");
	const mark = "`".repeat(longestRun(line, 0) + 1);
	return `${mark} ${line} ${mark}`;
}

/** Escapes untrusted text so that Markdown shows it literally, on one line, anywhere in the line. */
export function escapeMarkdown(text: string): string {
	return onOneLine(text)
		.replace(/[\\`*_[\]#<>|~@]|^[-+=:]|(?<=^\d+)[.)]|:(?=\/\/)|(?<=www)\.|\$(?!\()/gi, "\\$&")
		.replace(/&(?=#?\w+;)/g, "&amp;")
		.replace(/\$(?=\()/g, "&#36;");
}

/** Code, which stays unchanged, or an escaped character outside code. */
const WRITTEN = /(?<code>(?<ticks>`+)[\s\S]*?\k<ticks>)|\\(?<sign>[!-/:-@[-`{-~])|&#(?<number>\d+);|&amp;/g;

/** Reverses `escapeMarkdown`, also in Markdown with code. */
export function unescaped(markdown: string): string {
	return markdown.replace(WRITTEN, (...match) => {
		const { code, sign, number } = match.at(-1) as Readonly<Record<string, string | undefined>>;
		return code ?? sign ?? (number === undefined ? "&" : String.fromCodePoint(Number(number)));
	});
}

/** Escapes a URI as a link target, so that brackets in file names cannot end the target. */
export function linkTarget(uri: string): string {
	const escaped = (sign: string) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
	return uri.replace(/[\s()<>[\]\\"'`]/g, escaped);
}

export function quoteMarkdown(text: string): string {
	return visibleLines(text)
		.split("\n")
		.map((line) => `> ${escapeMarkdown(line)}`)
		.join("\\\n");
}

function onOneLine(text: string): string {
	return visibleLines(text).replace(/\s+/g, " ").trim();
}

function longestRun(text: string, atLeast: number): number {
	return text.match(/`+/g)?.reduce((longest, run) => Math.max(longest, run.length), atLeast) ?? atLeast;
}
