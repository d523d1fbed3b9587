import { type Line, squeeze } from "../passages/lines.ts";
import { between, type InlineRule } from "./inline.ts";

export interface Names {
	/** Addresses by lower-case name. */
	readonly targets: ReadonlyMap<string, string>;
	/** Substitutions. */
	readonly words: ReadonlyMap<string, string>;
}

const TARGET = /^\s*\.\. _(`[^`]{1,200}`|[^:`_][^:]{0,200}):\s+(\S{1,1000})\s*$/;
const WORDS = /^\s*\.\. \|([^|]{1,100})\|\s+(?:replace|unicode)::\s*(.{1,300})$/;

export function namesIn(lines: readonly Line[]): Names {
	const declared = lines.filter(({ text }) => text.includes(".. "));
	const found = (pattern: RegExp) =>
		declared.flatMap(({ text }) => {
			const [, name, value] = pattern.exec(text) ?? [];
			return name === undefined || value === undefined ? [] : [[name, value.trim()] as const];
		});
	return {
		targets: new Map(found(TARGET).map(([name, target]) => [keyOf(name), target])),
		words: new Map(found(WORDS)),
	};
}

function keyOf(name: string): string {
	return squeeze(name.replaceAll("`", "")).toLowerCase();
}

/** Roles that link to pages. */
const PAGE_ROLES = /^(?:doc|download|any)$/;

export function restRules({ targets, words }: Names): readonly InlineRule[] {
	return [
		[/\|([^|\n\s][^|\n]{0,100})\|_{0,2}/g, (name = "") => words.get(name) ?? `|${name}|`],
		[
			/:([\w.+:-]{1,60}):`([^`<>]{0,500}?)\s*<([^`<>]{1,1000})>`/g,
			(role = "", text = "", target = "") => ({
				text: text === "" ? target : text,
				href: PAGE_ROLES.test(role) ? pageOf(target) : undefined,
			}),
		],
		[
			/:([\w.+:-]{1,60}):`([^`]{1,500})`/g,
			(role = "", text = "") => ({
				text: text.replace(/^[~!]/, ""),
				href: PAGE_ROLES.test(role) ? pageOf(text) : undefined,
			}),
		],
		[/(?<!`)``([^\n]{1,500}?)``(?!`)/g, (text = "") => text],
		[
			/`([^`<>]{0,500}?)\s*<([^`<>]{1,1000})>`_{1,2}/g,
			(text = "", target = "") => ({ text: text === "" ? target : text, href: hrefOf(target, targets) }),
		],
		[/`([^`]{1,300})`_{1,2}/g, (name = "") => ({ text: name, href: targets.get(keyOf(name)) })],
		[/\[([#*]?[\w.-]{0,40})\]_(?!\w)/g, (name = "") => `(${name})`],
		[
			/(?<![\w`_])([\p{L}\p{N}](?:[\w.+-]{0,60}[\p{L}\p{N}])?)__?(?![\w`])/gu,
			(name = "") => ({ text: name, href: targets.get(keyOf(name)) }),
		],
		[
			/(?<![\w/"(<])((?:https?|ftp):\/\/[^\s<>"`]{1,1000}[^\s<>"`.,;:!?)'\]])/g,
			(href = "") => ({ text: href, href }),
		],
		...["**", "*", "`"].map((mark) => between(mark, 500)),
		[/_`([^`]{1,300})`/g, (text = "") => text],
		[/\\([^\s\w])/g, (text = "") => text],
		[/\\ /g, () => ""],
	];
}

function hrefOf(target: string, targets: ReadonlyMap<string, string>): string | undefined {
	const address = target.replace(/\s+/g, "");
	return /_$/.test(address) ? targets.get(keyOf(address.slice(0, -1))) : address;
}

/** Page names have no ending. */
function pageOf(target: string): string | undefined {
	if (target.startsWith("/")) return undefined;
	return /\.\w+$/.test(target) ? target : `${target}.rst`;
}
