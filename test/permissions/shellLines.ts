import { wordList } from "../../src/base/words/wordList.ts";
import { createRandom } from "../support/random.ts";

const WRAPPERS = `
	env|env A=1|env -u A|env -i PATH=bin:/bin|env -S|command|command -p|exec|builtin|eval|nohup|timeout 5|timeout -k 1 5|nice
	nice -n 1|setsid -w|stdbuf -o0|xargs|xargs -n 1|xargs -I % env %|ionice -c 3|taskset 1|chrt -o 0|time|!|find . -maxdepth 0 -exec
	find f -ok|sudo|sh|bash|. ./|coproc|flock l|script -qc|unshare|prlimit|strace -o o|ld.so|setarch -R|cat f @ xargs|echo zap @
	echo @ xargs|: @|split --filter|tar -cf o f -I|git -c|git rebase --root -x|git ls-remote . --upload-pack|sort -S 1k --compress-program
`
	.trim()
	.split(/[|\n]\s*/)
	.map((wrapper) => wrapper.replaceAll("@", "|"));
const PLAIN = wordList(
	"ls f|cat f|echo x|true|git status|git log -1|find .|sort f|tar tf a.tar|env|printf %s|test x|read x|:|set --|export",
)
	.join(" ")
	.split("|");
const OPTIONS = wordList(`
	--filter --upload-pack --exec --compress-program --use-compress-program --to-command --checkpoint-action --receive-pack
	--split-string --init-file --rcfile --rsh-command --wrapper --command --config-env --open-files-in-pager --ext-diff -exec -I -c
	-C -O -x -S -F -k -p -v -i
`);
const VARIABLES = wordList(`
	GIT_SSH_COMMAND GIT_PAGER PAGER GIT_EXTERNAL_DIFF BASH_ENV ENV PATH IFS PS4 TAR_OPTIONS PROMPT_COMMAND EDITOR SHELL A a
	GIT_CONFIG_PARAMETERS LD_PRELOAD path X
`);
const HOLES = ["$(%)", '"$(%)"', "`%`", "'a[$(%)]'", "<(%)"];
const SEPARATORS = ["; ", " && ", " || ", " | ", "\n", " & "];

/** Returns a seeded generator of shell lines that run the program `zap` in many spellings. */
export function createShellLines(seed: number): () => string {
	const { below, pick } = createRandom(seed);
	const isOneIn = (count: number) => below(count) === 0;
	const quoted = (text: string) =>
		isOneIn(2) ? `'${text.replaceAll("'", "'\\''")}'` : `"${text.replace(/["\\$`]/g, "\\$&")}"`;
	const spelled = (word: string): string => {
		if (isOneIn(2)) return word;
		const at = below(word.length);
		const [start, sign, end] = [word.slice(0, at), word.charAt(at), word.slice(at + 1)];
		const quoted = `'%' "%" \\% %'' %$X [%] $(echo_%) {%,}`.split(" ");
		const parts = quoted.map((part) => part.replace("_", " ").replace("%", () => sign));
		return isOneIn(6) ? pick(["$Z", `$(echo ${word})`, `"$Z"`, "bin/zap"]) : `${start}${pick(parts)}${end}`;
	};
	const option = () => {
		const name = pick(OPTIONS);
		const short = name.startsWith("--") ? name.slice(0, 3 + below(name.length - 2)) : name;
		return `${spelled(short)}${pick([" ", "=", ""])}${spelled("zap")}`;
	};
	const assignment = () => `${pick(VARIABLES)}=${pick([spelled("zap"), "bin", "f", "$Z"])}`;
	const inner = (depth: number): string => (depth > 4 ? spelled("zap") : command(depth + 1));
	const before = () => pick(["", "env ", "export ", "declare -x ", "sudo "]);
	const kinds: readonly [weight: number, make: (depth: number) => string][] = [
		[4, () => spelled("zap")],
		[4, (depth) => `${pick(WRAPPERS)} ${inner(depth)}`],
		[2, (depth) => `${pick(WRAPPERS)} ${pick(["", "-c ", "sh -c ", "env sh -ec "])}${quoted(inner(depth))}`],
		[1, () => `${pick(PLAIN)} ${option()}`],
		[1, (depth) => `${before()}${assignment()} ${inner(depth)}`],
		[1, (depth) => `${inner(depth)} ${pick(["< f", "> o", "2>&1", "<<< zap", "{} +", "EXIT", "x"])}`],
		[1, (depth) => `${pick(PLAIN)} ${pick(HOLES).replace("%", () => inner(depth))}`],
		[2, (depth) => `${inner(depth)}${pick(SEPARATORS)}${inner(depth)}`],
	];
	const weighted = kinds.flatMap(([weight, make]) => Array<typeof make>(weight).fill(make));
	const command = (depth: number): string => pick(weighted)(depth);
	return () => command(0);
}
