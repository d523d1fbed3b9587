export interface YamlSpot {
	/** Names of the entries around it, from the top; `-` for an item of a list. */
	readonly path: readonly string[];
	/** The entry at the position, or the part of its name that is written. */
	readonly key: string;
	/** Whether the position is in the name, not in the value. */
	readonly isKey: boolean;
	/** The other entries of the same object, with their values on one line. */
	readonly beside: ReadonlyMap<string, string>;
}

interface Line {
	readonly dashes: readonly number[];
	readonly indent: number;
	readonly key: string;
	readonly isEntry: boolean;
	readonly value: string;
}

/**
 * Finds the entry at a position, reading only as much of the text as that needs, even if the rest is invalid. Lines and
 * characters count from 0.
 */
export function spotAt(text: string, at: { readonly line: number; readonly character: number }): YamlSpot {
	const lines = text.split(/\r?\n/).map(readLine);
	const own = lines[at.line] ?? readLine("");
	const path = pathOf(lines, at.line);
	const beside = besideOf(lines, at.line);
	const isKey = at.character <= own.indent + own.key.length;
	const written = (text.split(/\r?\n/)[at.line] ?? "").slice(own.indent + own.key.length, at.character);
	const flow = isKey ? undefined : flowSpot(written, own.value);
	if (flow) return { ...flow, path: [...path, own.key, ...flow.path] };
	return { path, key: own.key, isKey, beside };
}

function readLine(text: string): Line {
	const [, start = "", rest = ""] = /^(\s*(?:-\s+)*)(.*)$/.exec(text.replace(/(^|\s)-$/, "$1- ")) ?? [];
	const dashes = [...start.matchAll(/-/g)].map(({ index }) => index);
	const [, key = "", colon, value = ""] = /^["']?([\w-]*)["']?(\s*:(?=\s|$))?\s*(.*)$/.exec(rest) ?? [];
	return { dashes, indent: start.length, key, isEntry: colon !== undefined, value };
}

/** From the line upwards, each entry and each item that begins further left than the last one. */
function pathOf(lines: readonly Line[], index: number): string[] {
	const path: string[] = [];
	const { indent = 0 } = lines[index] ?? {};
	const limits = { entry: indent, dash: indent };
	const go = (step: string, entry: number, dash: number) => {
		path.unshift(step);
		Object.assign(limits, { entry, dash });
	};
	for (const line of lines.slice(0, index + 1).reverse()) {
		// The line's own entry begins at the limit.
		if (line.isEntry && line.indent < limits.entry) go(line.key, line.indent, line.indent);
		// A list may be indented like its entry.
		for (const dash of line.dashes.toReversed()) if (dash < limits.dash) go("-", dash + 1, dash);
	}
	return path;
}

/** Up and down from the line, to the next entry with less indentation or the next item. */
function besideOf(lines: readonly Line[], index: number): Map<string, string> {
	const indent = lines[index]?.indent ?? 0;
	const isEnd = (line: Line) => beginsItem(line, indent) || (line.isEntry && line.indent < indent);
	// The first line of an item is one of it.
	const first = lines.findLastIndex((line, at) => at <= index && isEnd(line));
	const next = lines.findIndex((line, at) => at > index && isEnd(line));
	const within = lines.slice(Math.max(0, first), next < 0 ? lines.length : next);
	return new Map(
		within
			.filter((line) => line !== lines[index] && line.isEntry && line.indent === indent)
			.map(({ key, value }) => [key, value]),
	);
}

function beginsItem({ dashes, indent }: Line, of: number): boolean {
	return dashes.length > 0 && indent <= of;
}

function flowSpot(before: string, whole: string): YamlSpot | undefined {
	const frames: string[] = [];
	const at = { key: "", word: "", isKey: true };
	const signs: Readonly<Record<string, () => unknown>> = {
		"{": () => frames.push(at.key),
		"}": () => frames.pop(),
		":": () => Object.assign(at, { key: at.word }),
	};
	for (const [token] of before.matchAll(/"[^"]*"|'[^']*'|[{}[\],]|:(?=\s|$)|[\w-]+/g)) {
		signs[token]?.();
		at.isKey = /[{,]/.test(token) || (at.isKey && token !== ":");
		at.word = /^[\w-]+$/.test(token) ? token : "";
	}
	if (frames.length === 0) return undefined;
	const key = at.isKey ? at.word : at.key;
	const all = [...whole.matchAll(/([\w-]+)\s*:\s+([\w-]*)/g)].map(
		([, name = "", value = ""]) => [name, value] as const,
	);
	const beside = new Map(all.filter(([name]) => name !== key));
	return { path: frames.slice(1), key, isKey: at.isKey, beside };
}
