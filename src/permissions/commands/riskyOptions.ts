import { operandsOf, programOf, type Words } from "./words.ts";

/** What options of a program make it do more than its name says, by the program, or by it and its subcommand. */
interface Risks {
	/** They run other programs, or say which ones are run. */
	readonly runs?: string;
	/** They write elsewhere, destroy, send away, or have the program work somewhere else. */
	readonly reaches?: string;
}

/** For every program: options with these names are never harmless. */
const EVERYWHERE: Risks = {
	runs: `--exec --exec-batch --exec-path --command --to-command --use-compress-program --checkpoint-action --upload-pack
		--receive-pack --ext-diff --textconv --open-files-in-pager --extcmd --editor --pager --shell --script-shell --rsh
		--rsync-path --toolexec --node-options --require --import --loader --eval --init-file --rcfile --plugin --plugins
		--preprocessor --pre --compress-program --diff-program --hostname-bin --ssh-command --post-hook --pre-hook --hook
		--config-env --info-script --new-volume-script --rmt-command --vettool ::`,
	reaches: `--output --output-file --output-dir --output-directory --output-document --out --outfile --out-dir --prefix
		--config --config-file --userconfig --globalconfig --registry --index-url --extra-index-url --unsafe-perm
		--git-dir --work-tree --directory --chdir --cwd --root --upload-file --post-file --post-data --remote-name
		--cookie-jar --log-file --logfile --trace --trace-ascii --force --force-with-lease --hard --mirror --delete
		--no-preserve-root --write --fix --in-place --install-strategy --proxy --host --kubeconfig --server --token
		--privileged --volume --mount --files0-from --makefile --file --mirror --allow-unsafe --global --system`,
};

/** Before the subcommand; other words of these programs have other meanings. */
const LEADING: Readonly<Record<string, Risks>> = {
	git: { runs: "-c -p --paginate", reaches: "-C --namespace --bare" },
	docker: { reaches: "-H -c --context" },
	podman: { reaches: "--url --connection -c" },
	kubectl: { reaches: "-s --context --cluster --as" },
	cargo: { runs: "--config", reaches: "-C" },
	npm: { reaches: "-C" },
	pnpm: { reaches: "-C --dir" },
	gh: { reaches: "-R --repo" },
	systemctl: { reaches: "-H -M" },
};

/** A word without a dash is a subcommand; `=` is any variable set after the program, `::` an address that names a program. */
const RISKS: Readonly<Record<string, Risks>> = {
	git: { runs: "bisect submodule filter-branch difftool mergetool send-email config for-each-repo hook" },
	"git clean": { reaches: "-f -d -x -X" },
	"git push": { reaches: "-f -d --prune --all --tags --repo" },
	"git rebase": { runs: "-x -s -X --strategy" },
	"git merge": { runs: "-s --strategy" },
	"git grep": { runs: "-O" },
	"git clone": { runs: "-u -c --template" },
	"git init": { runs: "--template", reaches: "--separate-git-dir" },
	"git branch": { reaches: "-D -d -M -f" },
	"git tag": { reaches: "-d -f" },
	"git remote": { reaches: "add set-url rename remove rm" },
	"git reset": { reaches: "--merge --keep" },
	"git checkout": { reaches: "-f" },
	"git switch": { reaches: "-f -C --discard-changes" },
	"git stash": { reaches: "drop clear" },
	"git reflog": { reaches: "expire delete" },
	"git archive": { runs: "--remote", reaches: "-o" },
	"git bundle": { reaches: "create" },
	"git format-patch": { reaches: "-o" },
	"git worktree": { reaches: "add remove move" },
	"git fetch": { reaches: "-f --prune -p" },
	"git pull": { runs: "-s -X --strategy" },
	"git am": { reaches: "--abort" },
	"git apply": { reaches: "--unsafe-paths" },
	"git commit": { reaches: "--amend -n --no-verify" },
	"git lfs": { reaches: "install" },
	"git update-index": { runs: "--index-info" },
	gh: { runs: "alias extension codespace api", reaches: "delete secret auth ssh-key gpg-key" },
	"gh pr": { reaches: "merge close -b" },
	"gh repo": { reaches: "delete create edit archive rename sync" },
	npm: {
		runs: "exec x init create explore edit",
		reaches: "publish unpublish config set token -g --location --ignore-scripts=false",
	},
	pnpm: { runs: "exec x dlx create", reaches: "publish config set -g -C" },
	yarn: { runs: "exec dlx create node", reaches: "publish config set global" },
	cargo: { reaches: "publish login install --manifest-path --target-dir -Z" },
	go: {
		runs: "-exec -toolexec -vettool -overlay generate tool",
		reaches:
			"-o -C -c -modfile -modcacherw -pkgdir -outputdir -coverprofile -cpuprofile -memprofile -blockprofile -mutexprofile -trace -gcflags -ldflags -asmflags -cflags env install clean",
	},
	make: { runs: "= -f -E -I", reaches: "-C -o -W" },
	cmake: { runs: "-P -E -D -C --build", reaches: "-B -S --install" },
	docker: { runs: "exec run compose build buildx", reaches: "cp -v push login rm rmi kill stop export save" },
	"docker compose": {
		runs: "exec run -f",
		reaches: "cp down rm kill push -v -p --project-directory --env-file",
	},
	podman: { runs: "exec run compose build", reaches: "cp -v push login rm rmi" },
	kubectl: {
		runs: "exec run debug edit",
		reaches: "delete apply cp replace patch drain proxy port-forward -f --raw",
	},
	terraform: {
		runs: "console",
		reaches: "apply destroy import state taint -out -chdir -auto-approve -destroy -state",
	},
	pip: {
		reaches: "-t --target -i -r -e -c --user --pre --trusted-host --find-links -f --root uninstall config",
	},
	uv: { runs: "run tool", reaches: "publish --directory --project --target self" },
	poetry: { runs: "run shell", reaches: "publish config -C --project self" },
	dotnet: { runs: "run exec tool -p", reaches: "-o nuget publish -c" },
	mvn: { runs: "-D -f -s -gs -t -P", reaches: "deploy install" },
	gradle: {
		runs: "-D -P -I -b -c -p --init-script --build-file --project-dir --include-build",
		reaches: "-g publish",
	},
	brew: { runs: "sh ruby edit", reaches: "uninstall tap untap" },
	apt: { runs: "-o -c", reaches: "purge remove autoremove -y --allow-downgrades" },
	systemctl: { runs: "edit", reaches: "stop disable mask kill poweroff reboot set-environment link" },
	find: { runs: "-exec -execdir -ok -okdir", reaches: "-delete -fprint -fprint0 -fprintf -fls" },
	fd: { runs: "-x -X" },
	rg: { runs: "--pre -z --search-zip" },
	sudo: { runs: "-i -s --login" },
	split: { runs: "--filter" },
	sort: { reaches: "-o -T --temporary-directory" },
	tar: { runs: "-I -F", reaches: "-C -f -x -P --remove-files --absolute-names --overwrite" },
	zip: { runs: "-T -TT --unzip-command", reaches: "-m" },
	unzip: { reaches: "-o -d" },
	rsync: { runs: "-e -M --remote-option", reaches: "--remove-source-files --password-file" },
	scp: { runs: "-o -F -S -D -J" },
	sftp: { runs: "-o -F -S -D -J -b" },
	ssh: { runs: "-o -F -J", reaches: "-L -R -D -w -W -S -E -A -X -Y" },
	curl: {
		reaches:
			"-o -O -K -T -d -F -D -c -E -x -X -J -H --data --data-binary --data-raw --form --json --request --dump-header --remote-name-all --netrc-file --unix-socket --libcurl --stderr --etag-save --hsts --alt-svc --resolve --connect-to",
	},
	wget: {
		runs: "-e --execute --use-askpass",
		reaches:
			"-O -P -o -a -i --append-output --directory-prefix --input-file --method --body-data --body-file --save-cookies --warc-file",
	},
	sed: { runs: "-f", reaches: "-i -s" },
	date: { reaches: "-s --set" },
	tee: { reaches: "-a" },
	jest: {
		runs: "-c --globalSetup --setupFiles --testEnvironment --runner --transform",
		reaches: "-u --rootDir",
	},
	eslint: { runs: "-c --rulesdir --parser --format -f --resolve-plugins-relative-to", reaches: "-o" },
	prettier: { reaches: "-w" },
	tsc: {
		runs: "--plugins",
		reaches: "-p --project --outDir --outFile --declarationDir --tsBuildInfoFile --generateTrace --build -b",
	},
	pytest: {
		runs: "-p -c -o --override-ini --confcutdir --rootdir",
		reaches: "--basetemp --junitxml --junit-xml",
	},
	env: { runs: "-S --split-string" },
	openssl: { reaches: "-out -engine -provider" },
};

const wordsOf = (text: string | undefined) => text?.split(/\s+/).filter(Boolean) ?? [];

/** Whether a command does more from a word on than the words before it say. */
export function reachesBeyond(words: Words, from: number): boolean {
	return hasRisk(words, from, "runs") || hasRisk(words, from, "reaches");
}

/** Whether it is known of a program that some of its options do more than its name says. */
export function hasRiskyOptions(words: Words): boolean {
	const program = programOf(words[0]);
	return program in RISKS || program in LEADING;
}

function hasRisk(words: Words, from: number, kind: keyof Risks): boolean {
	const program = programOf(words[0]);
	const [sub, next] = operandsOf(program, words);
	const subAt = sub === undefined ? words.length : words.indexOf(sub, 1);
	const leading = wordsOf(LEADING[program]?.[kind]);
	const ofProgram = wordsOf(RISKS[program]?.[kind]);
	const ofSubcommand = wordsOf(RISKS[`${program} ${sub}`]?.[kind]);
	const options = [...wordsOf(EVERYWHERE[kind]), ...ofProgram, ...ofSubcommand].filter(isOptionOrVariable);
	const names = [sub, next].filter((name, depth) => name && [ofProgram, ofSubcommand][depth]?.includes(name));
	return words.some((word, index) => {
		if (index < from) return false;
		if (names.includes(word) || options.some((option) => isOption(word, option))) return true;
		return index < subAt && leading.some((option) => isOption(word, option));
	});
}

function isOptionOrVariable(text: string): boolean {
	return /^[-=:]/.test(text);
}

/** Whether a word is an option, or a short form of it, or brings it together with others. */
function isOption(word: string, option: string): boolean {
	if (option === "=") return /^\w+[:+?]?=/.test(word);
	if (option === "::") return /^\w+::/.test(word);
	const [name = ""] = word.split("=", 1);
	// Programs take the beginning of a long option for the whole of it.
	if (option.startsWith("--")) return name.length > 4 ? option.startsWith(name) : name === option;
	if (option.length > 2) return name === option || name === `-${option}`;
	return /^-[^-]/.test(word) && word.slice(1).includes(option.slice(1));
}
