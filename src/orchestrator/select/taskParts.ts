/** Characters; a longer task describes one thing at length. */
const LONGEST = 1000;
const MOST_PARTS = 5;

/** What comes after this is done first. */
const AFTER = /^(.+?)[,;]?\s+(?:after (?=\p{L}+ing\b)|but first\s|nachdem\s|aber zuerst\s)(.+)$/isu;

/** In German, `dann` may also come inside of a part. */
const NEXT =
	/[,;.]?\s+(?:and\s+)?(?:then|afterwards|finally|before)\s+|(?:[,;.]|\sund)\s+(?:dann|danach|anschließend|zuletzt|bevor)\s+/iu;

/** `and` before what is no noun phrase: `and add tests`, but not `and a test`. */
const ALSO =
	/,?\s+(?:and|und)\s+(?!(?:an?|the|our|my|its|their|one|eine?n?|de[rmn]|die|das|unsere?)\s|\S+$)(?=\p{Ll})/u;

/** The parts of a task in the order in which they are to be done; none if it is a single one. */
export function partsOfTask(task: string): readonly string[] {
	if (task.length > LONGEST) return [];
	const [, later, earlier] = AFTER.exec(task) ?? [];
	const all = later !== undefined && earlier !== undefined ? [earlier, later] : [task];
	const parts = all.flatMap((text) => text.split(NEXT)).flatMap((part) => part.split(ALSO));
	return parts.length > 1 && parts.length <= MOST_PARTS ? parts.map((part) => part.trim()) : [];
}
