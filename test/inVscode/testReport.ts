import { sendReport } from "../../scripts/vscode/report.ts";

/** What the tests inside VS Code tell the script outside, and what they ask of it. */
interface Wants {
	passed: { title: string; durationMs: number };
	failed: { title: string; message: string };
	/** A picture of the workbench, and what the chat shows; with words, once they stand in the last answer. */
	look: { picture: string; words?: string };
	pressButton: { label: string; where?: "dialog"; picture?: string };
	clickCitation: { link?: string };
	/** To type into the quick pick, once its placeholder has the words, and to choose the first line; with a picture before. */
	pickFirst: { typed: string; placeholder?: string; picture?: string };
	/** To wait for a quick pick whose title or prompt has the words, and what stands in it; `hide` presses Escape then. */
	lookAtPick: { words: string; hide?: boolean; picture?: string };
	/** To wait until the words stand somewhere in the status bar, or in a view. */
	untilShown: { words: string; where?: "view" };
	/** To type into the open input box in place of what stands there, and to accept it; with a picture of it before. */
	answerInput: { typed: string; picture?: string };
	/** To open the first session of that title in the view, or of any, and what then stands there; with a picture of it. */
	openSession: { title?: string; picture: string };
	/** To wait until a view that is a tree has the words, what stands in it, and a picture. */
	lookAtTree: { view: string; words: string; picture: string };
	/** To press keys (`text:` before what is typed, `over:` and `click:` before a selector), and to wait until what has the keyboard `has` a role and name, and the page, or its part at the selector `where`, `shows` words. */
	press: { keys: readonly string[]; has?: readonly string[]; shows?: string; where?: string };
	lookAtTab: { tab: string; picture: string };
}

export type Wanted<Kind extends keyof Wants> = Readonly<Wants[Kind]>;
export type TestReport = {
	[Kind in keyof Wants]: { readonly kind: Kind } & Wanted<Kind>;
}[keyof Wants];

/** Where the keyboard is: `button: Add Rule`. */
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
	/** Elements that Markdown made of it, but for paragraphs, quotations, bold words and citations. */
	readonly live: readonly string[];
}

/** What is shown once they are dealt with; `null` where there is no page to look at. */
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

/** What the chat shows, once the words are in the last answer; `null` if there is no page to look at, so that its test is skipped. */
export function look(picture: string, words?: string) {
	return tell("look", { picture, ...(words && { words }) });
}
