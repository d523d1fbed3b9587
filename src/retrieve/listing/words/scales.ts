import { MONEY } from "../../../base/quantities/measure.ts";
import { wordList } from "../../../base/words/wordList.ts";

/** An order of things that words such as "cheaper" and "heaviest" ask for. */
export interface Scale {
	/** Stems in the names of the properties that the scale orders. */
	readonly names: readonly string[];
	readonly dimensions: readonly string[];
	/** Whether the scale can order any property that the question names: "highest density". */
	readonly isGeneral: boolean;
	/** Whether the scale orders by ages and by dates of birth or making, but not by other dates. */
	readonly isOfAge: boolean;
}

export interface ScaleWord {
	readonly scale: Scale;
	readonly isLeast: boolean;
	/** Number of things that the question asks for: "the three cheapest". */
	readonly count?: number;
	readonly word?: string;
	/** The two words after `word` in the question. */
	readonly next?: readonly string[];
}

const MAKING =
	"date birth year datum jahr open built found establish creat launch issu publish releas construct eroffnet gebaut gegrundet sinc seit join eintritt beitritt";
export const AGE = "age alter";

/** Words for more and for less in English and German, without diacritics; stems of property names; dimensions. */
const TABLE: readonly (readonly [most: string, least: string, names: string, ...dimensions: string[]])[] = [
	[
		"expensive|costly|dear(?:er|est)|teuer|teurer|teuerste[nrs]?",
		"cheap(?:er|est)?|billig(?:er|ste[nrs]?)?|gunstig(?:er|ste[nrs]?)?",
		"price cost amount fee spend spent pai paid preis kosten betrag gebuhr ausgegeben bezahlt gezahlt",
		...MONEY,
	],
	[
		"heav(?:y|ier|iest)|schwer(?:er|ste[nrs]?)?",
		"light(?:er|est)|leicht(?:er|este[nrs]?)",
		"weight weigh mass gewicht",
		"mass",
	],
	[
		"long(?:er|est)?|langer|langste[nrs]?",
		"short(?:er|est)?|kurzer|kurzeste[nrs]?|quick(?:er|est)?",
		"length durat time page took take taken lange dauer dauert seit",
		"time",
		"length",
	],
	["hot(?:ter|test)|warm(?:er|est)", "cold(?:er|est)|kalter|kalteste[nrs]?", "temperatur", "temperature"],
	[
		"fast(?:er|est)|schneller|schnellste[nrs]?",
		"slow(?:er|est)|langsam(?:er|ste[nrs]?)",
		"speed geschwindigkeit",
		"speed",
	],
	["wid(?:er|est)|breit(?:er|este[nrs]?)", "narrow(?:er|est)|schmaler", "width breit", "length"],
	["deep(?:er|est)|tiefer|tiefste[nrs]?", "shallow(?:er|est)", "depth tief", "length"],
	[
		"newer|newest|late(?:r|st)|recent|last|neuer|neu(?:e)?ste[nrs]?|letzte[nrs]?|spat(?:er|este[nrs]?)",
		"earl(?:ier|iest)|first|fruh(?:er|este[nrs]?)|erste[nrs]?",
		MAKING,
		"date",
	],
	[
		"young(?:er|est)|junger|jungste[nrs]?",
		"older|oldest|alter|alteste[nrs]?",
		`${MAKING} ${AGE}`,
		"date",
		"time",
	],
	[
		"(?:high|tall|great)(?:er|est)|larger|largest|big(?:ger|gest)|maximum|max|hoher|hochste[nrs]?|gro(?:ß|ss)(?:er|te[nrs]?)",
		"(?:low|small)(?:er|est)|minimum|min|niedrig(?:er|ste[nrs]?)|kleiner|kleinste[nrs]?",
		"height elev altitud size area hohe große flache",
		"area",
		"data",
		"volume",
	],
	// Orders any property: "the most pages", "more pages".
	["mo(?:re|st)|mehr|meisten?", "few(?:er|est)|less|weniger|wenigsten?", ""],
];

const SCALES = TABLE.map((row) => {
	const [most, least, names, ...dimensions] = row;
	return {
		most: new RegExp(`^(?:${most})$`, "u"),
		least: new RegExp(`^(?:${least})$`, "u"),
		scale: {
			names: wordList(names).filter(Boolean),
			dimensions,
			isGeneral: dimensions.includes("area") || names === "",
			isOfAge: names.endsWith(AGE),
		},
	};
});

/** Requires a word from `nameWords`. */
export function scaleOf(word: string): ScaleWord | undefined {
	for (const { most, least, scale } of SCALES) {
		if (most.test(word)) return { scale, isLeast: false };
		if (least.test(word)) return { scale, isLeast: true };
	}
	return undefined;
}

/** The scale that orders properties with this stem in their names: for "cost", the scale of prices. */
export function scaleNaming(stem: string): Scale | undefined {
	return SCALES.find(({ scale }) => scale.names.includes(stem))?.scale;
}
