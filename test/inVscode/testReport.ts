import { sendReport } from "../../scripts/vscode/report.ts";

/** What the tests inside VS Code tell the script outside. */
export type TestReport =
	| { readonly kind: "passed"; readonly title: string; readonly durationMs: number }
	| { readonly kind: "failed"; readonly title: string; readonly message: string }
	/** Asks for a picture of the workbench, and for what the chat shows; with words, once they stand in the last answer. */
	| { readonly kind: "look"; readonly picture: string; readonly words?: string }
	| {
			readonly kind: "pressButton";
			readonly label: string;
			readonly where?: "dialog";
			readonly picture?: string;
	  }
	| { readonly kind: "clickCitation"; readonly link?: string }
	/** Asks to type into the quick pick, once its placeholder has the words, and to choose the first line; with a picture before. */
	| {
			readonly kind: "pickFirst";
			readonly typed: string;
			readonly placeholder?: string;
			readonly picture?: string;
	  }
	/** Asks to wait for a quick pick whose title or prompt has the words, and for what stands in it; `hide` presses Escape then. */
	| {
			readonly kind: "lookAtPick";
			readonly words: string;
			readonly hide?: boolean;
			readonly picture?: string;
	  }
	/** Asks to wait until the words stand somewhere in the status bar, or in a view. */
	| { readonly kind: "untilShown"; readonly words: string; readonly where?: "view" }
	/** Asks to type into the open input box in place of what stands there, and to accept it; with a picture of it before. */
	| { readonly kind: "answerInput"; readonly typed: string; readonly picture?: string }
	/** Asks to open the first session of that title in the view, or of any, and for what then stands there; with a picture of it. */
	| { readonly kind: "openSession"; readonly title?: string; readonly picture: string }
	/** Asks to wait until a view that is a tree has the words, for what stands in it, and for a picture. */
	| {
			readonly kind: "lookAtTree";
			readonly view: string;
			readonly words: string;
			readonly picture: string;
	  }
	/** Asks to press keys (`text:` before what is typed, `over:` and `click:` before a selector), and to wait until what has the keyboard `has` a role and name, and the page `shows` words. */
	| {
			readonly kind: "press";
			readonly keys: readonly string[];
			readonly has?: readonly string[];
			readonly shows?: string;
			/** The selector of the part that shows the words. */
			readonly where?: string;
	  }
	| { readonly kind: "lookAtTab"; readonly tab: string; readonly picture: string };

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

export type Wanted<Kind> = Omit<Extract<TestReport, { readonly kind: Kind }>, "kind">;

export function tell<Kind extends TestReport["kind"]>(
	kind: Kind,
	wanted: Wanted<Kind>,
): Promise<Kind extends keyof Shown ? Shown[Kind] : null> {
	return sendReport({ kind, ...wanted });
}
