/** The words of a question around a name that restricts a noun. */
export interface Setting {
	/** Words before the noun: "British" in "British authors of …". */
	readonly leading: readonly string[];
	/** Words between the noun and the name, without articles. */
	readonly before: readonly string[];
	readonly after: readonly string[];
	/** Whether the name is a plain value, so that only members can have it. */
	readonly isValue?: boolean;
	/** Whether a word belongs to the property's name. */
	isSaid(word: string): boolean;
}

export const AUXILIARY = /^(?:do|does|did|can|could|will|would|should|must|may)$/;
const HAVE = /^(?:has|have|had|having)$/;
const BE = /^(?:is|are|was|were|be|been|being)$/;

/** Words that follow "parts", "prerequisites" or "narrower". */
const BELONGING = /^(?:of|for|to|than)$/;
const PARTICIPLE = /(?:ed|ing|[aeiou]n|wn|ible|able)$/;
const ARTICLE = /^(?:the|a|an|its|their|our|any|some|all)$/;

/** Names of agents, whose verb has the opposite direction: who "publishes" a book is the target of `publisher`. */
const WHO_DOES_IT = /..(?:ant|[^m]ent|er|or|ist|ian)s?$/;

/** Names of which only the data shows the direction: an `employee` may be the subject or the object. */
const EITHER = /ees?$/;

const MUTUAL = /^(?:relat|connect|link|similar|compatib|adjacent|border|neighbou?r|sibling|spouse|marri)/;

/** The end of a property's statements at which the members are. */
export type End = "start" | "target" | "either";

export function withoutArticles(words: readonly string[]): string[] {
	return words.filter((word) => !ARTICLE.test(word));
}

/** The end that grammar asks for: the target in "which firms did X buy", the start in "which bought X". */
export function endOf(name: readonly string[], setting: Setting): End | undefined {
	const { leading, before, after, isValue = false, isSaid } = setting;
	const words = [...leading, ...before, ...after];
	const last = name.at(-1) ?? "";
	if (words.some((word) => isSaid(word) && MUTUAL.test(word))) return "either";
	// In "which books are lent to X", the words before X are the whole name of the property.
	if (name.length > 1 && before.slice(-name.length).join(" ") === name.join(" ")) return "start";
	// In "which events does X host", the property is a column "host" with the value X.
	if (isValue && AUXILIARY.test(before.at(-1) ?? "") && after.join(" ") === last) return "start";
	const role = roleIn(setting);
	return role && ENDS[role](last);
}

/** How the members relate to the name: they do what the property says, suffer it, have it, belong to it or own it. */
type Role = "does" | "suffers" | "has" | "belongs" | "owns";

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

const ROLES: readonly (readonly [nearest: RegExp, role: (setting: Setting) => Role | undefined])[] = [
	[AUXILIARY, ({ after, isSaid }) => (after.some(isSaid) ? "suffers" : undefined)],
	[HAVE, roleOfHaving],
	[BE, ({ after, isSaid }) => (after.some(isSaid) ? roleOfBeing(after.at(-1) ?? "") : undefined)],
	// In "about X", X is always the topic of the member.
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

/** Distinguishes "which books has X published" and "which rooms have 2 beds"; `undefined` for "which have X". */
function roleOfHaving({ after, isValue = false, isSaid }: Setting): Role | undefined {
	if (after[0] === "as") return "has";
	const said = after.find(isSaid);
	if (said === undefined) return undefined;
	return isValue && !PARTICIPLE.test(said) ? "has" : "suffers";
}

/** The role in "which groups is X a member of", "… employed by", "… responsible for", by the last word. */
function roleOfBeing(last: string): Role {
	if (last === "by") return "does";
	return last === "of" ? "owns" : "suffers";
}

/** The role by words before the name: "have the author", "are prerequisites for", "require". */
function roleOfSaid({ leading, before, isSaid }: Setting): Role | undefined {
	const belongs = BELONGING.test(before.at(-1) ?? "") ? "belongs" : undefined;
	if (before.some((word) => HAVE.test(word) || word === "with" || word === "whose")) return "has";
	const said = before.findLast(isSaid);
	if (said === undefined) return leading.some(isSaid) ? belongs : undefined;
	if (!before.some((word) => BE.test(word))) return "does";
	return PARTICIPLE.test(said) ? "has" : belongs;
}
