import { fold } from "../base/words/wordTable.ts";

const TONGUES = ["en", "de", "fr"];
const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
/** Names that the runtime does not have, for the code of a region. */
const MORE = `US us,usa,america,amerika,american,amerikanisch,états-unis|GB great britain,britain,england,british,britisch,großbritannien,uk
	|DE gdr,ddr,brd,east germany,west germany,ostdeutschland,westdeutschland|NL holland|CH swiss,schweizer|TR turkey|EU europe,europa,european,europäisch`;

interface Region {
	readonly codes: ReadonlySet<string>;
	/** Whether it is the name of the region itself, instead of its language or people. */
	readonly isPlace: boolean;
}

let names: ReadonlyMap<string, Region> | undefined;
const beginnings = new Set<string>();

/** Names of countries, and of their languages, in three languages, as the runtime has them. */
function regionNames(): ReadonlyMap<string, Region> {
	if (names) return names;
	const found = new Map<string, { codes: Set<string>; isPlace: boolean }>();
	const add = (name: string | undefined, code: string, isPlace: boolean) => {
		const key = (name ?? "")
			.split(/[\s-]+/)
			.map(stemOf)
			.join(" ");
		if (key === "") return;
		const region = found.get(key) ?? { codes: new Set<string>(), isPlace };
		region.codes.add(code);
		found.set(key, region);
		beginnings.add(key.replace(/ .*/, ""));
	};
	const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
	for (const tongue of TONGUES) {
		const regions = new Intl.DisplayNames(tongue, { type: "region", fallback: "none" });
		const languages = new Intl.DisplayNames(tongue, { type: "language", fallback: "none" });
		for (const code of codes.filter((each) => !/^(?:[XZ].|Q[M-Z])$/.test(each) && regions.of(each))) {
			add(regions.of(code), code, true);
			add(languages.of(new Intl.Locale(`und-${code}`).maximize().language), code, false);
		}
	}
	for (const line of MORE.split("|")) {
		const [code = "", ...rest] = line.trim().split(" ");
		for (const name of rest.join(" ").split(",")) add(name, code, false);
	}
	names = found;
	return found;
}

/** A word without its ending: `schwedischen`, `Germans`. */
function stemOf(word: string): string {
	return fold(word)
		.toLowerCase()
		.replace(/\./g, "")
		.replace(/(?<=.{3})(?:e[nrms]?|s)$/, "");
}

const MOST_WORDS = 4;
const WORD = /\p{L}[\p{L}.]*/gu;

export interface WrittenRegion extends Region {
	readonly written: string;
	readonly offset: number;
}

/** Countries that a text names, or whose language or people it names. */
export function regionsIn(text: string): WrittenRegion[] {
	const known = regionNames();
	const words = [...text.matchAll(WORD)].map(({ 0: word, index }) => ({
		stem: stemOf(word),
		index,
		end: index + word.length,
	}));
	const regions: WrittenRegion[] = [];
	for (let at = 0; at < words.length; at++) {
		const [first] = words.slice(at, at + 1);
		if (!first || !beginnings.has(first.stem)) continue;
		for (let length = Math.min(MOST_WORDS, words.length - at); length > 0; length--) {
			const named = words.slice(at, at + length);
			const region = known.get(named.map(({ stem }) => stem).join(" "));
			const written = text.slice(first.index, named.at(-1)?.end);
			// `us` is a word as well.
			if (!region || !/^\p{Lu}|^\p{Ll}{5}/u.test(written)) continue;
			regions.push({ ...region, written, offset: first.index });
			at += length - 1;
			break;
		}
	}
	return regions;
}
