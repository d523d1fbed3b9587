import type { LineRange } from "../../core/knowledge/citation.ts";
import { type Line, splitLines } from "../passages/lines.ts";
import { AND, ANY_TOKEN, CELL, type Meaning, NOTHING, ROW, type Tokens } from "./latexTokens.ts";
import {
	ACCENTS,
	LEVELS,
	MATH,
	REFERENCES,
	SILENT,
	SKIPPED,
	SYMBOLS,
	UNSEEN,
	VERBATIM,
} from "./latexWords.ts";

/** Maximum nesting depth of arguments. */
const DEEPEST = 12;
/** Characters of a macro's text: macros may use macros. */
const LONGEST_MACRO = 500;

/** Replaces commands by tokens and keeps lines. */
export function rewriteLatex(text: string, tokens: Tokens, to: LatexCommands): string {
	const words = new Map(SYMBOLS);
	const rewrite = (written: string) => rewriteCalls(written, (call) => readCall(call, words, { tokens, to }));
	for (const [, name = "", meant = ""] of text.slice(0, 200_000).matchAll(MACRO))
		words.set(name, rewrite(meant).slice(0, LONGEST_MACRO));
	const fixed = text
		.replace(ANY_TOKEN, "")
		.replace(DECLARED, "\\newcommand")
		.replace(FIXED, (...match) => readFixed(match[0], match.at(-1), { tokens, to }));
	return rewrite(fixed);
}

/** Macros without arguments. */
const MACRO = /\\(?:(?:re|provide)?newcommand\*?\s*\{?|def\s*)\\([a-zA-Z]{1,60})\}?\{([^{}#\n]{1,200})\}/g;
const DECLARED = /\\(?:(?:re|provide)?newcommand\*?|def)\s*\{?\\[a-zA-Z@]{1,60}\}?/g;

/** Parts without commands: listings, formulas, addresses, single characters and comments. */
const FIXED = new RegExp(
	[
		String.raw`\\begin\{(?<name>${[VERBATIM, MATH].map(({ source }) => source.slice(1, -1)).join("|")})\}(?<body>[\s\S]*?)(?:\\end\{\k<name>\}|$)`,
		String.raw`\\(?:verb|lstinline)\*?(?:\[[^\]\n]{0,200}\])?(?:(?<mark>[^a-zA-Z\s*{])(?<verb>[^\n]{0,500}?)\k<mark>|\{(?<code>[^{}\n]{0,500})\})`,
		String.raw`\\(?:href|url|nolinkurl)\s{0,9}\{(?<address>[^{}]{0,2000})\}`,
		String.raw`\bpdf(?<key>title|author|keywords|subject|lang)\s{0,9}=\s{0,9}\{(?<value>[^{}]{1,500})\}`,
		String.raw`(?<math>\$\$[^$]{1,2000}\$\$|\$[^$]{1,2000}\$)`,
		String.raw`(?<row>\\(?:\\(?:\[[^\]\n]{0,20}\])?|(?:tabularnewline|newline)(?![a-zA-Z])))|(?<cell>&)`,
		String.raw`\\(?<single>[^a-zA-Z'"^~=.${"`"}])`,
		String.raw`(?<begin>\\begin\{[a-zA-Z]{1,40}\*?\})[ \t]?\[[^\]\n]{0,300}\]`,
		String.raw`%.*|\\c(?:line|midrule)(?:\([lr]{0,9}\))?\{[\d-]{0,9}\}`,
	].join("|"),
	"g",
);

type Groups = Readonly<Record<string, string | undefined>>;

function readFixed(whole: string, found: Groups, { tokens: { keep }, to }: CallDeps): string {
	const { name, body = "", address, key, value = "", begin } = found;
	if (begin !== undefined) return begin;
	if (name !== undefined) return keep(environmentOf(name, body, to)) + lineEndsOf(whole);
	if (key !== undefined) return keep((lines) => to.tell(`pdf${key}`, value, lines)) + lineEndsOf(whole);
	if (address === undefined) return readCharacters(whole, found, keep);
	return whole.replace(address, () => keep(address.replace(/\\([%#&_~])/g, "$1").trim()));
}

function readCharacters(whole: string, found: Groups, keep: Tokens["keep"]): string {
	const { math, row, cell, single, verb = "", code = verb } = found;
	if (row !== undefined) return ROW;
	if (cell !== undefined) return CELL;
	if (math !== undefined) return math.split("\n").map(keep).join("\n");
	return keep(SYMBOLS.get(single ?? "") ?? code) + lineEndsOf(whole);
}

/** Arguments after a listing's name only format it. */
function environmentOf(name: string, body: string, to: LatexCommands): Meaning {
	if (UNSEEN.test(name)) return "";
	const look = MATH.test(name) ? /$^/ : /^(?:[ \t]{0,9}(?:\[[^\]\n]{0,500}\]|\{[^{}\n]{0,500}\}))*/;
	const written = body.replace(look, "").replace(/\\label\{[^{}\n]{0,200}\}/g, "");
	return ({ start }) => to.literal(splitLines(written, start));
}

/** A call whose arguments contain no calls, or a group. */
const CALL =
	/(?:\\(?<name>[a-zA-Z@]{1,60})(?![a-zA-Z@])\*?(?=(?<options>(?:[ \t]{0,9}\[[^\]{}\\]{0,300}\])*))\k<options>(?![ \t]{0,9}\[[^\]\n]{0,300}\\)|(?<!\})(?=\{))(?<groups>(?:[ \t]{0,9}\{[^{}\\]*\})*)(?![ \t]{0,9}\{)(?<gap>[ \t]*)/g;
const ACCENT =
	/\\(?:(["'`^~=.])|([uvHrdckb])(?![a-zA-Z]))(?:\s?\{\\?([^{}\\]{0,20})\}|[ \t]{0,9}\\([ij])(?![a-zA-Z])[ \t]?|[ \t]{0,9}(\p{L}))?/gu;

function rewriteCalls(written: string, read: (call: Call) => string): string {
	let text = written;
	for (let round = 0; round < DEEPEST; round++) {
		const next = text.replace(ACCENT, accented).replace(CALL, (whole, ...match) => {
			const { name = "", options = "", groups = "", gap = "" }: Groups = match.at(-1);
			const told = read({
				name,
				options,
				groups: [...groups.matchAll(/\{([^{}]*)\}/g)].map(([, group = ""]) => group),
				gap,
			});
			return told + lineEndsOf(whole).slice(lineEndsOf(told).length);
		});
		if (next === text) break;
		text = next;
	}
	return text.replace(/\\[a-zA-Z@]*\*?|[{}]/g, NOTHING);
}

function accented(
	whole: string,
	mark = "",
	letter = "",
	...[group, dotless, next]: (string | undefined)[]
): string {
	const [first = "", ...rest] = group ?? dotless ?? next ?? "";
	if (first === "" && letter !== "") return whole;
	return `${first.replace("ı", "i")}${first && ACCENTS.get(mark || letter)}`.normalize("NFC") + rest.join("");
}

/** Keeps line ends of omitted text, without ending a paragraph. */
function lineEndsOf(text: string): string {
	return text.replace(/[^\n]+/g, "").replaceAll("\n", `${NOTHING}\n${NOTHING}`);
}

interface LatexCommands {
	tell(name: string, argument: string, lines: LineRange): void;
	link(href: string, line: number): void;
	item(words: string, lines: LineRange): void;
	literal(lines: readonly Line[]): void;
	environment(name: string, lines: LineRange): void;
	environmentEnd(name: string, lines: LineRange): void;
	paragraphEnd(): void;
}

/** Arguments contain no calls; a group has no name. */
interface Call {
	readonly name: string;
	readonly options: string;
	readonly groups: readonly string[];
	/** Spaces after the call. */
	readonly gap: string;
}

interface CallDeps {
	readonly tokens: Tokens;
	readonly to: LatexCommands;
}

/** Unknown commands are omitted, but not their arguments. */
function readCall(call: Call, words: ReadonlyMap<string, string>, deps: CallDeps): string {
	const { name, options, groups, gap } = call;
	const word = words.get(name);
	// The space after a letter's command only ends its name.
	if (word !== undefined) return word + options + groups.join("") + (/^[a-z]{1,2}$/i.test(name) ? "" : gap);
	const read = READ.get(name);
	if (read) return read(call, deps) + gap;
	if (SILENT.has(name)) return NOTHING + gap;
	if (REFERENCES.test(name) && groups.length > 0) return `(${groups[0]})${groups.slice(1).join("")}${gap}`;
	return NOTHING + groups.slice(Number(SKIPPED.get(name) ?? 0)).join("") + gap;
}

type Read = (call: Call, deps: CallDeps) => string;

const tell: Read = ({ name, groups: [argument = "", ...rest] }, { tokens, to }) =>
	tokens.keep((lines) => {
		to.paragraphEnd();
		to.tell(name, argument, lines);
	}) + rest.join("");

/** An address without text is shown itself. */
const link: Read = ({ groups: [address = "", words = address, ...rest] }, { tokens, to }) =>
	tokens.keep((lines) => to.link(tokens.textOf(address, lines), lines.start)) + [words, ...rest].join("");

const include: Read = ({ groups: [path = ""] }, { tokens, to }) =>
	tokens.keep((lines) => {
		const href = tokens.textOf(path, lines).trim();
		if (href !== "") to.link(/\.\w+$/.test(href) ? href : `${href}.tex`, lines.start);
	});

const note: Read = ({ groups: [words, ...rest] }) =>
	words === undefined ? NOTHING : ` (${words})${rest.join("")}`;

const READ: ReadonlyMap<string, Read> = new Map<string, Read>([
	...named(tell, "title", "subtitle", "author", "date", "keywords", ...LEVELS.keys()),
	...named(link, "href", "url", "nolinkurl"),
	...named(include, "input", "include", "subfile"),
	...named(note, "footnote", "footnotetext"),
	["and", () => AND],
	["thanks", () => NOTHING],
	["par", (_, { tokens, to }) => tokens.keep(() => to.paragraphEnd())],
	["caption", ({ groups }) => ` ${groups.join("")} `],
	["hypersetup", ({ groups }) => groups.join("").replace(/[^\u{F0000}-\u{10FFFF}]/gu, "")],
	[
		"item",
		({ options, groups }, { tokens, to }) => {
			const label = options.trim().slice(1, -1);
			const begun = (lines: LineRange) =>
				to.item(label === "" ? "- " : `- ${tokens.textOf(label, lines)}: `, lines);
			return tokens.keep(begun) + groups.join("");
		},
	],
	[
		"bibitem",
		({ groups: [key = "", ...rest] }, { tokens, to }) =>
			tokens.keep((lines) => to.item(`(${key}) `, lines)) + rest.join(""),
	],
	[
		"begin",
		({ groups: [name = "", ...rest] }, { tokens, to }) =>
			tokens.keep((lines) => to.environment(name.trim(), lines)) +
			// Further arguments only format.
			(/^(?:document|abstract)$/.test(name) || MATH.test(name) ? rest.join("") : ""),
	],
	[
		"end",
		({ groups: [name = "", ...rest] }, { tokens, to }) =>
			tokens.keep((lines) => to.environmentEnd(name.trim(), lines)) + rest.join(""),
	],
]);

function named(read: Read, ...names: readonly string[]): [string, Read][] {
	return names.map((name) => [name, read]);
}
