import { parseSync } from "oxc-parser";

/** Texts of a source for users. */
export interface Texts {
	/** English texts requested from the bundle, which are the keys of the translations. */
	readonly keys: readonly string[];
	/** Texts that seem to be for users but are not requested from the bundle. */
	readonly bare: readonly BareText[];
}

export interface BareText {
	readonly line: number;
	/** The text, with `{}` for each expression. */
	readonly text: string;
	/** The property that contains the text. */
	readonly of: string;
}

interface Node {
	readonly type: string;
	readonly start: number;
	readonly [child: string]: unknown;
}

/** Reads a source in TypeScript. */
export function textsOf(file: string, source: string): Texts {
	const keys: string[] = [];
	const bare: BareText[] = [];
	const note = ({ start }: Node, texts: readonly string[], of: string) => {
		const line = source.slice(0, start).split("\n").length;
		bare.push(...texts.map((text) => ({ line, text, of })));
	};
	const visit = (node: Node, isShown: boolean, outside: string): void => {
		const of = node.type === "Property" ? pathOf(node["key"]) : outside;
		const { first, keys: asked, unclear } = askedFor(node);
		keys.push(...asked);
		note(node, [...unclear, ...textsIn(node).filter((text) => isForPeople(text, isShown))], of);
		const passed = isShown && PASSING.has(node.type);
		for (const child of insideOf(node))
			if (child.inside !== first) visit(child.inside, child.isShown ?? passed, of);
	};
	visit(parseSync(file, source).program as unknown as Node, false, "");
	return { keys, bare };
}

interface Asked {
	readonly first: Node | undefined;
	readonly keys: readonly string[];
	/** Texts that are not constant, and so cannot be keys. */
	readonly unclear: readonly string[];
}

/** The texts requested by a call of `l10n.t` or `phrase`. */
function askedFor(node: Node): Asked {
	const [first] = nodesIn(node["arguments"]);
	const isAsked = node.type === "CallExpression" && /(^|\.)l10n\.t$|^phrase$/.test(pathOf(node["callee"]));
	if (!first || !isAsked) return { first: undefined, keys: [], unclear: [] };
	const key = constantText(first);
	return key === undefined
		? { first, keys: [], unclear: ["l10n.t(…)"] }
		: { first, keys: [key], unclear: [] };
}

/** The value of a constant text; `undefined` for other nodes. */
function constantText(node: Node): string | undefined {
	if (node.type === "Literal" && typeof node["value"] === "string") return node["value"];
	return node.type === "TemplateLiteral" && nodesIn(node["expressions"]).length === 0
		? templateText(node)
		: undefined;
}

/** Expressions whose value is that of an inner expression. */
const PASSING = new Set([
	"ArrayExpression",
	"ArrowFunctionExpression",
	"ConditionalExpression",
	"LogicalExpression",
	"ParenthesizedExpression",
	"TSAsExpression",
]);
const NEVER_SPOKEN = /^([!=]==?|[<>]=?|in|instanceof)$/;
/** Properties whose texts are always shown. */
const SHOWN =
	/^(accessibilityInformation|ariaLabel|description|detail|documentation|label|message|placeHolder|placeholder|prompt|text|title|toolTip|tooltip)$/;
const SHOWS =
	/(^|\.)(show(Information|Warning|Error)Message|markdown|appendMarkdown|appendText|progress|Failure|Error|plural|toLocale\w+)$/;
/** Calls with texts not for users: logs, descriptions of schemas and word lists. */
const FOR_OTHERS = /(^|\.)(logs?\.(trace|debug|info|warn|error)|described?|maybe)$|^word(List|Map|Set)$/;

/** The evaluated child nodes, and whether their texts are shown, if known. */
function insideOf(node: Node): { readonly inside: Node; readonly isShown?: boolean }[] {
	if (node.type.startsWith("TS") && !/(As|Satisfies|NonNull)Expression$/.test(node.type)) return [];
	if (node.type === "TaggedTemplateExpression") return insideOfMarkup(node);
	const name = pathOf(node["callee"] ?? node["key"] ?? node["id"] ?? node["left"]);
	return Object.entries(node).flatMap(([child, value]) => {
		if (!isRun(node, child) || (child === "arguments" && FOR_OTHERS.test(name))) return [];
		const shown =
			(child === "arguments" && SHOWS.test(name)) ||
			(/^(value|init|right)$/.test(child) && SHOWN.test(name.split(".").at(-1) ?? ""));
		return nodesIn(value).map((inside) => (shown ? { inside, isShown: true } : { inside }));
	});
}

/** The expressions of a template; shown if they are between tags or in spoken attributes. */
function insideOfMarkup({ quasi }: Node): { readonly inside: Node; readonly isShown: boolean }[] {
	const [template] = nodesIn(quasi);
	let markup = "";
	return nodesIn(template?.["expressions"]).map((inside, at) => {
		markup += cooked(nodesIn(template?.["quasis"])[at]);
		const isBetween = markup.lastIndexOf("<") <= markup.lastIndexOf(">");
		return { inside, isShown: isBetween || new RegExp(`${SPOKEN}=["']?$`).test(markup) };
	});
}

/** Whether a child is evaluated for its value; not so module specifiers, property names and comparisons. */
function isRun(node: Node, child: string): boolean {
	if (child === "key" || child === "property") return node["computed"] === true;
	if (child === "source") return false;
	if (child === "test" && node.type === "SwitchCase") return false;
	const isPlain = nodesIn(node[child]).every(({ type }) => type === "Literal");
	if (isPlain && node.type === "BinaryExpression") return !NEVER_SPOKEN.test(`${node["operator"]}`);
	return !child.startsWith("type") && child !== "returnType" && child !== "quasi";
}

function nodesIn(value: unknown): Node[] {
	return [value].flat().filter((each): each is Node => each instanceof Object && "type" in each);
}

/** The path of a callee, a target or a name, such as `a.b.c`. */
function pathOf(node: unknown): string {
	const [first] = nodesIn(node);
	if (!first) return "";
	if (first.type === "MemberExpression") return `${pathOf(first["object"])}.${pathOf(first["property"])}`;
	return `${first["name"] ?? first["value"] ?? ""}`;
}

function textsIn(node: Node): string[] {
	const [template] = nodesIn(node["quasi"]);
	if (template)
		return pathOf(node["tag"]) === "html" ? markupTexts(templateText(template)) : [templateText(template)];
	const text = node.type === "TemplateLiteral" ? templateText(node) : node["value"];
	if (typeof text !== "string" || !/^(Template)?Literal$/.test(node.type)) return [];
	return /^\s*<(?!\{\})[^>]*>/.test(text) ? markupTexts(text) : [text];
}

function templateText(template: Node): string {
	return nodesIn(template["quasis"]).map(cooked).join("{}");
}

function cooked(quasi: Node | undefined): string {
	return (quasi?.["value"] as { readonly cooked: string } | undefined)?.cooked ?? "";
}

/** Attributes that are shown or read out. */
const SPOKEN = "\\s\\.?(?:aria-(?:label|description)|alt|label|placeholder|title)";

/** Texts between the tags of a page, and in attributes that are shown or spoken. */
function markupTexts(markup: string): string[] {
	const attributes = markup.matchAll(new RegExp(`${SPOKEN}=(["'])(.*?)\\1`, "gs"));
	const outside = markup.replace(/<!--.*?-->/gs, "").split(/<[^<>]*>/);
	return [...outside.map((text) => text.trim()), ...[...attributes].map(([, , text = ""]) => text)].map(
		(text) => (/\p{L}{2}/u.test(text) ? ` ${text} ` : ""),
	);
}

/** Whether a text seems to be for users: several words, or one word like a title; any word if it is surely shown. */
function isForPeople(text: string, isShown: boolean): boolean {
	const words = text.replaceAll(/\$\([\w~-]+\)|\b(Copilot-LD|Copilot CLI|VS Code)\b/g, "");
	if (!/\p{L}{2}/u.test(words.replaceAll("{}", " "))) return false;
	if (/^[A-Z_]+$/.test(words) || /^@copilot-ld( \/\w+)?( ?\{\}| run| retry)*:? ?$/.test(words)) return false;
	if (/^(copilot-(?:ld|LD)|workbench|vscode|editor)\.[\w.{}-]+$/.test(words)) return false;
	if (isShown) return true;
	return /\s\p{L}{2}|\p{L}{2}\S*\s/u.test(words) || /^[^\p{L}]*\p{Lu}\p{Ll}+(\W|$)/u.test(words);
}
