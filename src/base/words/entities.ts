import { wordMap } from "./wordList.ts";

const NAMED: ReadonlyMap<string, string> = new Map([
	["nbsp", " "],
	...wordMap(`
		lt=< gt=> amp=& quot=" apos=' ast=* lsquo=‘ rsquo=’ ldquo=“ rdquo=” laquo=« raquo=» ndash=– mdash=— hellip=…
		middot=· bull=• copy=© reg=® times=× szlig=ß aelig=æ AElig=Æ oelig=œ OElig=Œ oslash=ø Oslash=Ø
	`),
]);

/** Combining marks by entity suffix, as in `&eacute;`. */
const MARKS = wordMap(
	"grave=\u0300 acute=\u0301 circ=\u0302 tilde=\u0303 uml=\u0308 ring=\u030a caron=\u030c cedil=\u0327",
);

const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,7}));/gi;

/** Decodes XML entities and common HTML entities. Leaves unknown names unchanged. */
export function decodeEntities(text: string): string {
	if (!text.includes("&")) return text;
	return text.replace(ENTITY, (whole, decimal, hex, name) => {
		if (name !== undefined) return NAMED.get(name) ?? markedLetter(name) ?? whole;
		const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
		return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
	});
}

function markedLetter(name: string): string | undefined {
	const mark = MARKS.get(name.slice(1));
	return mark && `${name[0]}${mark}`.normalize();
}
