/** The languages whose words are read by their own rules, by their codes in BCP 47. Norwegian is read with Danish. */
export const LANGUAGES = [
	"en",
	"de",
	"fr",
	"es",
	"it",
	"pt",
	"nl",
	"pl",
	"ru",
	"uk",
	"cs",
	"sv",
	"tr",
	"vi",
	"zh",
	"ja",
	"ko",
	"th",
	"da",
	"fi",
	"hu",
	"ro",
	"el",
	"ar",
	"hi",
] as const;

export type Language = (typeof LANGUAGES)[number];

/** Languages that are not written in Latin letters. */
export const OTHER_SCRIPTS: ReadonlySet<Language> = new Set([
	"ru",
	"uk",
	"zh",
	"ja",
	"ko",
	"th",
	"el",
	"ar",
	"hi",
]);
