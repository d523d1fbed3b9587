/** What is known of programs. All that is here makes a rule stricter; what is not listed is taken by its name. */

const list = (...words: string[]) => words.join(" ").split(" ");

/** Programs that run the command in their arguments. */
export const WRAPPERS: ReadonlySet<string> = new Set(
	list(
		"command builtin exec env sudo doas nohup timeout nice ionice chrt taskset stdbuf setsid time watch xargs parallel",
		"busybox toybox unbuffer caffeinate setarch linux32 linux64 numactl prlimit faketime fakeroot firejail proxychains",
		"strace ltrace gdb valgrind perf chroot unshare nsenter runuser su sg script flock systemd-run start-stop-daemon",
		"ssh mosh tmux screen at batch trap eval coproc wsl start forfiles gosu tini dumb-init pkexec run0 catchsegv",
		"entr watchexec nodemon chronic ts retry torsocks bwrap daemonize cgexec setpriv capsh rlwrap npx pnpx bunx uvx",
	),
);

/** Programs whose arguments are names and texts, never a command. */
export const NEVER_RUN: ReadonlySet<string> = new Set(
	list(
		"echo printf which type whereis whatis apropos ls cat head tail wc grep egrep fgrep rg ag ack cd pushd popd mkdir rmdir",
		"touch test [ true false exit return cp mv ln chmod chown stat file du df tree diff cmp sort uniq cut tr paste join comm",
		"jq yq basename dirname realpath readlink sha256sum md5sum date sleep ps kill export unset set read tee base64 xxd od",
		"tar zip unzip gzip gunzip curl wget rm git npm pnpm docker podman kubectl cargo go gh pip brew apt systemctl helm aws",
		"gcloud terraform tsc",
	),
);

/** Words that precede the command that a program runs. Without one, it runs none of its arguments. */
export const MARKERS: Readonly<Record<string, readonly string[]>> = {
	find: list("-exec -execdir -ok -okdir"),
	fd: list("-x -X --exec --exec-batch"),
	git: list("foreach run --exec -x"),
	docker: list("run exec"),
	podman: list("run exec"),
	kubectl: list("exec run debug --"),
	npm: list("exec x --"),
};

/** Wrappers that take a word of their own before the command. */
export const WITH_OPERAND: ReadonlySet<string> = new Set(
	list("chroot flock taskset setarch su sg runuser chrt script ssh start-stop-daemon gdb retry"),
);

/** Wrappers that add words that they read. */
export const READING_WORDS: ReadonlySet<string> = new Set(["xargs", "parallel"]);

/** Wrappers that do more than run the command in their arguments, so that understanding it is not enough. */
const MORE_THAN_A_WRAPPER = list(
	"su script ssh mosh tmux screen at batch trap wsl start forfiles nodemon gdb entr watchexec npx pnpx bunx uvx",
	"systemd-run nsenter capsh",
);

/** Programs that run a text as commands with the option `-c`, and otherwise a script. */
export const SHELLS: ReadonlySet<string> = new Set(
	list("sh bash zsh dash ash ksh mksh fish rbash tcsh csh yash"),
);

/** Programs that run other programs, or text, in ways that are not looked into. */
const INTERPRETERS: ReadonlySet<string> = new Set([
	...MORE_THAN_A_WRAPPER,
	...list(
		"python pypy ipython jupyter node nodejs deno bun tsx ts-node perl ruby irb php lua luajit tclsh wish expect r rscript",
		"julia java jshell kotlin scala groovy swift dart elixir erl ghc runghc ocaml racket guile sbcl emacs vim vi nvim view",
		"ex ed nano awk gawk mawk nawk sed dc m4 sqlite3 psql mysql mongosh redis-cli",
		"make gmake cmake ninja bazel buck rake just task ant mvn mvnw gradle gradlew sbt tox nox invoke fab ansible",
		"ansible-playbook vagrant yarn pnpx npx bunx uvx pipx pre-commit husky turbo nx lerna act direnv nix nix-shell guix",
		"cmd powershell pwsh wscript cscript mshta rundll32 regsvr32 osascript open xdg-open invoke-expression iex",
		"invoke-command icm start-process saps call source . alias unalias enable hash crontab launchctl newgrp corepack autossh",
		"less more man docker-compose jest vitest mocha ava playwright cypress pytest rspec phpunit dotnet",
		"eslint webpack vite rollup gulp grunt code subl gem bundle composer mix rebar3 stack cabal dune opam",
	),
]);

/** Subcommands that run other code. Programs that are not listed have none. */
const RUNNING_SUBCOMMANDS: Readonly<Record<string, readonly string[]>> = {
	npm: list(
		"run run-script rum urn test t tst it install-test cit start stop restart exec x init create explore edit i install ci rebuild",
	),
	pnpm: list("run test start exec dlx create install i rebuild x"),
	cargo: list("run r test t bench build b check install"),
	go: list("run test generate tool vet build install"),
	docker: list("run exec compose build buildx start container"),
	podman: list("run exec compose build start container"),
	kubectl: list("exec run debug edit krew cp"),
	git: list(
		"bisect submodule filter-branch difftool mergetool send-email daemon instaweb config alias p4 svn citool gui",
		"credential maintenance web--browse hook for-each-repo",
	),
	gh: list("alias extension codespace api"),
	uv: list("run tool x"),
	poetry: list("run shell"),
	pip: list("install"),
	brew: list("sh ruby irb"),
	terraform: list("apply console init plan"),
	systemctl: list("edit start restart enable"),
};

/** The commands of git itself: any other is an alias, or a program that somebody put there. */
const GIT_COMMANDS: ReadonlySet<string> = new Set(
	list(
		"add am annotate apply archive blame branch bundle cat-file check-ignore checkout cherry cherry-pick clean clone commit",
		"count-objects describe diff diff-files diff-index diff-tree fetch for-each-ref format-patch fsck gc grep hash-object help",
		"init log ls-files ls-remote ls-tree merge merge-base mv name-rev notes prune pull push range-diff read-tree rebase",
		"reflog remote repack replace rerere reset restore rev-list rev-parse revert rm send-pack shortlog show show-branch",
		"show-ref sparse-checkout stash status subtree switch symbolic-ref tag update-index update-ref var verify-commit",
		"verify-tag version whatchanged worktree write-tree lfs",
	),
);

/** Options before the subcommand whose value is the next word. */
export const VALUED: Readonly<Record<string, readonly string[]>> = {
	git: list("-C -c --git-dir --work-tree --namespace --exec-path --config-env --super-prefix --attr-source"),
	docker: list("-H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey"),
	podman: list("--root --runroot --url --connection -c --log-level --identity"),
	kubectl: list(
		"-n --namespace --context --cluster --user --kubeconfig -s --server --token --as --as-group --cache-dir -v",
		"--certificate-authority --client-certificate --client-key --request-timeout --tls-server-name --username --password",
	),
	npm: list(
		"--prefix -C --workspace -w --userconfig --globalconfig --registry --loglevel --cache --tag --otp --script-shell",
	),
	pnpm: list("--dir -C --filter -F --workspace-dir --loglevel --reporter"),
	cargo: list("--config -C --color -Z --manifest-path"),
	gh: list("-R --repo --hostname"),
	systemctl: list("-H --host -M --machine -t --type -p --property --root"),
	helm: list("-n --namespace --kube-context --kubeconfig --registry-config --repository-config"),
	aws: list("--profile --region --output --endpoint-url --query"),
	gcloud: list("--project --account --configuration --format --verbosity"),
	terraform: list("-chdir"),
	apt: list("-o -c -t"),
	go: list("-C"),
};

/** Variables through which programs are found, or say what they run. */
export const RUNNING_VARIABLE =
	/^(?:PATH|IFS|ENV|BASH_ENV|SHELL|SHELLOPTS|BASHOPTS|PS\d|PROMPT_COMMAND|CDPATH|HOME|XDG_\w+|(?:\w*_)?(?:PAGER|EDITOR|VISUAL|BROWSER|ASKPASS|COMMAND|SHELL|SSH|RSH|WRAPPER|OPTIONS|OPTS|FLAGS|PRELOAD|PATH)|(?:LD|DYLD|GIT|npm_config|NPM_CONFIG|PYTHON|PERL|RUBY|NODE|CARGO|RUSTC|GO|MAKE|DOCKER|KUBECONFIG|LESS|MAN)\w*|CC|CXX|AR|LD)$/;

/** Whether a program, by the words after its name that are no options, runs what is not looked into. */
export function runsUnknown(program: string, operands: readonly (string | undefined)[]): boolean {
	if (INTERPRETERS.has(program.replace(/(?<=[a-z])[\d.]+$/, "")) || INTERPRETERS.has(program)) return true;
	const [sub] = operands;
	if (program === "git" && sub !== undefined && !GIT_COMMANDS.has(sub)) return true;
	return sub !== undefined && RUNNING_SUBCOMMANDS[program]?.includes(sub) === true;
}
