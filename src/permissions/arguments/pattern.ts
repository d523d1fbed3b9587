/** Whether a pattern matches a text or another pattern: `*` matches any characters, `?` one character. */
export function coversName(pattern: string, text: string): boolean {
	return coversRun([...pattern], [...text], {
		isRun: (sign) => sign === "*",
		covers: (sign, other) => sign === other || (sign === "?" && other !== "*"),
	});
}

/** Segments of a path or glob. In a glob, `undefined` matches any number of segments. */
export type Segments = readonly (string | undefined)[];

export function coversPath(glob: Segments, path: Segments): boolean {
	return coversRun(glob, path, {
		isRun: (segment) => segment === undefined,
		covers: (segment, other) => segment !== undefined && other !== undefined && coversName(segment, other),
	});
}

export function pathSegments(path: string): string[] {
	const segments: string[] = [];
	for (const segment of path.normalize("NFC").split("/")) {
		if (segment === "..") segments.pop();
		else if (segment !== "" && segment !== ".") segments.push(segment);
	}
	return segments;
}

export function decoded(text: string): string {
	return text.replace(/(?:%[\da-f]{2})+/gi, (escaped) => {
		try {
			return decodeURIComponent(escaped);
		} catch {
			return escaped;
		}
	});
}

export function globSegments(glob: string): Segments {
	return pathSegments(glob).map((segment) => (segment === "**" ? undefined : segment));
}

/** Whether a host pattern (`example.com`, `*.example.com`, `*`, each with any port) covers a host or a pattern. */
export function coversHost(pattern: string, text: string): boolean {
	const outer = hostName(pattern);
	const inner = hostName(text);
	if (!outer || !inner || (outer.port !== undefined && outer.port !== inner.port)) return false;
	if (!outer.isBelow) return !inner.isBelow && outer.name === inner.name;
	return inner.name.endsWith(outer.name) && (inner.isBelow || inner.name.length > outer.name.length);
}

/** Parses a host; `undefined` if invalid. `isBelow` means all hosts below it; without `port`, any port. */
export function hostName(text: string) {
	const [, star, name = "", port] =
		/^(\*(?=[.:]|$))?(\[[0-9a-f:.]+\]|[^\s:*/?#@[\]\\]*?)\.?(?::(\d+))?$/.exec(text.trim().toLowerCase()) ??
		[];
	if (star === undefined && name === "") return undefined;
	return { name: normalName(name), isBelow: star !== undefined, port };
}

/** Normalizes a host as in URLs: unwraps IPv4 in IPv6, and returns `localhost` for every name of this machine. */
function normalName(name: string): string {
	const host = (name !== "" && URL.parse(`http://${name}/`)?.hostname) || name;
	const [, high = "", low = ""] = WRAPPED.exec(host) ?? [];
	const sum = Number.parseInt(high, 16) * 0x10000 + Number.parseInt(low, 16);
	const plain = high === "" ? host : (URL.parse(`http://${sum}/`)?.hostname ?? host);
	return THIS_MACHINE.test(plain) ? "localhost" : plain;
}

const WRAPPED = /^\[(?:::(?:ffff:(?:0:)?)?|64:ff9b::|2002:)([\da-f]{1,4}):([\da-f]{1,4})(?:::)?\]$/;
const THIS_MACHINE = /^(?:127\.[\d.]+|0\.0\.0\.0|\[::1?\]|(?:.+\.)?localhost)$/;
export const ANY_RUN = "**";
export const ANY_ONE = "??";
const GLOB_SIGNS: Readonly<Record<string, string>> = { "*": ANY_RUN, "?": ANY_ONE };

export function signsOf(glob: Segments): string[] {
	return glob.flatMap((segment) =>
		segment === undefined ? [ANY_RUN] : ["/", ...Array.from(segment, (sign) => GLOB_SIGNS[sign] ?? sign)],
	);
}

export function mayMeet(one: readonly string[], other: readonly string[]): boolean {
	return coversRun(one, other, {
		isRun: (sign) => sign === ANY_RUN,
		isUnknown: (sign) => sign === ANY_RUN,
		covers: (sign, rest) => sign === rest || sign === ANY_ONE || rest === ANY_ONE,
	});
}

interface Cover<Item> {
	isRun(item: Item): boolean;
	isUnknown?(item: Item): boolean;
	covers(item: Item, other: Item): boolean;
}

/** Takes at most pattern × text steps: users and models write the patterns, so backtracking could take forever. */
function coversRun<Item>(pattern: readonly Item[], text: readonly Item[], cover: Cover<Item>): boolean {
	const isUnknown = (item: Item) => cover.isUnknown?.(item) === true;
	const known = text.findIndex((item) => !isUnknown(item));
	// `reached[n]` says whether the pattern so far matches the first n items of the text.
	let reached = [true, ...text.map((_, index) => known < 0 || index < known)];
	for (const item of pattern) {
		const next: boolean[] = [cover.isRun(item) && reached[0] === true];
		for (const [index, other] of text.entries()) {
			const isAny = cover.isRun(item) || isUnknown(other);
			const isMet = isAny ? reached[index + 1] || next[index] : reached[index] && cover.covers(item, other);
			next.push(isMet === true);
		}
		reached = next;
	}
	return reached.at(-1) === true;
}

/** Returns the path of a folder's URI, with the host of a network share, or the text itself if it is not a URI. */
export function folderPath(uri: string): string {
	if (!URL.canParse(uri)) return uri;
	const { host, pathname, protocol } = new URL(uri);
	const path = decodeURIComponent(pathname).replace(/^\/([A-Za-z]:)/, (_, drive) => drive.toLowerCase());
	return host !== "" && protocol === "file:" ? `//${host}${path}` : path;
}
