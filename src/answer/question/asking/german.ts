import { AMOUNT, type Asking, measured, moneyOr, PHONE, termBefore, VERSION, YEAR } from "./asking.ts";

const DAYS =
	"januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag";
const NUMBERS =
	"ein|eine|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|dutzend|hundert|tausend|millionen?|milliarden?|hälfte|drittel|viertel|zweimal|dreimal|mehrere|prozent";

/** A possible name: two capitalized words, or one after a word that seldom precedes a plain noun. */
const NAME =
	/\p{Lu}[\p{L}'’-]+ (?:von |van |de |der |zu )?\p{Lu}[\p{L}'’-]+|(?<=[|:•*-] )\p{Lu}[\p{L}’-]+|(?<=\b(?:von|durch|bei|in|nach|aus|nahe|war|ist|namens|und) )\p{Lu}[\p{L}'’-]+/u;

export const GERMAN: Asking = {
	kinds: [
		{
			asked:
				/\bwann\b|\b(?:welche[mnrs]?|was für eine[mnrs]?) (?:jahr|datum|tag|monat|jahrhundert|jahrzehnt|zeit|zeitpunkt|uhrzeit)\p{L}*/iu,
			found: new RegExp(
				`${YEAR}|(?<!\\p{L})(?:${DAYS}|mitternacht|mittag)(?!\\p{L})|jahrhundert|\\b\\d+\\. (?=\\p{L})|\\b[vn]\\. ?chr|\\b\\d{1,2}[:.]\\d\\d(?!\\d)|\\b\\d{1,2} uhr|(?<!\\p{L})\\p{L}*(?:täg|wöch|monat|jähr)ig(?:e[mnrs]?)?(?!\\p{L})|(?<!\\p{L})(?:nach|vor|binnen|innerhalb|in)(?: \\p{L}+)? (?:\\d+|${NUMBERS}|eine[mnr]?) (?:stunde|tag|woche|monat|jahr)`,
				"iu",
			),
			properties: "date day year time start datum tag jahr zeit beginn",
			inHeading: true,
		},
		{
			asked:
				/\bwas (?:kost|hat .*gekostet)|\bwie teuer|\b(?:wie hoch|was) (?:ist|sind|war|waren) (?:der|die|das) (?:\p{L}*(?:preis|kosten|gebühr|miete))/iu,
			found: moneyOr("\\p{L}*(?:preis|kosten|gebühr|miete|betrag)|euro", "kostenlos|gratis|umsonst|frei"),
			properties: "price cost preis kosten betrag",
		},
		{
			asked: /(?:telefon|handy|ruf|mobil)nummer/i,
			found: PHONE,
			properties: "phone telephone telefon telefonnummer",
		},
		{
			asked: /\bwelche (?:\p{L}+-?){0,2} ?versionen/iu,
			found: VERSION,
			properties: "version requires",
		},
		{
			asked: /\bwie oft(?!\p{L})/iu,
			found:
				/(?<!\p{L})(?:\p{L}*(?:täglich|stündlich|wöchentlich|monatlich|jährlich|nächtlich)\p{L}*|alle|jede[mnrs]?|\p{L}*mal|nie|immer|(?:pro|im|in der|am) (?:stunde|tag|woche|monat|quartal|jahr))(?!\p{L})|\d ?[x×]/iu,
			properties: "frequency häufigkeit turnus intervall",
		},
		{
			asked: /\bwie (?:tief|breit|weit|schwer)(?!\p{L})/iu,
			found: measured("tief|breite?|weit|entfern|schwer|gewicht|wiegt", NUMBERS),
			properties: "number zahl",
		},
		{
			asked:
				/\bwie (?:viele?n?|viel|lange?|hoch|alt|groß|schnell)(?!\p{L})|\bwieviele?\b|\b(?:welche[mnrs]?|was ist die) (?:zahl|anzahl|prozentsatz|menge|größe|anteil|höhe|länge|breite|tiefe|entfernung|alter|gewicht|geschwindigkeit|temperatur|leistung|reichweite)\p{L}*/iu,
			found: new RegExp(
				`${AMOUNT}|(?<!\\p{L})(?:${NUMBERS}|\\p{L}+zehn|\\p{L}+(?:zig|ßig)|lebenslang|unbefristet|unbegrenzt)(?!\\p{L})`,
				"iu",
			),
			properties: "number count anzahl zahl",
		},
		{
			asked: /\b(?:warum|weshalb|wieso|weswegen)\b|\b(?:welche[nrs]?|was (?:ist|war) der) grund/i,
			found:
				/(?<!\p{L})(?:weil|da|denn|wegen|aufgrund|damit|um zu|grund|daher|deshalb|dadurch|sodass|führte|ursache)(?!\p{L})/iu,
			properties: "reason cause grund ursache",
			isWhy: true,
		},
		{
			asked: /\bwe(?:r|n|m|ssen)\b|\bwie hei(?:ß|ss)en? (?!es)|\bwelche[mnrs]? (?:person|mann|frau|mensch)/i,
			found: NAME,
			properties: "",
		},
		{
			asked:
				/\bwo(?:hin|her)?\b|\bwelche[mnrs]? (?:stadt|land|ort|region|insel|kontinent|fluss|staat|gebiet)/i,
			found: NAME,
			properties: "place location address contained ort adresse lage",
			isOptional: true,
		},
	],
	definition:
		/^(?:was|wer) (?:ist|sind|war|waren) (?!.*\b(?:von|für|in|im|am|an|auf|zu|zum|zur|mit|bei|beim|der|des|nach|über|zwischen)\b)|^was (?:bedeutet|bedeuten|heißt)\b/i,
	isA: termBefore("ist|sind|bedeutet|bezeichnet|heißt|steht"),
	overview:
		/^(?:worum (?:geht|handelt)(?: es)?(?: sich)?|was (?:ist|steht|gibt es|enthält)|(?:gib mir )?(?:einen )?überblick)(?: (?:hier|es|in|das|dies(?:e[mrs]?)?|de[mr]|die|über|ordner|projekt|wissensbasis|sammlung|drin|alles))*\s*[?.!]*$/iu,
	steps:
		/\bwie (?:kann|kannst|mache?|macht|geht|muss|soll|stelle?|bekomm\p{L}*|richte)(?!\p{L})|\bwas (?:tun|ist zu tun|muss ich tun)/iu,
	focus:
		/\b(?:[Ww]elche[mnrs]?|[Ww]ie viele|(?:[Ww]as|[Ww]er) (?:ist|sind|war|waren) (?:der|die|das)(?= \p{L}+ (?:der|des|von|vom|für)\b)) (?<focus>\p{Lu}[\p{L}-]+)/u,
	days: DAYS,
	now: /(?<!\p{L})(?:jetzt|derzeit|zurzeit|zur zeit|momentan|gerade|inzwischen|heute|aktuell\p{L}*|neueste\p{L}*|letzte\p{L}*)(?!\p{L})/iu,
	idle: "frage fragen passiert geschieht definiert deklariert implementiert bedeutet bedeuten viele viel zeige zeig nenne gib sage bitte heißt heißen genannt bezeichnet genau laut gemäß welche was wie",
	second:
		/,? und (?=(?:seit |bis |in |an |von |für |mit |bei )?(?:wie|wann|wo|wer|wen|wem|wessen|warum|was|welche[mnrs]?)\b)/i,
	counted: /(?<!\p{L})(der|dieser|jener) (?:zwei|beiden|drei|vier|fünf)(?!\p{L})/giu,
	capitalizesNouns: true,
	measure:
		/\bwie (lange?|oft|weit|hoch|tief|alt|gro(?:ß|ss)|schwer|schnell|breit|spät|früh|teuer)(?!\p{L})/giu,
	extent: /\b(wie) (?:lange|oft)\b/gi,
	relations: {
		"vater mutter": "parent elternteil",
		"sohn tochter": "child children kind kinder",
		"mann frau verheiratet": "spouse ehepartner",
		"bruder schwester": "sibling geschwister",
		"leitet leiter leiterin chef chefin": "head director manager leitung",
		"schrieb geschrieben verfasst": "author creator autor verfasser",
		"gebaut baute hergestellt stellt": "manufacturer maker builder creator hersteller erbauer",
		"entwarf entworfen": "designer architect creator architekt",
		gehört: "owner besitzer eigentümer",
		"geboren alt": "birth geburt geburtsdatum",
		"gestorben starb": "death tod todesdatum",
		"hoch höher höchste": "height elevation höhe",
		"weit weiter": "range distance reichweite entfernung",
		"schwer wiegt": "weight mass gewicht masse",
		groß: "size area größe fläche",
		tief: "depth draught tiefe",
		schnell: "speed geschwindigkeit",
	},
};
