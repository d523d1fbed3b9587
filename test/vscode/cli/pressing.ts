import { window } from "../../support/fakeVscode.ts";

/** Answers each warning with this button; returns the details that are shown. */
export function press(button: string | undefined): string[] {
	const shown: string[] = [];
	window.showWarningMessage = async (_message, options) => {
		shown.push((options as { detail: string }).detail);
		return button;
	};
	return shown;
}
