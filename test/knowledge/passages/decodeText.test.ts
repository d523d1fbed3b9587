import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeText } from "../../../src/knowledge/passages/decodeText.ts";

function bytesOf(text: string, encoding: BufferEncoding): Buffer {
	return Buffer.from(text, encoding);
}

const cases: Record<string, readonly [Uint8Array, string | undefined]> = {
	"UTF-8 is read": [bytesOf("Café", "utf8"), "Café"],
	"a byte order mark is dropped": [bytesOf("\ufeffCafé", "utf8"), "Café"],
	"UTF-16 is known by its byte order mark": [bytesOf("\ufeffCafé", "utf16le"), "Café"],
	"UTF-16 of the other order is read": [bytesOf("\ufeffCafé", "utf16le").swap16(), "Café"],
	"UTF-16 is known without a byte order mark": [bytesOf("some words", "utf16le"), "some words"],
	"what is not UTF-8 is read as the web does": [Buffer.from([0x43, 0x61, 0x66, 0xe9, 0x80]), "Café€"],
	"the encoding that a page declares is used": [
		Buffer.concat([bytesOf('<meta charset="iso-8859-5">', "latin1"), Buffer.from([0xbc])]),
		'<meta charset="iso-8859-5">М',
	],
	"the encoding that XML declares is used": [
		Buffer.concat([bytesOf('<?xml version="1.0" encoding="koi8-r"?>', "latin1"), Buffer.from([0xed])]),
		'<?xml version="1.0" encoding="koi8-r"?>М',
	],
	"valid UTF-8 goes before a wrong declaration": [
		bytesOf('<meta charset="iso-8859-1">é', "utf8"),
		'<meta charset="iso-8859-1">é',
	],
	"an unknown encoding is none": [
		Buffer.concat([bytesOf('<meta charset="klingon">', "latin1"), Buffer.from([0xe9])]),
		'<meta charset="klingon">é',
	],
	"one broken byte does not make another encoding of UTF-8": [
		Buffer.concat([bytesOf("éàüöäß", "utf8"), Buffer.from([0xc3])]),
		"éàüöäß\ufffd",
	],
	"zero bytes make binary content": [Buffer.from("PK\u0003\u0004\0\0abc"), undefined],
	"control characters make binary content": [Buffer.from("\u0001\u0002\u0003ab\u0004"), undefined],
	"a zero byte far down is replaced": [Buffer.from(`${"a".repeat(9000)}\0`), `${"a".repeat(9000)}\ufffd`],
	"an empty file is an empty text": [Buffer.from(""), ""],
};

for (const [name, [bytes, text]] of Object.entries(cases)) {
	test(name, () => {
		assert.equal(decodeText(bytes), text);
	});
}
