import { wordList, wordSet } from "../../base/words/wordList.ts";
import { ASSIGNMENT, isOptionWord, mayHideOption, programOf, type Words, wordSets } from "./words.ts";

/** Facts about programs. A program that is not listed may run anything. */

/** Wrappers with other effects than running a command, so judging that command is not enough. */
const MORE_THAN_A_WRAPPER = `
	su script ssh mosh tmux screen at batch trap wsl start forfiles nodemon gdb entr watchexec npx pnpx bunx uvx systemd-run
	nsenter capsh watch parallel unbuffer caffeinate setarch linux32 linux64 numactl prlimit faketime fakeroot firejail
	proxychains strace ltrace valgrind perf chroot unshare runuser sg flock start-stop-daemon gosu tini dumb-init pkexec run0
	catchsegv chronic ts retry torsocks bwrap daemonize cgexec setpriv rlwrap
`;

export const WRAPPERS = wordSet(`
	command builtin exec env sudo doas nohup timeout nice ionice chrt taskset stdbuf setsid time xargs busybox toybox eval coproc
	${MORE_THAN_A_WRAPPER}
`);

/** Programs that never run other programs, whatever their arguments. */
const PLAIN = `
	echo printf which type whereis whatis apropos ls cat head tail wc grep egrep fgrep cd pushd popd dirs mkdir rmdir touch test [
	: true false exit return cp mv ln chmod chown stat file du df tree diff cmp uniq cut tr paste join comm jq yq basename dirname
	realpath readlink date sleep ps kill export unset set read tee base64 xxd od unzip gzip gunzip zcat bzip2 xz zstd curl rm tsc
	nl tac rev fold expand unexpand fmt pr shuf seq yes printenv uname hostname whoami id groups pwd cal uptime free nproc ss ping
	dig host nslookup pgrep pkill iconv strings hexdump cksum sum md5sum sha1sum sha256sum sha512sum b2sum truncate sync mktemp
	column numfmt factor expr umask wait jobs fg bg times shift getopts let local declare typeset readonly break continue lscpu
	lsblk arch tty tput clear mapfile readarray dd locale getconf who last
`;

/**
 * Programs that run other programs only through these options. An entry may apply to one subcommand only. Entries
 * without a dash mark operands: a host, an address that names a program, or a block of commands.
 */
const RUNNING_OPTIONS = wordSets({
	find: "-exec -execdir -ok -okdir",
	fd: "-x -X --exec --exec-batch",
	rg: "--pre --hostname-bin",
	"ag, ack": "--pager",
	sort: "--compress-program",
	split: "--filter",
	tar: `-I -F --to-command --use-compress-program --checkpoint-action --info-script --new-volume-script --rmt-command
		--rsh-command :`,
	wget: "-e --execute --use-askpass --config",
	zip: "-T -TT --unzip-command --test-command",
	rsync: "-e -M --rsh --rsync-path --remote-option",
	scp: "-o -F -S -D -J",
	xargs: "-I -i --replace -J",
	env: "-S --split-string",
	sudo: "-i -s -e -A --login --shell --edit --askpass",
	git: `--exec --exec-path --upload-pack --receive-pack --ext-diff --textconv --open-files-in-pager --extcmd --editor --config-env
		--config --template --strategy ::`,
	"git rebase": "-x -s -X -i --interactive",
	"git merge, git pull": "-s -X",
	"git grep": "-O",
	"git clone": "-u -c",
	npm: "--script-shell --node-options --git --editor --viewer --browser",
	docker: "-H -c --host --context --config",
	kubectl: "--kubeconfig",
	go: "-exec -toolexec -vettool -overlay",
	cargo: "-C -Z --config --manifest-path",
	"gh repo": "-u -c --upload-pack --config --template",
	helm: "--post-renderer --kubeconfig",
	pip: "--python",
	apt: "-o -c --option --config-file",
	systemctl: "-H -M --host --machine",
	"get-childitem, get-content, write-output, write-host, set-location, test-path": "{",
});

/** Options that run other programs only before the subcommand. After the subcommand, they have another meaning. */
const LEADING_OPTIONS = wordSets({ git: "-c -p --paginate" });

/** Subcommands that run no other programs. Any other subcommand is an alias or an external program. */
const SUBCOMMANDS = wordSets({
	npm: "ls list view info show outdated search ping whoami root prefix bin config get audit explain fund help pkg",
	cargo: "metadata tree search clean update fetch add remove pkgid version",
	go: "version env list doc mod clean fmt",
	docker: `ps images logs inspect info version stats top port events history search pull push rm rmi kill stop pause
		unpause rename tag network volume image system`,
	kubectl: `get describe logs top version explain api-resources api-versions cluster-info config apply delete create
		label annotate scale rollout wait`,
	gh: "pr issue repo run release workflow search label secret status",
	pip: "list show freeze check index uninstall",
	brew: "list info search outdated deps leaves uses uninstall",
	apt: "list show search policy depends",
	systemctl: "status show list-units list-unit-files list-timers is-active is-enabled cat stop disable mask",
	helm: "list status get history search show version",
	terraform: "version show output fmt state",
	git: `
		add am annotate apply archive blame branch bundle cat-file check-ignore checkout cherry cherry-pick clean clone commit
		count-objects describe diff diff-files diff-index diff-tree fetch for-each-ref format-patch fsck gc grep hash-object help
		init log ls-files ls-remote ls-tree merge merge-base mv name-rev notes prune pull push range-diff read-tree rebase
		reflog remote repack replace rerere reset restore rev-list rev-parse revert rm send-pack shortlog show show-branch
		show-ref sparse-checkout stash status subtree switch symbolic-ref tag update-index update-ref var verify-commit
		verify-tag version whatchanged worktree write-tree lfs
	`,
});

export const KNOWN: ReadonlySet<string> = new Set(
	[...wordList(PLAIN), ...RUNNING_OPTIONS.keys(), ...SUBCOMMANDS.keys()].filter(
		(name) => !WRAPPERS.has(name),
	),
);

export const WITH_OPERAND = wordSet(
	"chroot flock taskset setarch su sg runuser chrt script ssh start-stop-daemon gdb retry",
);

export const READING_WORDS = wordSet("xargs parallel");

/** Programs that run a text as commands after `-c`, and a script otherwise. */
export const SHELLS = wordSet("sh bash zsh dash ash ksh mksh fish rbash tcsh csh yash");

/** Programs that run programs or code in ways that are not analyzed. */
const INTERPRETERS = wordSet(`
	python pypy ipython jupyter node nodejs deno bun tsx ts-node perl ruby irb php lua luajit tclsh wish expect r rscript
	julia java jshell kotlin scala groovy swift dart elixir erl ghc runghc ocaml racket guile sbcl emacs vim vi nvim view
	ex ed nano awk gawk mawk nawk sed dc m4 sqlite3 psql mysql mongosh redis-cli
	make gmake cmake ninja bazel buck rake just task ant mvn mvnw gradle gradlew sbt tox nox invoke fab ansible
	ansible-playbook vagrant yarn pnpx npx bunx uvx pipx pre-commit husky turbo nx lerna act direnv nix nix-shell guix
	cmd powershell pwsh wscript cscript mshta rundll32 regsvr32 osascript open xdg-open invoke-expression iex
	invoke-command icm start-process saps call source . alias unalias enable hash crontab launchctl newgrp corepack autossh
	less more man docker-compose jest vitest mocha ava playwright cypress pytest rspec phpunit dotnet
	eslint webpack vite rollup gulp grunt code subl gem bundle composer mix rebar3 stack cabal dune opam
	${MORE_THAN_A_WRAPPER}
`);

export const VALUED = wordSets({
	git: "-C -c --git-dir --work-tree --namespace --exec-path --config-env --super-prefix --attr-source",
	docker: "-H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey",
	podman: "--root --runroot --url --connection -c --log-level --identity",
	kubectl: `-n --namespace --context --cluster --user --kubeconfig -s --server --token --as --as-group --cache-dir -v
		--certificate-authority --client-certificate --client-key --request-timeout --tls-server-name --username --password`,
	npm: "--prefix -C --workspace -w --userconfig --globalconfig --registry --loglevel --cache --tag --otp --script-shell",
	pnpm: "--dir -C --filter -F --workspace-dir --loglevel --reporter",
	cargo: "--config -C --color -Z --manifest-path",
	gh: "-R --repo --hostname",
	systemctl: "-H --host -M --machine -t --type -p --property --root",
	helm: "-n --namespace --kube-context --kubeconfig --registry-config --repository-config",
	aws: "--profile --region --output --endpoint-url --query",
	gcloud: "--project --account --configuration --format --verbosity",
	terraform: "-chdir",
	apt: "-o -c -t",
	go: "-C",
	awk: "-F",
	env: "-u -C",
	exec: "-a",
	ionice: "-c -n",
	nice: "-n",
	sudo: "-u -g -p -U",
	timeout: "-k -s",
	xargs: "-n -P -L -d -a -s",
});

/** Variables that never make a program run others: short names, lower-case names, and the listed names. */
const HARMLESS_VARIABLE =
	/^(?:(?!npm_|.*path$)[a-z]\w*|[A-Z][A-Z\d]?|NODE_ENV|CI|LANG|LC_\w+|TZ|TERM|COLUMNS|LINES|\w*COLOR|DEBUG|PORT|NAME|FILE|DIR|\w*LOG_LEVEL|PYTHONUNBUFFERED|RUST_BACKTRACE|GIT_(?:AUTHOR|COMMITTER)_\w+)$/;

/** Whether setting a variable, given as `NAME` or `NAME=value`, may make a program run others. */
export function isRunningVariable(assignment: string): boolean {
	return !HARMLESS_VARIABLE.test(assignment.replace(/\+?=.*$/s, ""));
}

/** Returns `running` if the program may run others than its arguments name, and `unlisted` if it is unknown. */
export function kindOfProgram(name: string, operands: readonly string[]): "known" | "unlisted" | "running" {
	if (INTERPRETERS.has(name) || INTERPRETERS.has(name.replace(/(?<=[a-z])[\d.]+$/, ""))) return "running";
	const [sub] = operands;
	if (sub !== undefined && SUBCOMMANDS.get(name)?.has(sub) === false) return "running";
	return KNOWN.has(name) || WRAPPERS.has(name) || SHELLS.has(name) ? "known" : "unlisted";
}

/** Omits options, and the values of options before the subcommand. */
export function operandsOf(program: string, words: Words): Words {
	const valued = VALUED.get(program);
	const operands: string[] = [];
	for (let at = 1; at < words.length; at++) {
		const word = words[at] ?? "";
		if (operands.length === 0 && valued?.has(word)) at++;
		else if (!isOptionWord(word) && word !== "--") operands.push(word);
	}
	return operands;
}

const SETTING = wordSet("export declare typeset local readonly read mapfile readarray getopts");

/** Whether a word is, or may become, an option that runs other programs. */
export function runsByOption(words: Words): boolean {
	const program = programOf(words[0]);
	const [sub] = operandsOf(program, words);
	const subAt = sub === undefined ? words.length : words.indexOf(sub, 1);
	const options = [program, `${program} ${sub}`].flatMap((name) => [...(RUNNING_OPTIONS.get(name) ?? [])]);
	const leading = [...(LEADING_OPTIONS.get(program) ?? [])];
	const mayRun = options.length > 0 || SUBCOMMANDS.has(program);
	return words.some((word, index) => {
		if (index === 0) return false;
		if ((mayRun && mayHideOption(word)) || options.some((option) => isOption(word, option))) return true;
		return index < subAt && leading.some((option) => isOption(word, option));
	});
}

/** Whether a word is the option, also abbreviated or combined with others, or an operand with this mark. */
function isOption(word: string, option: string): boolean {
	if (!option.startsWith("-")) return /^[\w.@-]*/.exec(word)?.[0].length === word.indexOf(option);
	const [name = ""] = word.split("=", 1);
	// Programs accept any unique beginning of a long option.
	if (option.startsWith("--")) return name.length > 2 && option.startsWith(name);
	if (option.length > 2) return name === option || name === `-${option}`;
	return /^-[^-]/.test(word) && word.slice(1).includes(option.slice(1));
}

export function setsVariables(program: string, words: Words): boolean {
	const isSetting =
		SETTING.has(program) || (program === "printf" && words.some((word) => word.startsWith("-v")));
	return words
		.slice(1)
		.some((word) =>
			isSetting
				? !isOptionWord(word) && isRunningVariable(word)
				: WRAPPERS.has(program) && ASSIGNMENT.test(word) && isRunningVariable(word),
		);
}
