import { wordMap } from "../../base/words/wordList.ts";
import { between, type InlineRule } from "./inline.ts";

export type Attributes = Map<string, string>;

const URL_MACRO = /\b((?:https?|ftp|irc):\/\/[^\s[\]<>"]{1,1000})\[([^\]]{0,500})\]/g;
const LINK_MACRO = /\b(?:link|xref):(?:\+\+)?([^\s[\]]{1,1000}?)(?:\+\+)?\[([^\]]{0,500})\]/g;

const CHARACTERS = new Map([
	["nbsp", " "],
	["sp", " "],
	["backtick", "`"],
	...wordMap(`
		amp=& lt=< gt=> plus=+ empty= blank= asterisk=* startsb=( endsb=) vbar=| zwsp= apos=' quot="
	`),
]);

export function asciidocRules(attributes: Attributes): readonly InlineRule[] {
	return [
		[
			/(?<!\\)\{([\w-]{1,60})\}/g,
			(name = "") => {
				const known = attributes.get(name.toLowerCase()) ?? CHARACTERS.get(name);
				return known ?? `{${name}}`;
			},
		],
		[URL_MACRO, (href, words) => ({ text: wordsOf(words) || (href ?? ""), href })],
		[LINK_MACRO, (target, words) => ({ text: wordsOf(words) || (target ?? ""), href: hrefOf(target) })],
		[/\bmailto:([^\s[\]]{1,200})\[([^\]]{0,300})\]/g, (address, words) => wordsOf(words) || (address ?? "")],
		[
			/(?<![\w/"(])((?:https?|ftp):\/\/[^\s[\]<>"]{1,1000}[^\s[\]<>".,;:!?)'])/g,
			(href = "") => ({ text: href, href }),
		],
		[
			/<<([^<>,]{1,200})(?:,([^<>]{1,300}))?>>/g,
			(target = "", words) => ({ text: words?.trim() || target.replace(/^#/, ""), href: hrefOf(target) }),
		],
		[/\bimage:([^\s[\]]{1,500})\[([^\],]{0,300})[^\]]{0,300}\]/g, (_, words = "") => words],
		[/\bfootnote:[\w-]{0,60}\[([^\]]{0,1000})\]/g, (words = "") => ` (${words})`],
		[
			/\b(?:kbd|btn|menu|pass|stem|latexmath|asciimath|indexterm2|icon|term):([\w-]{0,60})\[([^\]]{0,300})\]/g,
			(target = "", words = "") => [target, words].filter((each) => each !== "").join(" › "),
		],
		[
			/\[\[[^[\]]{1,200}\]\]|\(\(\([^()]{1,300}\)\)\)|\bindexterm:\[[^\]]{0,300}\]|\banchor:[^\s[\]]{1,200}\[[^\]]{0,200}\]/g,
			() => "",
		],
		[/\(\(([^()]{1,300})\)\)/g, (words = "") => words],
		[/\[[.#%][\w.#%-]{1,100}\](?=[#*_`])/g, () => ""],
		...["+++", "**", "__", "``", "##", "*", "_", "`", "+"].map((mark) => between(mark)),
		[/(?<![\w#])#(?![\s#])([^#\n]{1,300}?)#(?![\w#])/g, (words = "") => words],
		[/[\^~](?!\s)([^\s^~]{1,60})[\^~]/g, (words = "") => words],
		[/\s\+$/gm, () => ""],
	];
}

/** Removes the link's options. */
function wordsOf(words = ""): string {
	return words
		.replace(/(?:^|,)\s{0,9}(?:role|window|title|opts|id|rel)=.*$/s, "")
		.replace(/\^$/, "")
		.replace(/^"(.*)"$/s, "$1")
		.trim();
}

/** `undefined` for links within the file. */
function hrefOf(target = ""): string | undefined {
	const [path = ""] = target.split("#");
	if (path === "" || !/[./]/.test(path)) return undefined;
	return /\.\w+$/.test(path) ? path : `${path}.adoc`;
}
