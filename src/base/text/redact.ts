export interface KnownSecrets {
	readonly values: readonly string[];
	/** Absolute paths of home folders; replaced by `~`. */
	readonly homes: readonly string[];
	readonly names: readonly string[];
}

const MARK = "‹redacted›";
/** Redacting shorter values would remove common words. */
const SHORTEST_VALUE = 6;
const SHORTEST_NAME = 3;

/** Parts of the names of fields whose values are secret. */
const SECRET =
	"secret|token|passw(?:or)?[dt]|passphrase|passcode|pwd|kennwort|\\bpass\\b|\\bpw\\b|api[-_ ]?key|access[-_ ]?key|account[-_ ]?key|private[-_ ]?key|signing[-_ ]?key|credential|auth|cookie|session[-_ ]?(?:id|key)|signature|\\bsig\\b|\\botp\\b|\\bpin\\b|nonce|connection[-_ ]?string";
const SECRET_NAME = new RegExp(`${SECRET}|^key$`, "i");
const QUOTED = `"(?:[^"\\\\]|\\\\.)*"?|'(?:[^'\\\\]|\\\\.)*'?`;

/** Order matters: the first rules match the longest texts. */
const RULES: readonly (readonly [pattern: RegExp, replacement: string])[] = [
	[/-----BEGIN [A-Z0-9 ]+-----[\s\S]*?(?:-----END [A-Z0-9 ]+-----|$)/g, MARK],
	[/\beyJ[\w-]+(?:\.[\w-]*){0,4}/g, MARK],
	[
		/\b(?:gh[a-z]_|github_pat_|glpat-|npm_|hf_|pypi-|xox[a-z]-|xapp-|ya29\.|AIza|SG\.|dop_v1_|shpat_|(?:sk|rk|pk|whsec)[-_])[\w.-]{6,}/g,
		MARK,
	],
	[/\b(?:AKIA|ASIA|AGPA|AIDA|AROA)[A-Z0-9]{8,}/g, MARK],
	[/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, MARK],
	// A word with digits and letters of both cases is base64, not a path, even with slashes and signs.
	[/(?<![\w+/=-])(?=[\w+/=-]*\d)(?=[\w+/=-]*[a-z])(?=[\w+/=-]*[A-Z])[\w+/=-]{24,}/g, MARK],
	[/\b(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{20,}/g, MARK],
	[
		/\b((?:proxy-)?authorization|(?:set-)?cookie|x-[\w-]{0,40}(?:key|token|auth)[\w-]{0,40})\b["'\s]*[:=][^\r\n]+/gi,
		`$1: ${MARK}`,
	],
	[/\b(bearer)[\s:]+[^\s"',;]+/gi, `$1 ${MARK}`],
	[/\b(basic|digest|negotiate)\s+[\w+/=.~-]{8,}/gi, `$1 ${MARK}`],
	[/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/?#@"'<>]*@/gi, `$1${MARK}@`],
	[/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/:@"'<>]*:(?!\d{1,5}(?:[/?#\s]|$))[^\s"'<>]*@/gi, `$1${MARK}@`],
	[/([?&;#][\w.~%[\]-]+=)[^\s&#"'<>]+/g, `$1${MARK}`],
	[
		new RegExp(`((?:\\$env:|\\b(?:export|set|setenv)\\s+)\\w+(?:\\s*=\\s*|\\s+))(?:${QUOTED}|\\S+)`, "gi"),
		`$1${MARK}`,
	],
	[new RegExp(`\\b([A-Z][A-Z0-9_]+=)(?:${QUOTED}|[^\\s"']+)`, "g"), `$1${MARK}`],
	[
		new RegExp(
			`(--?[\\w-]{0,40}(?:${SECRET}|key|pass)[\\w-]{0,40})(?:\\s+|\\s*=\\s*)(?:${QUOTED}|\\S+)`,
			"gi",
		),
		`$1 ${MARK}`,
	],
	[/(\s-[upP]\s+)\S+/g, `$1${MARK}`],
	[/(\s(?:-[up]|--user(?:name)?)[\s=]*["']?[^\s:"'=-][^\s:"']*:)\S+/g, `$1${MARK}`],
	[/(\bmysql\w*\b[^\r\n]*?\s-p)[^\s-]\S*/g, `$1${MARK}`],
	[new RegExp(`(<(?:\\w+:)?[\\w-]*(?:${SECRET})[\\w-]*(?:\\s[^<>]*)?>)[^<]+`, "gi"), `$1${MARK}`],
	[
		new RegExp(
			`([\\w.-]{0,40}(?:${SECRET})[\\w.-]{0,40}\\\\?["'\`]?\\s*(?:=>|:=|[:=]|\\bis\\b)\\s*)(?:\\\\?(?:${QUOTED})|[^\\s,;}]+)`,
			"gi",
		),
		`$1${MARK}`,
	],
	[/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, MARK],
];

const SEPARATOR = "(?:[\\\\/]+|%2F|%5C)";
const HOME = new RegExp(
	`(?:(?:[A-Za-z](?::|%3A))?${SEPARATOR})(?:home|Users)${SEPARATOR}(?:[^\\\\/"'<>|%:\\r\\n]{1,64}(?=[\\\\/])|[^\\s\\\\/"'<>|%:]+)`,
	"gi",
);

const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[\\d;?]*[ -/]*[@-~]`, "g");

/** Creates a function that redacts secrets in a text. It redacts too much rather than too little. */
export function createRedactor({ values, homes, names }: KnownSecrets): (text: string) => string {
	const known = longestFirst(values, SHORTEST_VALUE)
		.flatMap((value) => [value, encodeURIComponent(value)])
		.map((value) => new RegExp(escaped(value), "gi"));
	const folders = longestFirst(homes, SHORTEST_NAME).flatMap((path) =>
		["\\", "/", "\\\\"].map((separator) => path.replaceAll("\\", separator)),
	);
	const people = longestFirst(names, SHORTEST_NAME).map(
		(name) => new RegExp(`(?<![\\p{L}\\p{N}])${escaped(name)}(?![\\p{L}\\p{N}])`, "giu"),
	);
	return (text) => {
		let rest = plain(text);
		for (const value of known) rest = rest.replace(value, MARK);
		for (const folder of folders) rest = rest.replaceAll(folder, "~");
		for (const [pattern, replacement] of RULES) rest = rest.replace(pattern, replacement);
		rest = rest.replace(HOME, "~");
		for (const person of people) rest = rest.replace(person, MARK);
		return rest;
	};
}

function escaped(text: string): string {
	return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

/** Redacts all strings of a value. Replaces the whole text of a field with the name of a secret. */
export function redactAll(value: unknown, redact: (text: string) => string): unknown {
	if (typeof value === "string") return redact(value);
	if (Array.isArray(value)) return value.map((item) => redactAll(item, redact));
	if (typeof value !== "object" || value === null) return value;
	const fields = Object.entries(value).map(([name, field]) => {
		const isSecret = SECRET_NAME.test(name) && typeof field === "string" && field !== "";
		return [redact(name), isSecret ? MARK : redactAll(field, redact)] as const;
	});
	return Object.fromEntries(fields);
}

export function isSecretName(name: string): boolean {
	return SECRET_NAME.test(name);
}

/** Removes invisible characters, which could split a secret so that no rule matches. */
function plain(text: string): string {
	return text
		.normalize("NFKC")
		.replace(COLOUR, "")
		.replace(/[^\P{C}\n\r\t]/gu, "");
}

function longestFirst(texts: readonly string[], shortest: number): string[] {
	return [...new Set(texts.map((text) => plain(text).trim()))]
		.filter((text) => text.length >= shortest)
		.sort((a, b) => b.length - a.length);
}
