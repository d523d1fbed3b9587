import { posix, win32 } from "node:path";
import { fileURLToPath } from "node:url";
import { shellWord } from "../../base/text/shellWord.ts";
import { wordSet } from "../../base/words/wordList.ts";
import type { RequestArgument } from "../../core/permission/permission.ts";
import { decoded, hostName } from "./pattern.ts";

/** Maximum nesting depth of an input. Anything deeper is judged as a single text. */
const DEEPEST = 12;
/** Last words of the names of fields that contain a command, a path or a host. */
const COMMAND_NAMES = wordSet("command cmd script shell bash powershell exec executable program");
const PATH_NAMES = wordSet(`
		path paths file files filename filenames filepath pathname dir dirs dirname directory directories
		folder folders cwd workdir
	`);
const HOST_NAMES = wordSet("host hosts hostname domain endpoint server url urls uri address");
const ARGUMENT_LISTS = ["args", "arguments", "argv"];
const ADDRESS = /^([a-z][a-z\d+.-]*):\/\//i;
const PATH = /^(?:(?:~|\.{1,2})(?:$|[/\\])|[/\\]|[A-Za-z]:[/\\]|[^\s:]+[/\\][^\s]*$)/;

/** Finds values that look like a command, path or host. All other values are texts, which may mention one. */
export function argumentsIn(input: unknown, cwd: string): RequestArgument[] {
	const found = leavesIn(input, "", 0).flatMap((leaf) => readLeaf(leaf, cwd));
	return [...new Map(found.map((argument) => [JSON.stringify(argument), argument])).values()];
}

/** Returns absolute paths with forward slashes. Adds a path with `..` twice, because it may pass through links. */
export function pathArguments(path: string, cwd: string): RequestArgument[] {
	const text = path.startsWith("file:") && URL.canParse(path) ? fileURLToPath(path) : path;
	const forward = (value: string) => ({ kind: "path" as const, value: value.replaceAll("\\", "/") });
	if (win32.isAbsolute(text) && !posix.isAbsolute(text)) return [forward(text)];
	const home = text.replace(/^~(?=$|\/)/, process.env["HOME"] ?? "~");
	const isWhole = posix.isAbsolute(home) || cwd === "";
	const whole = isWhole ? home : `${cwd.replaceAll("\\", "/").replace(/\/$/, "")}/${home}`;
	const short = forward(posix.normalize(whole.replaceAll("\\", "/")));
	return /(?:^|[/\\])\.\.(?:$|[/\\])/.test(text) ? [short, forward(whole)] : [short];
}

export function hostArguments(address: string): RequestArgument[] {
	const host = URL.parse(address)?.host;
	return host ? [{ kind: "host", value: host }] : [];
}

interface Leaf {
	readonly name: string;
	readonly value: string;
}

function leavesIn(value: unknown, name: string, depth: number): Leaf[] {
	if (typeof value === "string") return value === "" ? [] : [{ name, value }];
	// A number may be an IPv4 address.
	if (typeof value === "number" && HOST_NAMES.has(lastWord(name))) return [{ name, value: `${value}` }];
	if (typeof value !== "object" || value === null) return [];
	if (depth > DEEPEST) return [{ name: "", value: JSON.stringify(value) }];
	if (Array.isArray(value)) return value.flatMap((item) => leavesIn(item, name, depth + 1));
	const line = commandOf(value);
	const fields = Object.entries(value).flatMap(([key, field]) => [
		// An unusual key is probably data of the caller, not the name of a field.
		...(/^\w[\w-]*$/.test(key) ? [] : [{ name: "", value: key }]),
		...leavesIn(field, key, depth + 1),
	]);
	return line === undefined ? fields : [{ name: "command", value: line }, ...fields];
}

function commandOf(input: object): string | undefined {
	const entries = Object.entries(input);
	const program = entries.find(
		([key, value]) => typeof value === "string" && COMMAND_NAMES.has(lastWord(key)),
	)?.[1];
	const list = entries.find(([key, value]) => ARGUMENT_LISTS.includes(key) && Array.isArray(value))?.[1];
	if (program === undefined || list === undefined) return undefined;
	return [program, ...list.map(String).map(shellWord)].join(" ");
}

function lastWord(name: string): string {
	return (
		name
			.replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
			.split(/[\s_-]+/)
			.at(-1) ?? ""
	).toLowerCase();
}

function readLeaf({ name, value }: Leaf, cwd: string): RequestArgument[] {
	const kind = lastWord(name);
	if (COMMAND_NAMES.has(kind)) return [{ kind: "command", value }];
	const scheme = ADDRESS.exec(value)?.[1]?.toLowerCase();
	if (scheme === "file" && isFileAddress(value)) return pathArguments(value, cwd);
	if (scheme !== undefined && hostArguments(value).length > 0)
		return [...hostArguments(value), { kind: "text", value }];
	const paths = [...new Set([value, decoded(value)])].flatMap((path) => pathArguments(path, cwd));
	if (PATH_NAMES.has(kind)) return paths;
	if (PATH.test(value)) return [...paths, { kind: "text", value }];
	if (HOST_NAMES.has(kind) && hostName(value)) return [{ kind: "host", value }];
	return [{ kind: "text", value }];
}

function isFileAddress(text: string): boolean {
	try {
		return fileURLToPath(text) !== "";
	} catch {
		return false;
	}
}
