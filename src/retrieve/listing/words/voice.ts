/** The words of a question around a name. */
export interface Setting {
	/** Words before the listed noun: "British" authors. */
	readonly leading: readonly string[];
	/** Words between the noun and the name, without articles. */
	readonly before: readonly string[];
	readonly after: readonly string[];
	/** Whether the name is a plain value, which only members can have. */
	readonly isValue?: boolean;
	/** Whether a word belongs to the property's name. */
	isSaid(word: string): boolean;
}

/** Auxiliary verbs: "which applications does X require". */
export const AUXILIARY = /^(?:do|does|did|can|could|will|would|should|must|may)$/;
const HAVE = /^(?:has|have|had|having)$/;
const BE = /^(?:is|are|was|were|be|been|being)$/;

/** Words after "parts", "prerequisites" or "narrower". */
const BELONGING = /^(?:of|for|to|than)$/;
const PARTICIPLE = /(?:ed|ing|[aeiou]n|wn|ible|able)$/;
const ARTICLE = /^(?:the|a|an|its|their|our|any|some|all)$/;

/** Names of agents: "requires" leads to `requirements`, but "publishes" is the inverse of `publisher`. */
const WHO_DOES_IT = /..(?:ant|[^m]ent|er|or|ist|ian)s?$/;

/** Names that only the data can interpret: an `employee` may be the subject or the object. */
const EITHER = /ees?$/;

/** Relations that hold in both directions. */
const MUTUAL = /^(?:relat|connect|link|similar|compatib|adjacent|border|neighbou?r|sibling|spouse|marri)/;

/** The end of a property that the members are at. */
export type End = "start" | "target" | "either";

/** Drops articles, which only announce a noun. */
export function withoutArticles(words: readonly string[]): string[] {
	return words.filter((word) => !ARTICLE.test(word));
}

/** "Which firms did X buy" asks for a property's target, "which bought X" for its start. `undefined` if unclear. */
export function endOf(name: readonly string[], setting: Setting): End | undefined {
	const { leading, before, after, isValue = false, isSaid } = setting;
	const words = [...leading, ...before, ...after];
	const last = name.at(-1) ?? "";
	if (words.some((word) => isSaid(word) && MUTUAL.test(word))) return "either";
	// "Which books are lent to X": the words are the whole name.
	if (name.length > 1 && before.slice(-name.length).join(" ") === name.join(" ")) return "start";
	// "Which events does X host": the column is "host".
	if (isValue && AUXILIARY.test(before.at(-1) ?? "") && after.join(" ") === last) return "start";
	const role = roleIn(setting);
	return role && ENDS[role](last);
}

/** Role of the members toward the name: they do what the property says, suffer it, have it, and so on. */
type Role = "does" | "suffers" | "has" | "belongs" | "owns";

/** The end by role, given the last word of the property's name. */
const ENDS: Readonly<Record<Role, (last: string) => End | undefined>> = {
	has: () => "start",
	belongs: (last) => (last === "of" ? "start" : "target"),
	owns: (last) => (last === "of" ? "target" : "start"),
	does: (last) => endOfDoer(last, "target", "start"),
	suffers: (last) => endOfDoer(last, "start", "target"),
};

function endOfDoer(last: string, byDoer: End, byDeed: End): End | undefined {
	if (EITHER.test(last)) return undefined;
	return WHO_DOES_IT.test(last) || last === "by" ? byDoer : byDeed;
}

/** The role by the word before the name. */
const ROLES: readonly (readonly [nearest: RegExp, role: (setting: Setting) => Role | undefined])[] = [
	[AUXILIARY, ({ after, isSaid }) => (after.some(isSaid) ? "suffers" : undefined)],
	[HAVE, roleOfHaving],
	[BE, ({ after, isSaid }) => (after.some(isSaid) ? roleOfBeing(after.at(-1) ?? "") : undefined)],
	// "About X": the member has X as its topic, even if something else is about the member.
	[/^(?:about|regarding|concerning)$/, () => "owns"],
	[/^by$/, ({ before, isSaid }) => (before.some(isSaid) ? "suffers" : undefined)],
];

function roleIn(setting: Setting): Role | undefined {
	// A possessive: "Ida's manager".
	if (setting.after[0] === "s" && setting.isSaid(setting.after[1] ?? "")) return "belongs";
	const nearest = setting.before.at(-1) ?? "";
	const [, role = roleOfSaid] = ROLES.find(([pattern]) => pattern.test(nearest)) ?? [];
	return role(setting);
}

/** "Which books has X published", "which have X as their author", "which rooms have 2 beds", not "which have X". */
function roleOfHaving({ after, isValue = false, isSaid }: Setting): Role | undefined {
	if (after[0] === "as") return "has";
	const said = after.find(isSaid);
	if (said === undefined) return undefined;
	return isValue && !PARTICIPLE.test(said) ? "has" : "suffers";
}

/** Role by the last word: "which groups is X a member of", "employed by", "responsible for". */
function roleOfBeing(last: string): Role {
	if (last === "by") return "does";
	return last === "of" ? "owns" : "suffers";
}

/** Role by words before the name: "have the author", "are prerequisites for", "are related to", "require". */
function roleOfSaid({ leading, before, isSaid }: Setting): Role | undefined {
	const belongs = BELONGING.test(before.at(-1) ?? "") ? "belongs" : undefined;
	if (before.some((word) => HAVE.test(word) || word === "with" || word === "whose")) return "has";
	const said = before.findLast(isSaid);
	if (said === undefined) return leading.some(isSaid) ? belongs : undefined;
	if (!before.some((word) => BE.test(word))) return "does";
	return PARTICIPLE.test(said) ? "has" : belongs;
}
