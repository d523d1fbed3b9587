/** A version in the syntax of ConCopilot: `1.2.3`, with an optional `-any` and `-SNAPSHOT`. */
export const VERSION = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(-any)?(-SNAPSHOT)?$/i;

/** Sorts by preference: higher numbers first; then plain, its snapshot, `-any`, and its snapshot. */
export function compareVersions(a: string, b: string): number {
	const [one, other] = [partsOf(a), partsOf(b)];
	const index = one.findIndex((part, at) => part !== other[at]);
	return index < 0 ? 0 : (one[index] ?? 0) - (other[index] ?? 0);
}

/** Sort keys, smaller is better. An invalid version is the worst. */
function partsOf(version: string): number[] {
	const [, major, minor, patch, any, snapshot] = VERSION.exec(version) ?? [];
	if (major === undefined) return [1];
	return [-major, -Number(minor), -Number(patch), any ? 1 : 0, snapshot ? 1 : 0];
}
