/** Text of a source or of a person as Markdown that shows it as it is. */
export function escapeMarkdown(text: string): string {
	return text.replace(/[\\`*_{}[\]()#+\-.!<>|~$]/g, "\\$&");
}
