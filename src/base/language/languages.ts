/** The languages whose words are read by their own rules, by their codes in BCP 47. */
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
] as const;

export type Language = (typeof LANGUAGES)[number];
