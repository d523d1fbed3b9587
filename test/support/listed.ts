/** Items of a text, separated by bars or line breaks. */
export function listed(text: string): string[] {
	return text.trim().split(/\s*[|\n]\s*/);
}
