/** `*` matches any run of characters, `?` one character. The text may be a pattern itself. */
export function coversName(pattern: string, text: string): boolean {
	return coversRun([...pattern], [...text], {
		isRun: (sign) => sign === "*",
		covers: (sign, other) => sign === other || (sign === "?" && other !== "*"),
	});
}

/** The segments of a path, or of a glob for paths, in which `undefined` matches any number of segments. */
export type Segments = readonly (string | undefined)[];

/** Whether a glob covers a path, or all that another glob covers. */
export function coversPath(glob: Segments, path: Segments): boolean {
	return coversRun(glob, path, {
		isRun: (segment) => segment === undefined,
		covers: (segment, other) => segment !== undefined && other !== undefined && coversName(segment, other),
	});
}

/** The segments of a path with `.` and `..` resolved. */
export function pathSegments(path: string): string[] {
	const segments: string[] = [];
	for (const segment of path.normalize("NFC").split("/")) {
		if (segment === "..") segments.pop();
		else if (segment !== "" && segment !== ".") segments.push(segment);
	}
	return segments;
}

/** The segments of a glob; `**` matches any number of segments. */
export function globSegments(glob: string): Segments {
	return pathSegments(glob).map((segment) => (segment === "**" ? undefined : segment));
}

interface HostName {
	readonly name: string;
	/** Whether any host below the name is meant. */
	readonly isBelow: boolean;
	/** Absent, every port. */
	readonly port?: string;
}

/** Whether a host pattern (`example.com`, `*.example.com`, `*`, each with a port or for every port) covers another, or a host. */
export function coversHost(pattern: string, text: string): boolean {
	const outer = hostName(pattern);
	const inner = hostName(text);
	if (!outer || !inner || (outer.port !== undefined && outer.port !== inner.port)) return false;
	if (!outer.isBelow) return !inner.isBelow && outer.name === inner.name;
	return inner.name.endsWith(outer.name) && (inner.isBelow || inner.name.length > outer.name.length);
}

/** `undefined` if it is not a host. */
export function hostName(text: string): HostName | undefined {
	const [, star, name = "", port] =
		/^(\*(?=[.:]|$))?(\[[0-9a-f:.]+\]|[^\s:*/?#@[\]\\]*?)\.?(?::(\d+))?$/.exec(text.trim().toLowerCase()) ??
		[];
	if (star === undefined && name === "") return undefined;
	return { name, isBelow: star !== undefined, ...(port !== undefined && { port }) };
}

interface Cover<Item> {
	/** Whether the item of the pattern matches any number of items. */
	isRun(item: Item): boolean;
	covers(item: Item, other: Item): boolean;
}

/** Takes at most pattern × text steps, because a user or a model writes the pattern. */
function coversRun<Item>(pattern: readonly Item[], text: readonly Item[], cover: Cover<Item>): boolean {
	// Whether the pattern up to here matches this many items of the text.
	let reached = [true, ...text.map(() => false)];
	for (const item of pattern) {
		const next: boolean[] = [];
		for (const [index, isReached] of reached.entries()) {
			if (cover.isRun(item)) next.push(isReached || next[index - 1] === true);
			else next.push(index > 0 && reached[index - 1] === true && cover.covers(item, text[index - 1] as Item));
		}
		reached = next;
	}
	return reached.at(-1) === true;
}
