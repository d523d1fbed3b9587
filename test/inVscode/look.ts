import { tell } from "./testReport.ts";

/** What the chat shows, once the words are in the last answer; `null` if there is no page to look at, so that its test is skipped. */
export function look(picture: string, words?: string) {
	return tell("look", { picture, ...(words && { words }) });
}
