import { sendReport } from "../../scripts/vscode/report.ts";

/** Messages from the tests inside VS Code to the script outside: their results and requests. */
interface Wants {
	passed: { title: string; durationMs: number };
	failed: { title: string; message: string };
	/** Takes a picture and reads the chat, with `words` once the last answer contains them. */
	look: { picture: string; words?: string };
	pressButton: { label: string; where?: "dialog"; picture?: string };
	clickCitation: { link?: string };
	/** Types into the quick pick with the placeholder, and chooses the first line; takes a picture before. */
	pickFirst: { typed: string; placeholder?: string; picture?: string };
	/** Waits for a quick pick with the words in its title or prompt, and reads it; `hide` presses Escape. */
	lookAtPick: { words: string; hide?: boolean; picture?: string };
	/** Waits until the status bar, or a view, shows the words. */
	untilShown: { words: string; where?: "view" };
	/** Replaces the text of the open input box and accepts it; takes a picture before. */
	answerInput: { typed: string; picture?: string };
	/** Opens the first session (with the title) in the view and reads its transcript; takes a picture. */
	openSession: { title?: string; picture: string };
	/** Waits until a tree view shows the words, and reads it; takes a picture. */
	lookAtTree: { view: string; words: string; picture: string };
	/** Presses keys (`text:…` types text, `over:…` and `click:…` take a selector). Waits until the focused
	 * element `has` a role and name, and the page, or its part at the selector `where`, `shows` words. */
	press: { keys: readonly string[]; has?: readonly string[]; shows?: string; where?: string };
	lookAtTab: { tab: string; picture: string };
}

export type Wanted<Kind extends keyof Wants> = Readonly<Wants[Kind]>;
export type TestReport = {
	[Kind in keyof Wants]: { readonly kind: Kind } & Wanted<Kind>;
}[keyof Wants];

/** Role and name of the focused element: `button: Add Rule`. */
export interface ShownKeyboard {
	readonly keyboard: string;
}

export interface ShownPick {
	readonly title: string;
	readonly prompt: string;
	readonly items: readonly string[];
}

export interface ShownView {
	readonly text: string;
}

export interface ShownAnswer {
	readonly text: string;
	readonly citations: readonly string[];
	/** HTML elements in the answer other than paragraphs, quotations, bold words and citations. */
	readonly live: readonly string[];
}

/** Results of the requests; `null` if there is no page to look at. */
interface Shown {
	readonly look: ShownAnswer | null;
	readonly lookAtPick: ShownPick;
	readonly lookAtTree: ShownView;
	readonly lookAtTab: ShownView | null;
	readonly openSession: ShownView | null;
	readonly press: ShownKeyboard | null;
	readonly answerInput: boolean | null;
}

export function tell<Kind extends keyof Wants>(
	kind: Kind,
	wanted: Wanted<Kind>,
): Promise<Kind extends keyof Shown ? Shown[Kind] : null> {
	return sendReport({ kind, ...wanted });
}

/** Returns what the chat shows, once the last answer contains the words; `null` without a page to read. */
export function look(picture: string, words?: string) {
	return tell("look", { picture, ...(words && { words }) });
}
