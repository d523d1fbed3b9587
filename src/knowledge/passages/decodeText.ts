/** Number of bytes that are checked for binary content and a declared encoding. */
const HEAD_BYTES = 8192;
const MAX_CONTROL_SHARE = 0.1;

/** Encodings whose bytes are also valid UTF-8 with another meaning. */
const SEVEN_BIT = /^(iso-2022|hz)/i;

const DECLARATIONS = [
	/<\?xml[^>]{0,200}?encoding\s*=\s*["']?([\w.:-]+)/i,
	/<meta[^>]{0,500}?charset\s*=\s*["']?([\w.:-]+)/i,
];

/** Decodes a text without its byte order mark; `undefined` if the content is binary. */
export function decodeText(bytes: Uint8Array): string | undefined {
	const head = bytes.subarray(0, HEAD_BYTES);
	const wide = utf16Of(bytes);
	if (!wide && isBinary(head)) return undefined;
	const text = wide ? decode(bytes, wide) : decodeNarrow(bytes, declaredIn(head));
	// Databases and indexes treat a zero character as the end of a string.
	return text.replaceAll("\0", "\ufffd");
}

function utf16Of(bytes: Uint8Array): string | undefined {
	if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
	return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : undefined;
}

/** Texts may contain white space and escape characters, so these do not count as control characters. */
function isBinary(head: Uint8Array): boolean {
	const controls = head.filter((byte) => byte < 32 && (byte < 9 || byte > 13) && byte !== 27);
	return head.includes(0) || controls.length > head.length * MAX_CONTROL_SHARE;
}

/** Prefers valid UTF-8 to a declared encoding, because a text is rarely valid UTF-8 by accident. */
function decodeNarrow(bytes: Uint8Array, declared: string | undefined): string {
	const text = decode(bytes, "utf-8");
	const isEscaped = declared !== undefined && SEVEN_BIT.test(declared);
	if (!isEscaped && !text.includes("\ufffd")) return text;
	if (declared) return decode(bytes, declared);
	return isMostlyWhole(text) ? text : decode(bytes, "windows-1252");
}

/** Whether only few characters are broken, for example at a cut end. If so, the encoding is still UTF-8. */
function isMostlyWhole(text: string): boolean {
	const broken = text.split("\ufffd").length - 1;
	return broken * 4 < text.replace(/[^\u0080-\ufffc\ufffe\uffff]+/g, "").length;
}

/** Encoding declared in HTML or XML. Ignores UTF-16 and UTF-32, because the declaration itself would be unreadable. */
function declaredIn(head: Uint8Array): string | undefined {
	const text = Buffer.from(head.buffer, head.byteOffset, head.length).toString("latin1");
	const [declared] = DECLARATIONS.flatMap((pattern) => pattern.exec(text)?.[1] ?? []);
	return declared && !/^utf-?(16|32)/i.test(declared) ? encodingNamed(declared) : undefined;
}

export function encodingNamed(label: string): string | undefined {
	try {
		return new TextDecoder(label).encoding;
	} catch {
		return undefined;
	}
}

function decode(bytes: Uint8Array, encoding: string): string {
	return new TextDecoder(encoding).decode(bytes);
}
