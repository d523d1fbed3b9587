/** A version as the components of ConCopilot have it: `1.2.3`, with `-any`, with `-SNAPSHOT` after either. */
export const VERSION = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(-any)?(-SNAPSHOT)?$/i;

/** The preferred version first: the higher number; of equal numbers the plain one, its snapshot, `-any`, the snapshot of that. */
export function compareVersions(a: string, b: string): number {
	const [one, other] = [partsOf(a), partsOf(b)];
	const index = one.findIndex((part, at) => part !== other[at]);
	return index < 0 ? 0 : (one[index] ?? 0) - (other[index] ?? 0);
}

/** Less is better; what is no version is worse than all. */
function partsOf(version: string): number[] {
	const [, major, minor, patch, any, snapshot] = VERSION.exec(version) ?? [];
	if (major === undefined) return [1];
	return [-major, -Number(minor), -Number(patch), any ? 1 : 0, snapshot ? 1 : 0];
}
