import { wordList } from "../../base/words/wordList.ts";

/** Rules of a markup language. Patterns have bounded length, because they run at every line or character. */
export interface Markup {
	/** Groups: `title`, and either `marks` (one per level) or `name` (of the level). Not for underlined titles. */
	readonly heading?: RegExp;
	/** Begins a literal block after `text`. The end is found by `indent` or `ends`. A `silent` block is omitted. */
	readonly literal: RegExp;
	readonly ends?: (line: string, mark: string) => boolean;
	/** Lines that end a paragraph and are omitted. */
	readonly silent: RegExp;
	readonly inline: readonly InlineRule[];
}

/** Replaces a match by its group `text` or `href` (a link), or by `instead`, where `$text` is the group. */
export type InlineRule = readonly [pattern: RegExp, instead?: string];

export const LEVELS = wordList("part chapter section subsection subsubsection paragraph frametitle");

const ADDRESS: InlineRule = [
	/(?<![\w/"(])<?(?<href>(?:https?|ftp):\/\/[^\s[\]<>"{}`]{1,1000}[^\s[\]<>"{}`.,;:!?)'])>?/g,
];

/** Matches text between two equal marks at word boundaries, as most languages write emphasis. */
function between(...marks: readonly string[]): InlineRule[] {
	return marks.map((mark) => {
		const escaped = mark.replace(/[*+^]/g, "\\$&");
		const single = escaped.slice(0, escaped.startsWith("\\") ? 2 : 1);
		const inner = `(?![\\s${single}])(?<text>[^${single}]{1,300}?)(?<!\\s)`;
		const pattern = `(?<![\\p{L}\\p{N}${single}\\\\])${escaped}${inner}${escaped}(?![\\p{L}\\p{N}${single}])`;
		return [new RegExp(pattern, "gu")];
	});
}

const ASCIIDOC: Markup = {
	heading: /^(?<marks>={1,6}|#{1,6})[^\S\n]+(?<title>\S.*)$/,
	literal: /^(?<mark>-{4,}|\.{4,}|\+{4,}|`{3}|(?<silent>\/{4,}))/,
	ends: (line, mark) => line.trimEnd() === mark,
	silent: /^(?:\/\/|\[.{0,500}\]$|[=*_~]{4,}$|--$|[|,:!]={3,}$|:!?[\w-]+!?:|'{3,}$|<<<|\+$)/,
	inline: [
		[/^include::(?<href>[^\s[]{1,500})\[.{0,500}\]\s*$/gm, ""],
		[
			/\b(?:link:|xref:|mailto:|(?=(?:https?|ftp):\/\/))(?<href>[^\s[\]<>"]{1,1000})\[(?<text>[^\],]{0,500})[^\]]{0,300}\]/g,
		],
		[
			/\b(?:image|video|footnote|kbd|btn|pass|stem|icon):{1,2}[^\s[\]]{0,500}\[(?<text>[^\],]{0,1000})[^\]]{0,300}\]/g,
		],
		ADDRESS,
		[/<<(?:[^<>,]{1,200},)?#?(?<text>[^<>]{1,300})>>/g],
		[/\[\[[^[\]]{1,200}\]\]|\[[.#%][\w.#%-]{1,100}\](?=[#*_`])|\(\(\([^()]{1,300}\)\)\)/g],
		...between("+++", "**", "__", "``", "##", "*", "_", "`", "+", "#"),
		[/^\s*\*{2,6}(?=\s)/gm, "  -"],
		[/^\s*\.{1,5}(?=\s)/gm, "1."],
		[/^\.(?=\w)|^[\d.+*<^>aehlms]{0,9}\||\s\+$/gm],
		[/ \|(?=\S)/g, " | "],
		[/^\s*(?<text>\S.{0,200}?):{2,4}(?=\s|$)/gm, "- $text:"],
	],
};

const REST: Markup = {
	literal: new RegExp(
		[
			/\.\. (?:code|code-block|sourcecode|parsed-literal|math|prompt|doctest|testcode)::.*/,
			/\.\. (?<silent>(?:toctree|contents|index|raw|meta|image|include|\|[^|]+\| \w+)::|(?!\[|_|[\w:-]+::)\S).*/,
			/(?!\.\. )(?:(?<text>.*[^\s:]:):|(?<text>.*\S)?\s*::)\s*$/,
		]
			.map(({ source }) => `^(?<indent>\\s*)(?=\\S)${source}`)
			.join("|"),
	),
	silent: /^\s*(?::[\w-]{1,60}:(?:\s+[^\s`]{1,200})?|\.\.)\s*$/,
	inline: [
		[/^(\s*)\.\. (?<text>note|warning|tip|hint|important|attention|caution|danger|version\w+)::/gm, "$text:"],
		[/^\s*\.\. _[^:`]{0,200}(?:`[^`]{1,200}`)?:(?:\s+(?<href>\S{1,1000}))?\s*$/gm, ""],
		[/^\s*\.\. (?:[\w:-]{1,60}::|(?=\[))/gm],
		[/:(?:doc|download):`(?:(?<text>[^`<>]{1,500}?)\s*<(?<href>[^`<>]{1,1000})>|(?<href>[^`<>]{1,500}))`/g],
		[/:[\w.+:-]{1,60}:`[~!]?(?<text>[^`<>]{1,500}?)(?:\s*<[^`<>]{1,1000}>)?`/g],
		[/(?<!`)``(?<text>[^\n]{1,500}?)``(?!`)/g],
		[/`(?<text>[^`<>]{0,500}?)\s*<(?<href>[^`<>]{1,1000})>`_{1,2}/g],
		[/`(?<text>[^`]{1,300})`_{0,2}/g],
		[/\[(?<text>[#*]?[\w.-]{0,40})\]_(?!\w)/g, "($text)"],
		[/(?<![\w`_])(?<text>[\p{L}\p{N}](?:[\w.+-]{0,60}[\p{L}\p{N}])?)__?(?![\w`])/gu],
		ADDRESS,
		...between("**", "*"),
		[/^\s*\|\s?|\|\s*$|\\(?=\S)|\\ /gm],
	],
};

const LATEX: Markup = {
	heading: new RegExp(
		`^\\s*\\\\(?<name>${LEVELS.join("|")})\\*?(?:\\[[^\\]]{0,300}\\])?\\{(?<title>(?:[^{}]|\\{[^{}]{0,300}\\}){1,500})\\}`,
	),
	literal:
		/^\s*(?:\\begin\{(?<mark>(?:(?<silent>comment|tikzpicture|filecontents)|[vV]erbatim|lstlisting|minted|alltt|equation|align|gather|multline|displaymath)\*?)\}|(?<silent>\\documentclass)(?!.*\\begin\{document\}))/,
	ends: (line, mark) => line.includes(mark ? `\\end{${mark}}` : "\\begin{document}"),
	silent: /^\s*\\(?:(?:begin|end)\{[\w*]{1,40}\}(?:[[{|].*)?|(?:re|provide)?newcommand.*|def\\.*)$/,
	inline: [
		[/(?<!\\)%.*/g],
		[/\\href\{(?<href>[^{}]{1,2000})\}\{(?<text>[^{}]{0,500})\}/g],
		[/\\url\{(?<href>[^{}]{1,2000})\}/g],
		[/\\(?:input|include|subfile)\{(?<href>[^{}]{1,500})\}/g, ""],
		[
			/\\(?:label|[vh]space|include\w*|usepackage|bibliography\w*|pagestyle|thispagestyle|set\w+|index|color|c(?:line|midrule))\*?(?:\[[^\]]{0,300}\])?\{[^{}]{0,500}\}/g,
		],
		[/~?\\\w{0,8}(?:cite\w{0,9}|ref)\*?(?:\[[^\]]{0,300}\]){0,2}\{(?<text>[^{}]{0,500})\}/g, " ($text)"],
		[/\\footnote\{(?<text>[^{}]{0,1000})\}/g, " ($text)"],
		[/\\item(?![a-z])\s{0,9}(?:\[(?<text>[^\]]{0,300})\])?/g, "- $text"],
		[/``|''/g, '"'],
		[/(?<!\\)&/g, " | "],
		[/\\\\(?:\[[^\]\n]{0,20}\])?|~|\\[,;: ]/g, " "],
		...['"\u0308', "'\u0301", "`\u0300", "^\u0302", "~\u0303", "c\u0327"].map(
			([mark, accent]): InlineRule => [
				new RegExp(`\\\\${mark === "c" ? "c\\b" : `\\${mark}`}\\s?\\{?\\\\?(?<text>[a-zA-Z])\\}?`, "g"),
				`$text${accent}`,
			],
		),
		[/\\(?<text>(?:La)?TeX|ss|[^a-zA-Z\s])(?:\{\})?/g],
		[/(?<text>\$[^$]{1,500}\$)|\\[a-zA-Z@]{1,60}\*?(?:\[[^\]]{0,300}\])?(?:[ \t]+(?=[^\s{]))?/g],
		[/(?<text>\$[^$]{1,500}\$)|[{}]/g],
	],
};

const ORG: Markup = {
	heading: /^(?<marks>\*{1,30})\s+(?<title>\S.*)$/,
	literal: /^\s*#\+begin_(?<mark>src|example|(?<silent>export|comment))/i,
	ends: (line, mark) => line.trim().toLowerCase().startsWith(`#+end_${mark.toLowerCase()}`),
	silent: /^\s*(?:#(?:\+|\s|$)|:[\w-]{1,40}:\s*$)/,
	inline: [
		[
			/\[\[(?:(?<href>https?:[^[\]]{1,1000})|(?:file:|(?=\.{0,2}\/))(?<href>[^[\]]{1,1000}?)(?:::[^[\]]{1,200})?)\](?:\[(?<text>[^[\]]{1,500})\])?\]/g,
		],
		[/\[\[(?:[^[\]]{1,1000}\]\[)?\*?(?<text>[^[\]]{1,500})\]\]/g],
		ADDRESS,
		[/\[fn:[\w-]{0,60}:?(?<text>[^[\]]{0,1000})\]/g, " ($text)"],
		[/<<<?(?<text>[^<>\n]{1,200})>>>?/g],
		...between("*", "/", "_", "+", "=", "~"),
		[/^\s*(?::\s|:(?<text>[\w+-]{1,60}:\s)|\|)|\|\s*$|\\\\\s*$/gm],
		[/(?<=\S)\s::(?=\s|$)/g, ":"],
	],
};

export const MARKUPS = { asciidoc: ASCIIDOC, restructuredtext: REST, latex: LATEX, org: ORG };
