import { parseSync } from "oxc-parser";

/** What a source says to people. */
export interface Texts {
	/** What it asks the bundle for: English, and the key of the translations. */
	readonly keys: readonly string[];
	/** What looks as if a person met it, and is not asked for. */
	readonly bare: readonly BareText[];
}

export interface BareText {
	readonly line: number;
	/** `{}` stands for each expression. */
	readonly text: string;
	/** The property of an object that it is in. */
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
	/** In place of a key: a text that is not the same in every run. */
	readonly unclear: readonly string[];
}

/** Of a call of `l10n.t`, or of `phrase` in a room. */
function askedFor(node: Node): Asked {
	const [first] = nodesIn(node["arguments"]);
	const isAsked = node.type === "CallExpression" && /(^|\.)l10n\.t$|^phrase$/.test(pathOf(node["callee"]));
	if (!first || !isAsked) return { first: undefined, keys: [], unclear: [] };
	const key = constantText(first);
	return key === undefined
		? { first, keys: [], unclear: ["l10n.t(…)"] }
		: { first, keys: [key], unclear: [] };
}

/** Of a text that is the same in every run. */
function constantText(node: Node): string | undefined {
	if (node.type === "Literal" && typeof node["value"] === "string") return node["value"];
	return node.type === "TemplateLiteral" && nodesIn(node["expressions"]).length === 0
		? templateText(node)
		: undefined;
}

/** Expressions that hand on what is in them. */
const PASSING = new Set([
	"ArrayExpression",
	"ArrowFunctionExpression",
	"ConditionalExpression",
	"LogicalExpression",
	"ParenthesizedExpression",
	"TSAsExpression",
]);
const NEVER_SPOKEN = /^([!=]==?|[<>]=?|in|instanceof)$/;
/** Properties and functions whose texts are shown, whatever they look like. */
const SHOWN =
	/^(accessibilityInformation|ariaLabel|description|detail|documentation|label|message|placeHolder|placeholder|prompt|text|title|toolTip|tooltip)$/;
const SHOWS =
	/(^|\.)(show(Information|Warning|Error)Message|markdown|appendMarkdown|appendText|progress|Failure|Error|plural|toLocale\w+)$/;
/** The log, what schemas say, and lists of words. */
const FOR_OTHERS = /(^|\.)(logs?\.(trace|debug|info|warn|error)|described?|maybe)$|^word(List|Map|Set)$/;

/** The nodes in a node that are run, and whether what they say is shown, where that is known. */
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

/** What is written between tags is shown, and what the attributes say that are read out. */
function insideOfMarkup({ quasi }: Node): { readonly inside: Node; readonly isShown: boolean }[] {
	const [template] = nodesIn(quasi);
	let markup = "";
	return nodesIn(template?.["expressions"]).map((inside, at) => {
		markup += cooked(nodesIn(template?.["quasis"])[at]);
		const isBetween = markup.lastIndexOf("<") <= markup.lastIndexOf(">");
		return { inside, isShown: isBetween || new RegExp(`${SPOKEN}=["']?$`).test(markup) };
	});
}

/** What is not: addresses of modules, names of properties, what is compared. */
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

/** `a.b.c` of what is called, written to or named. */
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

/** What stands between the tags of a page, and in those attributes that are shown or spoken. */
function markupTexts(markup: string): string[] {
	const attributes = markup.matchAll(new RegExp(`${SPOKEN}=(["'])(.*?)\\1`, "gs"));
	const outside = markup.replace(/<!--.*?-->/gs, "").split(/<[^<>]*>/);
	return [...outside.map((text) => text.trim()), ...[...attributes].map(([, , text = ""]) => text)].map(
		(text) => (/\p{L}{2}/u.test(text) ? ` ${text} ` : ""),
	);
}

/** Two words, a word beside an expression, or one that begins like a title; where it is shown for sure, any word. */
function isForPeople(text: string, isShown: boolean): boolean {
	const words = text.replaceAll(/\$\([\w~-]+\)|\b(Copilot-LD|Copilot CLI|VS Code)\b/g, "");
	if (!/\p{L}{2}/u.test(words.replaceAll("{}", " "))) return false;
	if (/^[A-Z_]+$/.test(words) || /^@copilot-ld( \/\w+)?( ?\{\}| run| retry)*:? ?$/.test(words)) return false;
	if (/^(copilot-(?:ld|LD)|workbench|vscode|editor)\.[\w.{}-]+$/.test(words)) return false;
	if (isShown) return true;
	return /\s\p{L}{2}|\p{L}{2}\S*\s/u.test(words) || /^[^\p{L}]*\p{Lu}\p{Ll}+(\W|$)/u.test(words);
}
