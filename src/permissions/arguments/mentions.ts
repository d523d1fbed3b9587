import { isOptionWord, programOf } from "../commands/words.ts";
import type { ArgumentPattern, Surroundings } from "./argumentPattern.ts";
import { folderPath } from "./folderPath.ts";
import { coversHost, coversPath, hostName, pathSegments } from "./pattern.ts";

/** A longer text is not looked through; it may mention anything. */
const LONGEST = 20_000;
/** What stands between the words of a text, whatever language it is in. */
const BETWEEN = /[\s"'`<>()[\]{},;|&=]+/;

/** Whether a text may mean what a pattern speaks of, for example a command line a path, or a request's body a command. */
export function mayMention(pattern: ArgumentPattern, text: string, surroundings: Surroundings): boolean {
	if (text.length > LONGEST) return true;
	const words = text.normalize("NFC").split(BETWEEN).filter(Boolean);
	if (pattern.kind === "command") return namesCommand(pattern.words, words);
	if (pattern.kind === "host") return words.some((word) => namesHost(pattern.value, word));
	const { ignoreCase, workspace } = surroundings;
	return words
		.flatMap((word) => [word, ...word.split(/:+/)])
		.map((word) => (ignoreCase ? word.toLowerCase() : word).replaceAll("\\", "/").replace(/[.:]+$/, ""))
		.filter((word) => word !== "")
		.some((word) => placesOf(word, workspace).some((place) => coversPath(pattern.segments, place)));
}

function namesCommand(wanted: readonly string[], words: readonly string[]): boolean {
	const [program = "", ...others] = wanted;
	const names = others.filter((word) => !isOptionWord(word));
	const isNamed = words.some((word) => programOf(word) === programOf(program));
	return isNamed && names.every((name) => words.includes(name));
}

function namesHost(pattern: string, word: string): boolean {
	const address = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(word) ? word : "")?.host;
	if (address) return coversHost(pattern, address);
	const [, name = ""] =
		/^(?:[^@/]*@)?([^/:@]+\.[^/:@]+|localhost|\[[\da-f:.]+\])(?:[/:]|$)/i.exec(word) ?? [];
	// Of every host there is, most words with a dot are none.
	return pattern !== "*" && hostName(name) !== undefined && coversHost(pattern, name);
}

function placesOf(word: string, workspace: string): string[][] {
	const whole = pathSegments(word.replace(/^file:\/\//, ""));
	return workspace === "" || word.startsWith("/")
		? [whole]
		: [whole, pathSegments(`${folderPath(workspace)}/${word}`)];
}
