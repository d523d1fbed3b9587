/** Characters that are invisible, look like a space, or appear in another place than their own. */
const UNSEEN =
	/[\p{C}\p{Default_Ignorable_Code_Point}\u2800⟨⟩]|(?! )\p{Z}|(?<!\p{L}\p{M}?)\p{M}| {4,}|\$(?=\()|\](?=\()/gu;

/** Cyrillic and Greek letters that look like Latin ones, in a word that has both: “gіt” is only written so to deceive. */
const LOOK = "асеорхуіјѕһԁԛԝАВЕКМНОРСТХУІЈЅΑΒΕΖΗΙΚΜΝΟΡΤΥΧον";
const DECEPTIVE = new RegExp(
	`(?<=\\p{sc=Latin}\\p{L}{0,40})[${LOOK}]|[${LOOK}](?=\\p{L}{0,40}\\p{sc=Latin})`,
	"gu",
);

const NAMES: Readonly<Record<string, string>> = {
	"\n": "newline",
	"\r": "return",
	"\t": "tab",
	// What VS Code would show as an icon or as a link, wherever labels may have them.
	$: "$",
	"]": "]",
};

/** Untrusted text on one line; invisible characters appear as ⟨name⟩. Only words all of look-alike letters can deceive. */
export function visibleText(text: string): string {
	const nameOf = (found: string) =>
		found.startsWith(" ") ? `${found.length} spaces` : (NAMES[found] ?? codePointOf(found));
	const named = (found: string) => `⟨${nameOf(found)}⟩`;
	return text.replace(UNSEEN, named).replace(DECEPTIVE, named);
}

function codePointOf(character: string): string {
	return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Joins or varies an emoji, as people write them. */
const IN_EMOJI =
	/(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d(?=\p{Extended_Pictographic})|(?<=\p{Emoji})[\ufe0e\ufe0f]/u;
/** Control, direction, joining and other formatting characters, unusual blanks, private and unassigned ones. */
const INVISIBLE = /(?![ \n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}]/u;
const EITHER = new RegExp(`${IN_EMOJI.source}|(${INVISIBLE.source})`, "gu");

/** A text in which every character can be seen: line breaks and tabs stay, others that cannot be seen are named, `⟨U+202E⟩`. */
export function visibleLines(text: string): string {
	return text.replace(/\r\n?/g, "\n").replace(EITHER, (character, unseen?: string) => {
		if (unseen === undefined) return character;
		return /[\u00a0\u202f]/.test(unseen) ? " " : `⟨${codePointOf(unseen)}⟩`;
	});
}

/** Shortens a text to about `limit` characters: its beginning, its end, and the number of characters omitted between. */
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

/** What VS Code itself looks for in a text before it is read as Markdown. */
const EDITOR_TAG = /<(?=\/?vscode_)/gi;

/** As programs set it for a terminal. */
const COLOR = /(?![\n\r\t])\p{Cc}\[[\d;]*m/gu;

/** A Markdown fence around a text, longer than every run of backticks in it: nothing in the text can end it. */
export function fenced(text: string, language = ""): string {
	const fence = "`".repeat(longestRun(text, 2) + 1);
	return `${fence}${language}\n${text}\n${fence}`;
}

export function shownBlock(text: string, language = ""): string {
	return fenced(shownLines(text), language);
}

/** A text for a code fence: as a terminal would show it, with every other character visible. */
export function shownLines(text: string): string {
	return visibleLines(text.replace(COLOR, "")).replace(EDITOR_TAG, "⟨");
}

/** A text as code within a line of Markdown, which nothing in the text can end either. */
export function inlineCode(text: string): string {
	const line = onOneLine(text).replace(EDITOR_TAG, "⟨");
	const mark = "`".repeat(longestRun(line, 0) + 1);
	return `${mark} ${line} ${mark}`;
}

/** Escapes untrusted text for Markdown, so that it shows as it is, on one line, at any position in the line. */
export function escapeMarkdown(text: string): string {
	return onOneLine(text)
		.replace(/[\\`*_[\]#<>|~@]|^[-+=:]|(?<=^\d+)[.)]|:(?=\/\/)|(?<=www)\.|\$(?!\()/gi, "\\$&")
		.replace(/&(?=#?\w+;)/g, "&amp;")
		.replace(/\$(?=\()/g, "&#36;");
}

/** An address as the target of a link, which nothing in it can end: file names may have brackets. */
export function linkTarget(uri: string): string {
	const escaped = (sign: string) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
	return uri.replace(/[\s()<>[\]\\"'`]/g, escaped);
}

/** Such a text as a quotation that keeps its lines. */
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
