import type { LineRange } from "../../core/knowledge/source.ts";
import type { Line } from "../passages/lines.ts";
import { AND, NOTHING, type Tokens } from "./latexTokens.ts";
import { LEVELS, MATH, REFERENCES, SILENT, SKIPPED } from "./latexWords.ts";

/** What commands do to the document, at their lines. */
export interface LatexCommands {
	/** Something the document says of itself, or a heading. */
	tell(name: string, argument: string, lines: LineRange): void;
	link(href: string, line: number): void;
	item(words: string, lines: LineRange): void;
	literal(lines: readonly Line[]): void;
	environment(name: string, lines: LineRange): void;
	environmentEnd(name: string, lines: LineRange): void;
	paragraphEnd(): void;
}

/** A command with its arguments, in which nothing is left to read; without a name, a group. */
export interface Call {
	readonly name: string;
	readonly options: string;
	readonly groups: readonly string[];
	/** The spaces behind it. */
	readonly gap: string;
}

export interface CallDeps {
	readonly tokens: Tokens;
	readonly to: LatexCommands;
}

/** The text in place of a command. One that is not known is omitted, its arguments stay. */
export function readCall(call: Call, words: ReadonlyMap<string, string>, deps: CallDeps): string {
	const { name, options, groups, gap } = call;
	const word = words.get(name);
	// The space behind the name of a letter only ends the name.
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

/** An address without words is shown itself. */
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
			// What else is behind the name is how it looks.
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
