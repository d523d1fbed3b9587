/** Words for numbers and times, as they stand in the rows. */

const RELATIVE = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "narrow" });
const EXACT = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });
const COMPACT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

const MINUTE = 60_000;
/** From the longest to the shortest, in milliseconds. */
const UNITS = [
	["year", 365 * 24 * 60 * MINUTE],
	["month", 30 * 24 * 60 * MINUTE],
	["week", 7 * 24 * 60 * MINUTE],
	["day", 24 * 60 * MINUTE],
	["hour", 60 * MINUTE],
	["minute", MINUTE],
] as const;

/** How long ago something was, in a few letters. Both are milliseconds since 1970. */
export function timeAgo(at: number, now: number): string {
	const passed = Math.max(0, now - at);
	const unit = UNITS.find(([, length]) => passed >= length);
	return unit ? RELATIVE.format(-Math.floor(passed / unit[1]), unit[0]) : "now";
}

/** How long something takes, in a few letters. */
export function duration(milliseconds: number): string {
	const seconds = Math.max(0, Math.floor(milliseconds / 1000));
	const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
	if (hours > 0) return `${hours}h ${minutes}m`;
	return minutes > 0 ? `${minutes}m ${seconds % 60}s` : `${seconds}s`;
}

export function exactTime(at: number): string {
	return EXACT.format(at);
}

export function compactNumber(value: number): string {
	return COMPACT.format(value);
}

/** `1 session`, `3 sessions`. */
export function count(value: number, noun: string): string {
	return `${value.toLocaleString("en")} ${noun}${value === 1 ? "" : "s"}`;
}

/** The last segment of a path or a URI, as a person reads it. */
export function baseName(path: string): string {
	const name = path.replace(/\/+$/, "").split("/").at(-1) ?? path;
	try {
		return decodeURIComponent(name);
	} catch {
		return name;
	}
}
