import ignore, { type Ignore } from "ignore";
import { toPatterns } from "../../base/files/globs.ts";
import { wordList } from "../../base/words/wordList.ts";

/** Files that nobody searches for. A `.gitignore` or the configuration can override a pattern with `!`. */
const DEFAULT_PATTERNS = wordList(`
	.git/ .hg/ .svn/ node_modules/ bower_components/ .venv/ __pycache__/ .vscode-test/ dist/ out/
	package-lock.json npm-shrinkwrap.json pnpm-lock.yaml go.sum *.lock *.min.js *.min.css *.map
`);

const SECRET_PATTERNS = wordList(".env .env.* *.pem *.key id_rsa id_ed25519");

/** Patterns as in a `.gitignore` in the root of a folder; the last match wins. */
export interface Exclusion {
	/** `path` is relative, with slashes; a folder's path ends with a slash. */
	excludes(path: string): boolean;
	/** Adds the `.gitignore` of a subfolder, whose path is relative and ends with a slash. */
	withGitignore(folder: string, text: string): Exclusion;
}

export function createExclusion(globs: readonly string[], patterns: readonly string[]): Exclusion {
	return layered([...DEFAULT_PATTERNS, ...SECRET_PATTERNS, ...globs.flatMap(toPatterns)], patterns);
}

/** Returns a test whether a path matches `.gitignore` patterns. Without patterns, every path matches. */
export function createInclusion(patterns: readonly string[], options = AS_ON_DISK) {
	const matcher = createMatcher(patterns, options);
	return (path: string) => patterns.length === 0 || matcher.ignores(path);
}

function layered(lower: readonly string[], last: readonly string[]): Exclusion {
	const matcher = createMatcher([...lower, ...last]);
	return {
		excludes: (path) => matcher.ignores(path),
		withGitignore: (folder, text) => layered([...lower, ...text.split(/\r?\n/).map(inside(folder))], last),
	};
}

const AS_ON_DISK = { ignoreCase: process.platform !== "linux" };

function createMatcher(patterns: readonly string[], options = AS_ON_DISK): Ignore {
	return ignore(options).add(patterns);
}

/** Rewrites a line of a nested `.gitignore` so that it can be used in the root. */
function inside(folder: string): (line: string) => string {
	const place = folder.replace(/[\\*?[\]!# ]/g, "\\$&");
	return (line) => {
		if (folder === "" || line.trim() === "" || line.startsWith("#")) return line;
		const negation = line.startsWith("!") ? "!" : "";
		const pattern = line.slice(negation.length);
		const isAnchored = pattern.trimEnd().slice(0, -1).includes("/");
		return `${negation}/${place}${isAnchored ? pattern.replace(/^\//, "") : `**/${pattern}`}`;
	};
}
