import ignore from "ignore";

/** Converts an editor's glob to `.gitignore` lines. `{js,map}` expands. A glob without `**` is relative to the folder. */
export function toPatterns(glob: string): string[] {
	const braces = /^(.*?)\{([^{}]*)\}(.*)$/s.exec(glob);
	if (!braces) return [glob.startsWith("**") ? glob : `/${glob.replace(/^\//, "")}`];
	const [, before = "", alternatives = "", after = ""] = braces;
	return alternatives.split(",").flatMap((alternative) => toPatterns(`${before}${alternative}${after}`));
}

/** Whether comma-separated globs, as in `applyTo`, match any of these relative paths or match all paths. */
export function appliesTo(globs: string, paths: readonly string[]): boolean {
	const wanted = globs.split(/,(?![^{]*\})/).map((glob) => glob.trim().replace(/^\.\//, ""));
	if (wanted.some((glob) => /^\*\*?(?:\/\*\*?)*$/.test(glob))) return true;
	const matcher = ignore().add(wanted.filter((glob) => glob !== "").flatMap(toPatterns));
	return paths.some((path) => ignore.isPathValid(path) && matcher.ignores(path));
}
