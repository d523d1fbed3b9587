interface DateReading {
	readonly year?: number;
	/** January is 1. */
	readonly month?: number;
	readonly day?: number;
	/** Minutes since midnight; present only for a time of day. */
	readonly minutes?: number;
	/** Possible error of a time in words, in minutes. */
	readonly tolerance?: number;
}

/** A date in a text with its possible readings: 3/4/2019 is in April or in March. */
export interface WrittenDate {
	readonly written: string;
	readonly offset: number;
	readonly readings: readonly DateReading[];
}

/** First letters of each month in English, German and French. */
const MONTH_STARTS =
	"jan jän|feb fév|mar mär|apr avr|may mai|jun juin|jul juil|aug aoû|sep|oct okt|nov|dec dez déc"
		.split("|")
		.map((starts) => starts.split(" "));
const ENGLISH_MONTH =
	"Jan(?:uary|\\.)?|Feb(?:ruary|\\.)?|Mar(?:ch|\\.)?|Apr(?:il|\\.)?|May|Jun(?:e|\\.)?|Jul(?:y|\\.)?|Aug(?:ust|\\.)?|Sept?(?:ember|\\.)?|Oct(?:ober|\\.)?|Nov(?:ember|\\.)?|Dec(?:ember|\\.)?";
const GERMAN_MONTH = "Januar|Jänner|Februar|März|Mai|Juni|Juli|Okt(?:ober|\\.)|Dez(?:ember|\\.)";
const FRENCH_MONTH =
	"janvier|janv\\.|février|févr?\\.|mars|avril|avr\\.|mai|juin|juillet|juil\\.|août|septembre|sept\\.|octobre|oct\\.|novembre|nov\\.|décembre|déc\\.";
// Alternatives with longer names come first: `Juni` before `Jun`.
const MONTH = `(${GERMAN_MONTH}|${FRENCH_MONTH}|${ENGLISH_MONTH})`;
const ORDINALS =
	`first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth
	fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth
	twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first`.split(/\s+/);
const DAY = `(\\d{1,2}|${[...ORDINALS].reverse().join("|")})(?:st|nd|rd|th|er|\\.)?`;
const YEAR = "(\\d{4})(?!\\d)";
const EDGE = "(?<![\\p{L}\\d])";

const PARTS: Readonly<Record<string, number>> = { five: 5, ten: 10, quarter: 15, twenty: 20, half: 30 };
const HOURS = "one two three four five six seven eight nine ten eleven twelve".split(" ");
const STUNDEN = "eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf".split(" ");

type Reader = (groups: readonly string[]) => DateReading[];

const clock: Reader = ([hours, minutes, half]) => timeOf(Number(hours), Number(minutes), half);

/** Order matters: each pattern hides its matches from the following patterns. */
const PATTERNS: readonly (readonly [pattern: RegExp, read: Reader])[] = [
	[
		/(?<!\d)(\d{4})-(\d{2})(?:-(\d{2}))?(?![\d-])/g,
		([year, month, day]) => [{ year: Number(year), month: Number(month), ...(day && { day: Number(day) }) }],
	],
	[
		new RegExp(`${EDGE}${DAY}(?:\\s+of)?\\s+${MONTH}(?!\\p{L})(?:,?\\s+${YEAR})?`, "gu"),
		([day, month, year]) => [named(day, month, year)],
	],
	[
		new RegExp(`${EDGE}${MONTH}\\s+(?:the\\s+)?${DAY}(?!\\d|[.,]\\d)(?:,?\\s+${YEAR})?`, "gu"),
		([month, day, year]) => [named(day, month, year)],
	],
	[
		new RegExp(`${EDGE}last day of ${MONTH}(?:,?\\s+${YEAR})?`, "gu"),
		([month, year]) => [28, 29, 30, 31].map((day) => named(`${day}`, month, year)).filter(isLast),
	],
	[new RegExp(`${EDGE}${MONTH},?\\s+(?:of\\s+)?${YEAR}`, "gu"), ([month, year]) => [named("", month, year)]],
	[
		/(?<![\d./-])(\d{1,2})([./-])\s?(\d{1,2})\2\s?(\d{4}|\d{2})(?![\d/-]|\.\d)/g,
		([first, mark, second, year]) =>
			numeric(Number(first), Number(second), Number(year)).filter(
				({ day }) => mark !== "." || day === Number(first),
			),
	],
	[
		/(?<=\b(?:am|zum|vom|ab|bis|den|dem|der|seit)\s)(\d{1,2})\.\s?(\d{1,2})\.(?!\d)/gi,
		([day, month]) => [{ day: Number(day), month: Number(month) }],
	],
	[
		/(?<![\d:.,])(\d{1,2})(?:[.:](\d{2}))?(?=\s*(?:Uhr)?\s*(?:[-–—]|bis|to|until|till|and|und)\s*(\d{1,2})(?:[.:]\d{2})?\s*(?:Uhr|([ap])\.?m)\b)/gi,
		([hours, minutes, end, half]) => startOf(Number(hours), Number(minutes), Number(end), half),
	],
	[
		/(?<![\d:.])(\d{1,2})(?:[.:](\d{2}))?\s*Uhr\b(?:\s(\d{2})(?!\S))?/g,
		([hours, minutes, after]) => timeOf(Number(hours), Number(minutes || after), undefined),
	],
	[/(?<![\d:.])(\d{1,2})\.(\d{2})\s*([ap])\.?m\b\.?/gi, clock],
	[
		/\b(half|quarter|five|ten|twenty) (past|to) (\w+)/gi,
		([part = "", side, hour = ""]) => {
			const minutes = PARTS[part.toLowerCase()] ?? 0;
			return clockWords(HOURS.indexOf(hour.toLowerCase()) + 1, side === "to" ? -minutes : minutes);
		},
	],
	[/\bhalb (\p{L}+)/giu, ([hour]) => clockWords(STUNDEN.indexOf(hour?.toLowerCase() ?? "") + 1, -30)],
	[/(?<![\d:])(\d{1,2})(?::(\d{2}))(?::\d{2})?(?!\d)(?:\s*([ap])\.?m\b\.?)?/gi, clock],
	[/(?<![\d:.])(\d{1,2})\s*([ap])\.?m\b\.?/gi, ([hours, half]) => timeOf(Number(hours), 0, half)],
	// Without `Uhr`, only the ends of a span are times.
	[
		/(?<![\d:.,])(\d{1,2})\.([0-5][05])(?=\s*(?:[-–]|bis)\s*\d{1,2}\.[0-5][05](?![\d.]|\s?(?:[€$£%]|EUR|Euro|CHF)))/g,
		clock,
	],
	[
		/(?<=(?<![\d:.,])\d{1,2}\.[0-5][05]\s*(?:[-–]|bis)\s*)(\d{1,2})\.([0-5][05])(?![\d.]|\s?(?:[€$£%]|EUR|Euro|CHF))/g,
		clock,
	],
	[
		/(?<!\p{L})(?:(noon|midday)|(mittags?)|midnight|Mitternacht)(?!\p{L})/giu,
		([noon, mittag]) => [{ minutes: noon || mittag ? 720 : 0, tolerance: mittag ? 120 : 0 }],
	],
	[
		/(?<![\p{L}\d])(January|Januar|February|Februar|März|April|June|Juni|July|Juli|August|September|October|Oktober|November|December|Dezember)(?!(?!woche|hälfte|sitzung|ausgabe)\p{L})/gu,
		([month]) => [named("", month)],
	],
	// `March` and `May` are also other words.
	[
		/(?<=\b(?:in|since|until|by|of|from|to|and|between|every|each|last|next|early|mid|late)\s)(March|May)(?!\p{L})/gu,
		([month]) => [named("", month)],
	],
];

export function datesIn(text: string): WrittenDate[] {
	const dates: WrittenDate[] = [];
	let rest = text;
	for (const [pattern, read] of PATTERNS)
		rest = rest.replace(pattern, (written: string, ...others: unknown[]) => {
			const at = others.findIndex((value) => typeof value === "number");
			const groups = others.slice(0, at).map((value) => (typeof value === "string" ? value : ""));
			const readings = read(groups).filter(isPossible);
			if (readings.length === 0) return written;
			dates.push({ written: written.trim(), offset: Number(others[at]), readings });
			return " ".repeat(written.length);
		});
	return dates.sort((a, b) => a.offset - b.offset);
}

/** Whether a source contains the date. `years` are other numbers of the source, which may supply the year. */
export function standsAmong(
	{ readings }: WrittenDate,
	dates: readonly WrittenDate[],
	years: ReadonlySet<number>,
): boolean {
	const told = dates.flatMap((date) => date.readings);
	return readings.some((reading) => told.some((other) => isTold(reading, other, years)));
}

function isTold(reading: DateReading, by: DateReading, years: ReadonlySet<number>): boolean {
	const isYear =
		reading.year === undefined ||
		reading.year === by.year ||
		(by.year === undefined && by.minutes === undefined && years.has(reading.year));
	return (
		isYear &&
		(reading.month === undefined || reading.month === by.month) &&
		(reading.day === undefined || reading.day === by.day) &&
		isSameTime(reading, by)
	);
}

function isSameTime({ minutes, tolerance = 0 }: DateReading, { minutes: told }: DateReading): boolean {
	if (minutes === undefined || told === undefined) return minutes === told;
	return Math.abs(minutes - told) <= tolerance;
}

function named(day: string | undefined, month = "", year = ""): DateReading {
	const name = month.toLowerCase();
	return {
		month: MONTH_STARTS.findIndex((starts) => starts.some((start) => name.startsWith(start))) + 1,
		...(day && { day: ORDINALS.indexOf(day) + 1 || Number(day) }),
		...(year && { year: Number(year) }),
	};
}

function numeric(first: number, second: number, written: number): DateReading[] {
	const year = written < 100 ? written + (written < 70 ? 2000 : 1900) : written;
	const years = written < 70 ? [year, 1900 + written] : [year];
	return [
		...years.map((one) => ({ year: one, month: second, day: first })),
		...years.map((one) => ({ year: one, month: first, day: second })),
	];
}

function timeOf(hours: number, minutes: number, half: string | undefined): DateReading[] {
	if (hours > 24 || minutes > 59) return [];
	if (!half) return [{ minutes: (hours % 24) * 60 + minutes }];
	return [{ minutes: ((hours % 12) + (half.toLowerCase() === "p" ? 12 : 0)) * 60 + minutes }];
}

/** Start of a time span. Gets the end's `am` or `pm`, or the opposite if the start would be after the end. */
function startOf(hours: number, minutes: number, end: number, half: string | undefined): DateReading[] {
	const isOther = hours % 12 > end % 12;
	const [own] = timeOf(hours, minutes, half);
	if (!half || !isOther || own?.minutes === undefined) return own ? [own] : [];
	return [{ minutes: (own.minutes + 720) % 1440 }];
}

/** Both times of day that words like `half past two` can mean; empty if the hour is invalid. */
function clockWords(hour: number, minutes: number): DateReading[] {
	const at = (hour % 12) * 60 + minutes;
	const times = hour === 0 ? [] : [(at + 1440) % 1440, at + 720];
	return times.map((time) => ({ minutes: time, tolerance: 5 }));
}

function isLast({ month = 1, day = 1 }: DateReading): boolean {
	return [2023, 2024].some((year) => new Date(Date.UTC(year, month, 0)).getUTCDate() === day);
}

function isPossible({ month = 1, day = 1 }: DateReading): boolean {
	return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}
