import { Failure } from "../../base/failure.ts";
import { visibleText } from "../../base/text/visibleText.ts";

const MAX_LENGTH = 200;
const MAX_DEPTH = 8;

/** Device names on Windows, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])(?:\..*)?$/i;

/** Names that are forbidden on some system or refer to another file there. */
const UNSAFE = /[\\:*?"<>|\p{C}]|^\.{1,2}$|[. ]$|^ /u;

/** Names that make a folder a Git repository. Git and editors may run programs that its settings name. */
const REPOSITORY = /(?:^|\/)(?:\.git|git~\d)(?:\/|$)|(?:^|\/)HEAD$/i;

/** Throws a `Failure` unless the names are separate files within one folder on every system. */
export function checkFileNames(names: readonly string[]): void {
	const seen = new Map<string, string>();
	for (const name of names) {
		if (isUnsafe(name)) throw refused(`“${shown(name)}” is not a file name within the plugin`);
		if (REPOSITORY.test(name)) throw refused(`“${shown(name)}” is a part of a Git repository`);
		const key = name.normalize("NFC").toLowerCase();
		const other = seen.get(key);
		if (other !== undefined)
			throw refused(`“${shown(other)}” and “${shown(name)}” are the same file on some systems`);
		seen.set(key, name);
	}
	const both = [...seen.keys()].flatMap(foldersOf).find((folder) => seen.has(folder));
	if (both !== undefined) throw refused(`“${shown(both)}” is both a file and a folder`);
}

function isUnsafe(name: string): boolean {
	const parts = name.split("/");
	if (name.length > MAX_LENGTH || parts.length > MAX_DEPTH) return true;
	return parts.some((part) => part === "" || UNSAFE.test(part) || DEVICE.test(part));
}

function foldersOf(name: string): string[] {
	const parts = name.split("/").slice(0, -1);
	return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

function refused(why: string): Failure {
	return new Failure("BAD_INPUT", `The plugin was refused: ${why}.`);
}

function shown(name: string): string {
	return visibleText(name.slice(0, MAX_LENGTH));
}
