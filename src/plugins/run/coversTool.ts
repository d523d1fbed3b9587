/** Whether one of the patterns matches a tool; without patterns, all do. Each host puts its own prefix before our names. */
export function coversTool(patterns: readonly string[], tool: string): boolean {
	const names = [tool, tool.replace(/^copilot-ld[-_]/, "")];
	return patterns.length === 0 || patterns.some((pattern) => names.some((name) => covers(pattern, name)));
}

/** `*` matches any characters. Looks for each part once, in linear time. */
function covers(pattern: string, name: string): boolean {
	const [first = "", ...words] = pattern.split("*");
	const last = words.pop();
	if (last === undefined) return pattern === name;
	let at = first.length;
	if (!name.startsWith(first) || !name.endsWith(last)) return false;
	for (const word of words) {
		const found = name.indexOf(word, at);
		if (found < 0) return false;
		at = found + word.length;
	}
	return at <= name.length - last.length;
}
