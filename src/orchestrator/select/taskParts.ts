/** Maximum number of characters of a task with parts; a longer task describes a single thing at length. */
const LONGEST = 1000;
const MOST_PARTS = 5;

/** Matches `later after earlier`, whose second part is done first. */
const AFTER = /^(.+?)[,;]?\s+(?:after (?=\p{L}+ing\b)|but first\s|nachdem\s|aber zuerst\s)(.+)$/isu;

/** Separates parts in sequence. German `dann` may also occur within a part, so it needs `und` or `,` before it. */
const NEXT =
	/[,;.]?\s+(?:and\s+)?(?:then|afterwards|finally|before)\s+|(?:[,;.]|\sund)\s+(?:dann|danach|anschließend|zuletzt|bevor)\s+/iu;

/** Matches `and` unless a noun phrase follows: `and add tests`, but not `and a test`. */
const ALSO =
	/,?\s+(?:and|und)\s+(?!(?:an?|the|our|my|its|their|one|eine?n?|de[rmn]|die|das|unsere?)\s|\S+$)(?=\p{Ll})/u;

/** Splits a task into parts, in the order of work; empty if the task has a single part. */
export function partsOfTask(task: string): readonly string[] {
	if (task.length > LONGEST) return [];
	const [, later, earlier] = AFTER.exec(task) ?? [];
	const all = later !== undefined && earlier !== undefined ? [earlier, later] : [task];
	const parts = all.flatMap((text) => text.split(NEXT)).flatMap((part) => part.split(ALSO));
	return parts.length > 1 && parts.length <= MOST_PARTS ? parts.map((part) => part.trim()) : [];
}
