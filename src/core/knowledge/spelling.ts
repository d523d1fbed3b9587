/**
 * Percent-encodes characters that a name must not contain.
 * `unsafe` matches them, one character at a time.
 */
export function createSpelling(unsafe: RegExp) {
	const write = (name: string) => name.replace(unsafe, encode);
	return {
		write,
		/** The counterpart of `write`; a name that is not encoded is returned unchanged. */
		read: (written: string) => {
			const name = written.replace(/(?:%[\dA-F]{2})+/g, decode);
			return write(name) === written ? name : written;
		},
	};
}

function encode(character: string): string {
	return encodeURIComponent(character.toWellFormed()).replace("!", "%21");
}

function decode(escaped: string): string {
	try {
		return decodeURIComponent(escaped);
	} catch {
		// Bytes that are no UTF-8: no spelling of ours.
		return escaped;
	}
}
