import { wordSet } from "../../base/words/wordList.ts";
import { operandsOf, runsByOption, setsVariables, WRAPPERS } from "./programs.ts";
import { isKnown, isOptionWord, mayHideOption, programOf, type Words, wordSets } from "./words.ts";

const HARMLESS = wordSet("--help --version --verbose --quiet --silent --color --no-color --dry-run");

const GIT_READING = `
	-n -p -u -s -i -E -F -G -S -L -M -C -g -z -w -b -q -R -U -c -m --oneline --graph --all --stat --numstat --shortstat --summary
	--name-only --name-status --decorate --author --committer --since --until --after --before --grep --format --pretty --date
	--abbrev --abbrev-commit --reverse --follow --patch --no-patch --max-count --skip --no-merges --merges --first-parent --cherry
	--left-right --topo-order --date-order --branches --tags --remotes --word-diff --find-renames --cached --staged --unified
	--ignore-all-space --ignore-space-change --diff-filter --exit-code --check --minimal --patience --histogram --merge-base --count
`;

/** Commands that only read, with the options that do not change this; `*` allows all options. */
const READING = commands({
	"ls, cat, head, tail, wc, grep, egrep, fgrep, stat, du, df, diff, cmp, echo, jq, basename, dirname, realpath, readlink":
		"*",
	"sha1sum, sha256sum, sha512sum, md5sum, cksum, nl, tac, rev, fold, cut, tr, paste, join, comm, od, hexdump, pwd, which, [":
		"*",
	"test, true, false, whoami, id, uname, nproc, free, uptime, ps, seq": "*",
	file: "-b -i -L -k --brief --mime --mime-type --dereference",
	tree: "-a -d -f -h -s -p -D -L -I -P --dirsfirst --noreport",
	sort: "-b -d -f -g -h -i -M -n -r -R -V -k -t -u -s -z -c -m --key --reverse --unique --numeric-sort --field-separator",
	rg: `-n -i -l -c -w -v -e -g -t -T -A -B -C -F -U -S -s -o -N -H -I -x -P -m --type --type-not --glob --iglob --hidden --no-ignore
		--files --count --files-with-matches --files-without-match --line-number --ignore-case --smart-case --context --json
		--max-count --max-depth --multiline --only-matching --word-regexp --fixed-strings --no-heading --sort`,
	"git log, git show, git diff, git shortlog, git rev-list, git diff-tree, git whatchanged, git range-diff":
		GIT_READING,
	"git remote show, git remote get-url": "-n --all",
	"git stash list, git stash show, git reflog show, git cherry, git name-rev": GIT_READING,
	"git status":
		"-s -b -u -v -z --short --branch --porcelain --long --ignored --untracked-files --column --no-renames",
	"git blame": "-L -w -M -C -l -s -e -p -b -t --porcelain --line-porcelain --since --date",
	"git ls-files":
		"-c -d -m -o -s -u -z -t -v --cached --deleted --modified --others --stage --exclude-standard --error-unmatch",
	"git ls-tree": "-r -d -t -l -z --name-only --full-tree --abbrev",
	"git rev-parse":
		"--abbrev-ref --short --verify --show-toplevel --is-inside-work-tree --symbolic-full-name -q",
	"git describe": "--tags --always --long --abbrev --all --dirty --match --exact-match",
	"git cat-file": "-p -t -s -e",
	"git grep":
		"-n -i -l -c -w -v -e -E -F -G -P -h -H -o -A -B -C --and --or --not --cached --untracked --name-only --count",
	"git merge-base, git worktree list, git check-ignore": "-v --is-ancestor --all --porcelain",
	"git show-ref, git count-objects": "-v -d -s --heads --tags --verify --hash -H",
	"npm ls, npm list, npm view, npm outdated, npm search, npm explain, npm root, npm config get":
		"-a --all --depth --json --long",
	"pnpm list, pnpm why, pnpm outdated": "--depth --json --long -r",
	"cargo tree, cargo metadata":
		"-p -i -e -d --no-deps --format-version --package --invert --edges --depth --duplicates",
	"go version, go env, go list, go doc": "-m -json -deps -u -short -all",
	"docker ps, docker images, docker image ls, docker container ls, docker network ls, docker volume ls, docker compose ls":
		"-a -q -l -n -s -f --all --filter --format --last --latest --no-trunc --size",
	"docker logs, docker compose logs, docker compose ps":
		"-f -t -n -a -q --follow --tail --since --until --timestamps --all --format",
	"docker inspect, docker network inspect, docker volume inspect, docker version, docker info, docker stats, docker top":
		"-f -s --format --size --no-stream --no-trunc",
	"docker port, docker history, docker diff, docker compose images": "-q --no-trunc --format",
	"kubectl get, kubectl describe, kubectl top, kubectl version, kubectl explain, kubectl rollout status, kubectl rollout history":
		"-n -o -A -w -l --namespace --output --all-namespaces --watch --selector --show-labels --sort-by --field-selector",
	"kubectl logs":
		"-n -f -c -p -l --namespace --follow --container --previous --tail --since --timestamps --all-containers",
	"kubectl config view, kubectl config get-contexts, kubectl config current-context": "--minify -o",
	"gh pr list, gh pr view, gh pr status, gh pr diff, gh pr checks, gh issue list, gh issue view, gh issue status, gh repo view":
		"-L -s -l -a -A -q -S --limit --state --label --assignee --author --json --jq --comments --search --base --head --name-only",
	"gh repo list, gh run list, gh run view, gh release list, gh release view, gh workflow list, gh workflow view":
		"-L -b -s -w -q --limit --branch --status --workflow --json --jq --log --log-failed --job",
	"pip list, pip show, pip freeze, pip check, uv pip list, uv pip show, uv pip freeze, uv pip check, poetry show, poetry check":
		"-f -o -v --format --outdated --files --tree --latest",
	"brew list, brew info, brew search, brew outdated, brew deps, apt list, apt show, apt search, apt policy":
		"-a -v --installed --upgradable --all-versions --json --formula --cask --versions --tree",
	"systemctl status, systemctl show, systemctl is-active, systemctl is-enabled, systemctl list-units, systemctl cat":
		"-a -l -n -p -t --all --full --lines --no-pager --property --type --state",
	"terraform version, terraform show, terraform output": "-json -no-color -raw",
});

/** Commands that do not only read, with the options that add no further effect. */
const WORKING = commands({
	"git add": "-A -u -v -n -N --all --update --intent-to-add",
	"git commit": "-m -a -v -s -q --message --all --signoff --allow-empty",
	"git push": "-u -q -v -n --set-upstream",
	"git pull": "-r -q -v --rebase --no-rebase --ff-only --autostash",
	"git fetch": "-a -q -v -t --all --tags --depth",
	"git checkout": "-b -q -t --track",
	"git switch": "-c -q -t --create --track",
	"git merge, git rebase, git cherry-pick, git revert":
		"-q -m -x --ff-only --no-ff --squash --no-edit --abort --continue --skip --onto",
	"git branch, git tag, git remote, git stash":
		"-a -r -v -l -n -q --all --remotes --list --show-current --merged --no-merged --contains --sort --format --points-at",
	"git stash push, git stash pop, git stash apply":
		"-u -q -k -m --message --include-untracked --keep-index --index",
	"git restore": "-q -S --staged",
	"git reset, git clone, git init, git mv, git rm, git apply, git am, git archive, git ls-remote, git gc":
		"-q -v --depth --branch --single-branch --heads --tags",
	"npm test, npm run, npm start, npm ci, npm install, npm audit, npm version, npm pack":
		"-D -E --save-dev --save-exact --json",
	"cargo build, cargo test, cargo check, cargo clippy, cargo fmt, cargo doc, cargo run, cargo bench": `-q -v -p -r --release --all
		--workspace --all-features --features --no-default-features --lib --bins --bin --tests --package --locked --offline --check`,
	"go build, go test, go vet, go run, go fmt, go mod":
		"-v -x -race -short -run -count -cover -timeout -bench -benchmem -failfast",
	"docker build, docker compose up, docker compose build, docker pull, docker stop, docker start, docker restart":
		"-d -q -t --tag --no-cache --pull --detach --build",
	"dotnet build, dotnet test, dotnet restore": "-v --verbosity --no-restore --no-build --nologo --filter",
	"terraform plan, terraform validate, terraform fmt, terraform init": "-no-color -check -recursive -diff",
	"gh pr create, gh issue create, gh pr checkout":
		"-t -b -d -B -l --title --body --draft --base --label --fill",
	tsc: "-w --noEmit --pretty --skipLibCheck --strict --watch",
	eslint: "--ext --max-warnings --cache --no-fix",
	prettier: "-c -l --check --list-different",
	"jest, vitest": "-t -i -w --ci --watch --testNamePattern --runInBand --bail --run",
	pytest: "-v -x -q -k -m -s -l --lf --ff --maxfail --tb --durations --last-failed --exitfirst",
	mypy: "--strict --pretty --no-error-summary",
	make: "-j -k -n -s -B -i",
	find: `-name -iname -path -ipath -type -not -a -o -or -and -maxdepth -mindepth -size -mtime -mmin -newer -empty -print -print0
		-prune -regex -user -perm -L -H -P`,
	curl: "-s -S -L -f -i -I -v -m -k --show-error --location --fail --head --max-time --compressed --retry --include",
	wget: "-q -S --spider",
	tar: "-t -v -z -j -J",
	sed: "-n -E -r -u -z",
	awk: "-F",
	rsync: "-a -v -n -r -z -h -i --archive --recursive --compress --progress --stats --itemize-changes",
	cp: "-r -R -p -a -v -n -i --recursive --archive --no-clobber",
	"mv, ln, mkdir, touch, rmdir, chmod": "-v -n -i -p -s -R --parents",
	date: "-u -I -R --utc --iso-8601 --rfc-3339",
	"printf, export, unset, read, cd": "-r -p -a -n",
});

function commands(table: Readonly<Record<string, string>>): ReadonlyMap<string, ReadonlySet<string>> {
	return new Map([...wordSets(table)].map(([name, options]) => [name, HARMLESS.union(options)]));
}

const NAMES = new Set([...READING.keys(), ...WORKING.keys()]);
const GROUPS = new Set([...NAMES].flatMap((name) => (name.includes(" ") ? [name.replace(/ \S+$/, "")] : [])));

/** Operands that make a program do more than its name suggests. */
const RISKY_OPERANDS = new Map(Object.entries({ git: /^[+:]|^\w+::/, make: /=/, date: /^\d/ }));

const HARMLESS_CODE = new Map(
	Object.entries({
		awk: /^[^|>()@`]*$/,
		sed: /^(?:s([/|,#])((?!\1).)*\1((?!\1).)*\1[gIip\d]*|(?:\d+|\$|\/[^/]*\/)?(?:,(?:\d+|\$|\/[^/]*\/))?[pdq=])$/,
	}),
);

/** Returns the words that name a read-only command; empty for any other command. */
export function readingName(words: Words): Words {
	return words.slice(0, longest(words, READING));
}

/** Whether the words from an index on add no effect to the command named before the index. */
export function addsNothing(words: Words, from: number): boolean {
	const program = programOf(words[0]);
	if (WRAPPERS.has(program)) return !runsByOption(words);
	const operands = operandsOf(program, words);
	const name = [program, ...operands.slice(0, 2)];
	const depth = longest(name, NAMES);
	const key = name.slice(0, depth).join(" ");
	const options = READING.get(key) ?? WORKING.get(key) ?? HARMLESS;
	const subAt = depth > 1 ? words.indexOf(operands[0] ?? "", 1) : 0;
	// A rule for a program alone, or for a group of commands, allows only listed subcommands.
	const group = longest(name, GROUPS);
	const unnamed = group >= depth ? operands[group - 1] : undefined;
	if (unnamed !== undefined && words.indexOf(unnamed, 1) >= from) return false;
	if (setsVariables(program, words.slice(from - 1))) return false;
	return words.slice(from).every((word, index) => {
		if (isOptionWord(word) || mayHideOption(word))
			return isSafe(word, from + index < subAt ? LEADING : options);
		const isHarmless = word !== operands[0] || HARMLESS_CODE.get(program)?.test(word) !== false;
		return isHarmless && !RISKY_OPERANDS.get(program)?.test(word);
	});
}

function longest(words: Words, names: { has(name: string): boolean }): number {
	return (
		[3, 2, 1].find((length) => length <= words.length && names.has(words.slice(0, length).join(" "))) ?? 0
	);
}

const LEADING = new Set(["--no-pager", "--no-optional-locks", "--silent", ...HARMLESS]);

function isSafe(word: string, options: ReadonlySet<string>): boolean {
	const [name = ""] = word.split("=", 1);
	if (options.has("*") || (options.has(name) && isKnown(name)) || /^-\d+$/.test(word)) return true;
	const [, letters] = /^-([A-Za-z]+)(?:\d[\w,.:]*)?$/.exec(word) ?? [];
	return letters !== undefined && [...letters].every((letter) => options.has(`-${letter}`));
}
