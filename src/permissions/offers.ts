import { wordList } from "../base/words/wordList.ts";
import type { ArgumentKind, CallArgument, PermissionRequest } from "../core/permission/permission.ts";
import { type Phrase, phrase } from "../core/phrase.ts";
import { parseCommandLine } from "./commands/commandLine.ts";
import { freesCommand, readCommand, readCommandPattern } from "./commands/commandPattern.ts";
import { kindOfProgram } from "./commands/programs.ts";
import { reachesBeyond } from "./commands/riskyOptions.ts";
import { isOptionWord } from "./commands/words.ts";

/** A rule that may be made of a call that was allowed. */
export interface RuleOffer {
	/** What the rule speaks of; absent, every call of the tool. */
	readonly argument?: CallArgument;
	/** What the rule would allow, for the user. */
	readonly frees: Phrase;
}

/** Rules to offer for more than this call, narrowest first; empty if none would be safe. */
export function offersFor({ tool, arguments: args }: PermissionRequest): readonly RuleOffer[] {
	const [first, ...others] = args.filter(({ kind }) => kind !== "text");
	const whole: RuleOffer = { frees: phrase("every call of {0}, with any input", tool) };
	const wider = TOOLS_WITH_ARGUMENTS.has(tool) ? [] : [whole];
	if (!first || first.kind === "text" || others.length > 0) return wider;
	const { kind, value } = first;
	if (kind === "command") return [...commandOffers(value), ...wider];
	// A rule for this value would match other values too.
	if (/[*?]/.test(value)) return wider;
	return [{ argument: { kind, value }, frees: FREED[kind](value) }, ...wider];
}

const FREED: Readonly<Record<ArgumentKind, (value: string) => Phrase>> = {
	command: (value) => phrase("the command “{0}”", value),
	path: (value) => phrase("the path “{0}”", value),
	host: (value) => phrase("the host “{0}”", value),
};

/** Tools whose calls name what they do; `other` is any action without its own name. */
const TOOLS_WITH_ARGUMENTS: ReadonlySet<string> = new Set(
	wordList(`
	shell edit delete move fetch other
`),
);

/** A word that means the same to every shell, and to a reader. */
const PLAIN = /^[\w@%+=:,./-]+$/;

/** Words after a program that name what it does, not what it does it to. */
const SUBCOMMAND = /^[a-z][a-z-]*$/;

/** Programs whose second word says what they do. For other programs, only the identical command is allowed again. */
const WITH_SUBCOMMANDS: ReadonlySet<string> = new Set(
	wordList(`
	git gh npm pnpm yarn bun cargo go dotnet docker kubectl terraform pip uv poetry brew apt systemctl
`),
);

/** What only the word behind it makes a command. */
const GROUPS: ReadonlySet<string> = new Set([
	"gh",
	"git stash",
	"git remote",
	"git worktree",
	"git notes",
	"git reflog",
	"git bundle",
	"git lfs",
	"go mod",
	"docker compose",
	"docker container",
	"docker image",
	"docker network",
	"docker volume",
	"docker system",
	"npm config",
	"npm cache",
	"npm run",
	"pnpm run",
	"yarn run",
	"bun run",
	"uv pip",
	"brew services",
	"kubectl config",
	"kubectl rollout",
	"terraform workspace",
	"poetry env",
	"dotnet nuget",
]);

/** Programs that do what their name says to what they are given, and no more. */
const PLAIN_PROGRAMS: ReadonlySet<string> = new Set(
	wordList(`
	ls cat head tail wc grep rg stat file du tree diff cmp sort uniq touch mkdir echo jq basename
	dirname realpath sha256sum md5sum
`),
);

function commandOffers(line: string): RuleOffer[] {
	const words = plainWords(line);
	if (!words) return [];
	const text = words.join(" ");
	const whole = { value: `${text} $`, frees: phrase("exactly “{0}”", text) };
	const name = nameOf(words);
	const fixed =
		name.length > 0 && kindOfProgram(words[0] ?? "", words.slice(1)) === "known"
			? upToOptions(words, name)
			: [];
	const narrow = fixed.length > 0 ? namesOffer(fixed) : whole;
	const offers = [
		isFreed(narrow.value, line) ? narrow : whole,
		...(name.length > 1 ? [prefixOffer(name)] : []),
	];
	return offers
		.filter(({ value }) => isFreed(value, line))
		.map(({ value, frees }) => ({ argument: { kind: "command", value }, frees }));
}

function namesOffer(words: readonly string[]) {
	const text = words.join(" ");
	return {
		value: `${text} *`,
		frees: phrase("“{0}” with other names within the folder, and no other options", text),
	};
}

function prefixOffer(words: readonly string[]) {
	const text = words.join(" ");
	return {
		value: text,
		frees: phrase(
			"“{0}” with anything after it, except options that are known to run programs, write, or destroy",
			text,
		),
	};
}

/** The words of a line that is one command in plain words; `undefined` for other lines, whose rule would not be readable. */
function plainWords(line: string): string[] | undefined {
	const { commands, isClear } = parseCommandLine(line);
	const [first, ...others] = commands;
	if (!isClear || !first?.isPlain || others.length > 0) return undefined;
	const words = first.words.filter((word) => PLAIN.test(word));
	const isWhole = words.length === first.words.length && words.join(" ") === line.trim().replace(/\s+/g, " ");
	return isWhole ? words : undefined;
}

/** The words that say what a command does; empty if they do not. */
function nameOf(words: readonly string[]): readonly string[] {
	const [program = "", sub = ""] = words;
	if (PLAIN_PROGRAMS.has(program)) return [program];
	const depth = GROUPS.has(program) || GROUPS.has(`${program} ${sub}`) ? 3 : 2;
	const name = words.slice(0, depth);
	const isName = name.length === depth && name.slice(1).every((word) => SUBCOMMAND.test(word));
	return isName && WITH_SUBCOMMANDS.has(program) && !reachesBeyond(name, 1) ? name : [];
}

/** The command up to its last option; the words after that name its operands. Empty if an option does more. */
function upToOptions(words: readonly string[], name: readonly string[]): readonly string[] {
	const last = words.findLastIndex(isOptionWord);
	return reachesBeyond(words, name.length) ? [] : words.slice(0, Math.max(last + 1, name.length));
}

function isFreed(value: string, line: string): boolean {
	const pattern = readCommandPattern(value);
	const [command] = parseCommandLine(line).commands;
	return pattern !== undefined && command !== undefined && freesCommand(pattern, readCommand(command));
}
