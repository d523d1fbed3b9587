/** Whether one of some patterns, or none at all, stands for a tool; each host puts something of its own before our names. */
export function coversTool(patterns: readonly string[], tool: string): boolean {
	const names = [tool, tool.replace(/^copilot-ld[-_]/, "")];
	return patterns.length === 0 || patterns.some((pattern) => names.some((name) => covers(pattern, name)));
}

/** A `*` stands for any signs. Each word is looked for once, however many there are. */
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
