import { NestingParser } from "../html/walkHtml.ts";

interface ElementEvents {
	readonly opened?: Readonly<Record<string, (attribute: Attributes) => void>>;
	readonly closed?: Readonly<Record<string, () => void>>;
	text?(text: string): void;
	/** Elements that directly hold text; all if absent. */
	readonly textIn?: readonly string[];
	readonly silent?: readonly string[];
}

/** By full name. */
export type Attributes = (name: string) => string | undefined;

/** Ignores declared entities, so that nothing can grow, and reads malformed text as far as possible. */
export function walkElements(xml: string, events: ElementEvents): void {
	const { opened = {}, closed = {} } = events;
	const [textIn, silent] = [events.textIn && new Set(events.textIn), new Set(events.silent)];
	let [depth, silentDepth] = [0, 0];
	let isText = textIn === undefined;
	const parser = new NestingParser(
		() => depth,
		{
			onopentag(fullName, attributes) {
				const name = localName(fullName);
				depth++;
				if (silent.has(name)) silentDepth++;
				if (textIn) isText = textIn.has(name);
				if (silentDepth === 0 && Object.hasOwn(opened, name)) opened[name]?.((wanted) => attributes[wanted]);
			},
			onclosetag(fullName) {
				const name = localName(fullName);
				depth--;
				if (textIn) isText = false;
				if (silent.has(name)) silentDepth--;
				else if (silentDepth === 0 && Object.hasOwn(closed, name)) closed[name]?.();
			},
			ontext: (more) => (isText && silentDepth === 0 ? events.text?.(more) : undefined),
		},
		{ xmlMode: true },
	);
	parser.end(xml);
}

export function elementsNamed(name: string, xml: string): Attributes[] {
	const found: Attributes[] = [];
	walkElements(xml, { opened: { [name]: (attribute) => found.push(attribute) } });
	return found;
}

/** Takes the text of elements of some names, in the order of their ends. */
export function walkTexts(
	xml: string,
	names: readonly string[],
	take: (text: string, name: string) => void,
	limits: { readonly textIn?: readonly string[]; readonly silent?: readonly string[] } = {},
): void {
	let text = "";
	const begin = () => {
		text = "";
	};
	walkElements(xml, {
		...limits,
		opened: Object.fromEntries(names.map((name) => [name, begin])),
		closed: Object.fromEntries(names.map((name) => [name, () => take(text, name)])),
		text: (more) => {
			text += more;
		},
	});
}

function localName(name: string): string {
	return name.slice(name.indexOf(":") + 1);
}
