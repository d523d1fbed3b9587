import { homedir } from "node:os";
import { wordSet } from "../../base/words/wordList.ts";
import type { RequestArgument } from "../../core/permission/permission.ts";
import { parseCommandLine } from "../commands/commandLine.ts";
import { KNOWN, SHELLS, WRAPPERS } from "../commands/programs.ts";
import { readingsOf } from "../commands/readings.ts";
import { ANY_PART, ANY_SIGN, isKnown, isOptionWord, programOf } from "../commands/words.ts";
import type { ArgumentPattern, Surroundings } from "./argumentPattern.ts";
import {
	ANY_ONE,
	ANY_RUN,
	coversHost,
	coversPath,
	decoded,
	folderPath,
	hostName,
	mayMeet,
	pathSegments,
	type Segments,
	signsOf,
} from "./pattern.ts";

interface Mention {
	readonly word: string;
	/** Whether the program may read or write a file of this name (`mayRead`), or connect to such a host. */
	readonly mayRead: boolean;
	readonly mayConnect: boolean;
}

/** Maximum number of characters of a text that is searched; a longer text may mention anything. */
const LONGEST = 20_000;
const BETWEEN = /[\s"'`<>()[\]{},;|&=]+/;
const IPV6 = /\[[\da-f:.]+\]/gi;
const PIECES = /[\s"'`<>(),;|&=/\\@?#]+/;
const SILENT = wordSet(
	`echo printf : true false exit return sleep kill pwd date export unset set whoami id uname hostname seq yes`,
);
const CONNECTING = wordSet(`
	curl wget git npm docker kubectl gh ping dig host nslookup rsync scp pip brew apt helm go cargo terraform systemctl
`);
const ADDRESS = /^(?:(?:https?|wss?|ftp):|(?:[a-z][a-z\d+.-]*:)?\/\/)/i;
const OWN_FOLDER = /^\/proc\/[^/]+\/(?:task\/[^/]+\/)?(?:cwd|root)(?=\/|$)/;

/** Whether a text may mention what a pattern matches, as a command line may mention a path. */
export function mayMention(pattern: ArgumentPattern, argument: RequestArgument, surroundings: Surroundings) {
	if (argument.value.length > LONGEST) return true;
	const mentions = mentionsIn(argument);
	if (pattern.kind === "command")
		return namesCommand(pattern.words, argument.value.normalize("NFC").split(BETWEEN).filter(Boolean));
	if (pattern.kind === "host") return mentions.some((mention) => namesHost(pattern.value, mention));
	const places = surroundings.places?.get(argument.value);
	if (places?.paths.some((path) => coversPlace(pattern.segments, path, surroundings))) return true;
	const folder = folderPath(surroundings.workspace);
	// Globs of known words have already been resolved on disk.
	const isGlob = (place: string) => !isKnown(place) && isKnown(place.replace(/[\ue002\ue003]/g, ""));
	return mentions
		.filter(({ word, mayRead }) => isKnown(word) || mayRead)
		.flatMap(({ word }) => placesOf(word, folder))
		.filter((place) => !(places?.isWhole && isGlob(place)))
		.some((place) => coversPlace(pattern.segments, place, surroundings));
}

function coversPlace(glob: Segments, place: string, { ignoreCase }: Surroundings): boolean {
	const path = ignoreCase ? place.toLowerCase() : place;
	return isKnown(path) ? coversPath(glob, pathSegments(path)) : mayMeet(signsOf(glob), signsIn(path));
}

function signsIn(word: string): string[] {
	const unknown = (mark: string) => (mark === ANY_SIGN ? ANY_ONE : ANY_RUN);
	return Array.from(word, (sign) => (isKnown(sign) ? sign : unknown(sign)));
}

function mentionsIn({ kind, value }: RequestArgument): Mention[] {
	const isText = kind === "text";
	const text = value.normalize("NFC");
	const raw = [...text.split(BETWEEN), ...(text.match(IPV6) ?? [])]
		.filter(Boolean)
		.map((word) => ({ word, mayRead: isText, mayConnect: isText }));
	if (isText) return raw;
	const { commands } = parseCommandLine(value);
	const readings = commands.flatMap((command) => readingsOf(command).readings);
	return [
		...raw,
		...readings.flatMap(({ words, others }) => [
			...words.map((word) => mentionOf(word, programOf(words[0]))),
			...others.map((word) => ({ word, mayRead: true, mayConnect: true })),
		]),
	];
}

function mentionOf(word: string, program: string): Mention {
	const mayConnect = !KNOWN.has(program) || CONNECTING.has(program);
	const isCode =
		SHELLS.has(program) || program === "eval" || (WRAPPERS.has(program) && /[\s<>;&|]/.test(word));
	const isUnread = isCode && !isKnown(word);
	return { word: isUnread ? ANY_PART : word.normalize("NFC"), mayRead: !SILENT.has(program), mayConnect };
}

export function wordsOf(argument: RequestArgument): string[] {
	return argument.value.length > LONGEST ? [] : [...new Set(mentionsIn(argument).map(({ word }) => word))];
}

/** Returns the paths that a word may name, relative to a folder. Marks replace parts that only the shell knows. */
export function placesOf(word: string, folder: string): string[] {
	const pieces = [word, ...(isOptionWord(word) ? [word.slice(2)] : []), ...word.split(/[=,:;@]+|::?/)];
	return [...new Set(pieces)].flatMap((piece) => placesOfPiece(piece, folder));
}

function placesOfPiece(piece: string, folder: string): string[] {
	const path = pathOf(piece)
		.replaceAll("\\", "/")
		.replace(/(?<=[^.:/])[.:]+$/, "");
	// A part that only the shell knows may lead anywhere, even up.
	const known = path.replace(/^.*[\ue000\ue001]|^.*(?:^|\/)\.{1,2}\ue002[^/]*/s, ANY_PART);
	if (known.startsWith(ANY_PART)) return [known.includes("..") ? ANY_PART : known];
	if (known === "") return [];
	const places = known.startsWith("/") || folder === "" ? [known] : [known, `${folder}/${known}`];
	return places.map((place) => `/${pathSegments(place).join("/")}`.replace(OWN_FOLDER, ANY_PART));
}

function pathOf(piece: string): string {
	const text = decoded(piece);
	if (/^file:/i.test(text)) return decoded(URL.parse(piece)?.pathname ?? text.replace(/^file:\/*/i, "/"));
	const home = (start: string) => (start === "~" || start === `~${ANY_PART}` ? homedir() : ANY_PART);
	return text.replace(/^~[^/]*/, home).replace("{}", ANY_PART);
}

function namesCommand(wanted: readonly string[], words: readonly string[]): boolean {
	const [program = "", ...others] = wanted;
	const names = others.filter((word) => !isOptionWord(word));
	const isNamed = words.some((word) => programOf(word) === programOf(program));
	return isNamed && names.every((name) => words.includes(name));
}

function namesHost(pattern: string, { word, mayConnect }: Mention): boolean {
	if (/[\ue000\ue001]/.test(word)) return mayConnect;
	const text = decoded(word);
	const address = ADDRESS.test(text) ? URL.parse(text.replace(/^(?=\/\/)/, "http:"))?.host : undefined;
	const [, far] = /^(?:[^@/]*@)?([^/:@]+\.[^/:@]+|localhost|\[[\da-f:.]+\])(?:[/:]|$)/i.exec(text) ?? [];
	const [, device] = /\/dev\/(?:tcp|udp)\/([^/]+)/.exec(text) ?? [];
	const isNumber = (name: string) => /^(?:0x[\da-f]+|\d+)$/i.test(name);
	// For the pattern `*`, words that are not URLs are ignored, because most words with a dot are not hosts.
	if (pattern === "*") return Boolean(address || device);
	const names = [address, far, device, ...text.split(PIECES)].filter(
		(name) => name !== undefined && name !== "",
	);
	return names.some((name = "") => {
		if (isNumber(name) && !mayConnect) return false;
		if (name.includes(ANY_SIGN)) return mayMeet(signsOf([pattern]).slice(1), signsIn(name));
		return hostName(name) !== undefined && coversHost(pattern, name);
	});
}
