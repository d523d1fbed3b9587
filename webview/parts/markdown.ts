import { nothing, type TemplateResult } from "lit";
import { html, type StaticValue, unsafeStatic } from "lit/static-html.js";
import type { Token } from "markdown-it";
import MarkdownIt from "markdown-it";
import {
	briefPlace,
	type Citation,
	citationAt,
	escapePath,
	formatCitation,
} from "../../src/core/knowledge/citation.ts";
import { baseName, icon, link } from "./elements.ts";

export interface MarkdownActions {
	openCitation(citation: Citation): void;
	openLink(href: string): void;
}

/** Maximum characters of Markdown. Longer texts are shown unformatted, because every bracket costs time. */
const MAX_MARKDOWN = 100_000;

const parser = new MarkdownIt({ html: false });
/** Parses citations before links, so that no following text and no character in a path breaks a citation. */
parser.inline.ruler.before("link", "citation", (state, silent) => {
	const found = citationAt(state.src, state.pos);
	if (!found) return false;
	if (!silent)
		state.push("citation", "", 0).content = state.src.slice(found.offset, found.offset + found.length);
	state.pos += found.length;
	return true;
});
// A reference definition would turn a citation into a link.
parser.disable("reference");

interface Node {
	readonly token: Token;
	readonly children: Node[];
}

type Rendered = TemplateResult | string | typeof nothing;

/** Renders Markdown as elements of the page. Only listed elements are created, and text is escaped. */
export function renderMarkdown(text: string, actions: MarkdownActions): TemplateResult {
	if (text.length > MAX_MARKDOWN) return html`<div class="markdown plain">${text}</div>`;
	return html`<div class="markdown">${nest(parser.parse(text, {})).map((node) => renderNode(node, actions))}</div>`;
}

const PLAIN = "p ul li blockquote table thead tbody tr th td em strong s".split(" ");
/** Elements for headings of the text, which rank below the headings of the page. */
const HEADINGS = { h1: "h4", h2: "h4", h3: "h5", h4: "h6", h5: "h6", h6: "h6" };
const ELEMENTS: ReadonlyMap<string, StaticValue> = new Map(
	[...PLAIN.map((tag) => [tag, tag] as const), ...Object.entries(HEADINGS)].map(([tag, name]) => [
		tag,
		unsafeStatic(name),
	]),
);

function nest(tokens: readonly Token[]): Node[] {
	const root: Node[] = [];
	const path: Node[][] = [root];
	for (const token of tokens) {
		if (token.nesting < 0) {
			path.pop();
			continue;
		}
		const node: Node = { token, children: token.children ? nest(token.children) : [] };
		path.at(-1)?.push(node);
		if (token.nesting > 0) path.push(node.children);
	}
	return root;
}

function renderNode({ token, children }: Node, actions: MarkdownActions): Rendered {
	const inner = () => children.map((child) => renderNode(child, actions));
	// The parser hides the paragraphs in the items of a tight list.
	if (token.hidden) return html`${inner()}`;
	const element = token.nesting > 0 ? ELEMENTS.get(token.tag) : undefined;
	if (element) return html`<${element}>${inner()}</${element}>`;
	switch (token.type) {
		case "inline":
			return html`${inner()}`;
		case "ordered_list_open":
			return html`<ol start=${token.attrGet("start") ?? "1"}>${inner()}</ol>`;
		case "link_open": {
			const href = String(token.attrGet("href"));
			return link(inner(), () => actions.openLink(href), { title: href });
		}
		default:
			return renderLeaf(token, actions);
	}
}

function renderLeaf(token: Token, actions: MarkdownActions): Rendered {
	switch (token.type) {
		case "text":
			return token.content;
		// Citations that the model was never shown lost their brackets before the answer was saved.
		case "citation":
			return renderCitation(token.content, actions);
		case "code_inline":
			return html`<code>${token.content}</code>`;
		case "fence":
		case "code_block":
			return html`<pre><code>${token.content}</code></pre>`;
		case "softbreak":
			return " ";
		case "hardbreak":
			return html`<br />`;
		case "hr":
			return html`<hr />`;
		default:
			// An image is replaced by its text, so that nothing is loaded.
			return token.content === "" ? nothing : token.content;
	}
}

function renderCitation(written: string, actions: MarkdownActions): Rendered {
	const citation = citationAt(written, 0)?.citation;
	if (!citation) return written;
	const { path, lines } = citation;
	const name = html`${icon("file")}${escapePath(baseName(path))}:${briefPlace(lines)}`;
	const title = formatCitation(citation).slice(1, -1);
	return link(name, () => actions.openCitation(citation), { kind: "citation", title });
}
