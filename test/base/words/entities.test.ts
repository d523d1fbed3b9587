import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeEntities } from "../../../src/base/words/entities.ts";

const texts: Readonly<Record<string, string>> = {
	"a &lt; b &amp;&amp; c &gt; d": "a < b && c > d",
	"&quot;caf&eacute;&quot;&nbsp;&ndash; &Uuml;bung, Stra&szlig;e": '"café" – Übung, Straße',
	"&#65;&#x42;&#0;&#x110000;": "AB\ufffd\ufffd",
	"&amp;quot; R&D; AT&T; &unknown; &": "&quot; R&D; AT&T; &unknown; &",
};

for (const [text, decoded] of Object.entries(texts))
	test(`${text} is ${decoded}`, () => assert.equal(decodeEntities(text), decoded));
