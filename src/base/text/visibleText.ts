/** What shows as nothing, as a space that is none, or as another place than where it stands. */
const UNSEEN =
	/[\p{C}\p{Default_Ignorable_Code_Point}\u2800⟨⟩]|(?! )\p{Z}|(?<!\p{L}\p{M}?)\p{M}| {4,}|\$(?=\()|\](?=\()/gu;

/** Letters of Cyrillic and Greek that look like Latin ones, where a word has both: nobody writes “gіt” so, but to deceive. */
const LOOK = "асеорхуіјѕһԁԛԝАВЕКМНОРСТХУІЈЅΑΒΕΖΗΙΚΜΝΟΡΤΥΧον";
const DECEPTIVE = new RegExp(
	`(?<=\\p{sc=Latin}\\p{L}{0,40})[${LOOK}]|[${LOOK}](?=\\p{L}{0,40}\\p{sc=Latin})`,
	"gu",
);

const NAMES: Readonly<Record<string, string>> = {
	"\n": "newline",
	"\r": "return",
	"\t": "tab",
	// What VS Code would show as an icon or as a link, wherever labels may have them.
	$: "$",
	"]": "]",
};

/** Untrusted text on one line; invisible characters appear as ⟨name⟩. Only words all of look-alike letters can deceive. */
export function visibleText(text: string): string {
	const named = (found: string) => `⟨${nameOf(found)}⟩`;
	return text.replace(UNSEEN, named).replace(DECEPTIVE, named);
}

function nameOf(found: string): string {
	if (found.startsWith(" ")) return `${found.length} spaces`;
	const code = found.codePointAt(0) ?? 0;
	return NAMES[found] ?? `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Shortens a text to about this many characters: its beginning, its end, and how much is left out between them. */
export function boundedText(text: string, limit: number): string {
	const characters = [...text];
	const left = characters.length - limit;
	if (left <= 0) return text;
	const end = Math.floor(limit / 3);
	const [first, last] = [characters.slice(0, limit - end), characters.slice(characters.length - end)];
	return `${first.join("")} ⟨${left} more characters⟩ ${last.join("")}`;
}
