import { NestingParser } from "../html/walkHtml.ts";

/** Names have no prefix. */
interface XmlEvents {
	open?(name: string, attributes: Attributes): void;
	close?(name: string): void;
	text?(text: string): void;
}

/** What to do at the beginning and end of elements. */
interface ElementEvents {
	readonly opened?: Readonly<Record<string, (attribute: Attributes) => void>>;
	readonly closed?: Readonly<Record<string, () => void>>;
	text?(text: string): void;
	/** Elements that directly hold text; all if absent. */
	readonly textIn?: readonly string[];
	/** Elements in which nothing is heard. */
	readonly silent?: readonly string[];
}

export function walkElements(xml: string, events: ElementEvents): void {
	const { opened = {}, closed = {}, text } = events;
	const [textIn, silent] = [events.textIn && new Set(events.textIn), new Set(events.silent)];
	let depth = 0;
	let isText = textIn === undefined;
	walkXml(xml, {
		open: (name, attribute) => {
			if (silent.has(name)) depth++;
			if (textIn) isText = textIn.has(name);
			if (depth === 0 && Object.hasOwn(opened, name)) opened[name]?.(attribute);
		},
		close: (name) => {
			if (textIn) isText = false;
			if (silent.has(name)) depth--;
			else if (depth === 0 && Object.hasOwn(closed, name)) closed[name]?.();
		},
		...(text && { text: (more: string) => (isText && depth === 0 ? text(more) : undefined) }),
	});
}

/** By full name. */
export type Attributes = (name: string) => string | undefined;

/** Ignores declared entities, so that nothing can grow, and reads malformed text as far as possible. */
export function walkXml(xml: string, { open, close, text }: XmlEvents): void {
	let depth = 0;
	const parser = new NestingParser(
		() => depth,
		{
			onopentag(name, attributes) {
				depth++;
				open?.(localName(name), (wanted) => attributes[wanted]);
			},
			onclosetag(name) {
				depth--;
				close?.(localName(name));
			},
			...(text && { ontext: text }),
		},
		{ xmlMode: true },
	);
	parser.end(xml);
}

function localName(name: string): string {
	return name.slice(name.indexOf(":") + 1);
}
