import type { Address } from "postal-mime";
import PostalMime from "postal-mime";
import type { ParsedDocument } from "../../core/knowledge/document.ts";
import type { LineRange } from "../../core/knowledge/source.ts";
import type { Attachment, ReadAttachment } from "../passages/format.ts";
import { splitLines } from "../passages/lines.ts";
import { toBlocks } from "../passages/passages.ts";
import type { Fact, Link } from "../resources/documentFacts.ts";
import { createExtract, type Extract } from "./extract.ts";
import { tell } from "./flow.ts";
import { htmlPieces } from "./htmlPieces.ts";

export interface Mail {
	readonly subject: string;
	readonly from: readonly string[];
	readonly to: readonly string[];
	readonly cc: readonly string[];
	/** ISO 8601 if it is valid. */
	readonly date: string;
	readonly text: string;
	readonly html: string;
	readonly attachments: readonly Attachment[];
}

const MOST_ATTACHMENTS = 50;

/** Head and body are the first part, each attachment another. */
export async function mailDocument(uri: string, mail: Mail, read: ReadAttachment): Promise<ParsedDocument> {
	const extract = createExtract();
	extract.begin({ name: "part1" });
	const values = addHead(extract, mail);
	const links = addBody(extract, mail);
	for (const [index, attachment] of mail.attachments.slice(0, MOST_ATTACHMENTS).entries()) {
		const text = await read(attachment);
		if (text === undefined || text.trim() === "") continue;
		extract.begin({ name: `part${index + 2}` });
		extract.heading(1, attachment.name);
		addText(extract, text);
	}
	return extract.finish(uri, { type: "EmailMessage", title: mail.subject, values, links });
}

function addHead(extract: Extract, mail: Mail): Fact[] {
	extract.heading(1, mail.subject);
	const names = mail.attachments.map(({ name }) => name).filter((name) => name !== "");
	const head = [
		["From", "sender", mail.from],
		["To", "toRecipient", mail.to],
		["Cc", "ccRecipient", mail.cc],
		["Date", "dateSent", mail.date === "" ? [] : [mail.date]],
		["Attachments", "messageAttachment", names],
	] as const;
	const told = head.filter(([, , values]) => values.length > 0);
	const first = extract.next;
	extract.add(
		"lines",
		told.map(([name, , values]) => `${name}: ${values.join(", ")}`),
		[],
	);
	return told.flatMap(([, property, values], index) => {
		const lines: LineRange = { start: first + index, end: first + index };
		return values.map((value) => ({ property, value: withoutMilliseconds(value), lines }));
	});
}

function withoutMilliseconds(value: string): string {
	return value.replace(/(T\d\d:\d\d:\d\d)\.\d+Z$/, "$1Z");
}

/** Prefers the plain text: the sender meant it to be read. */
function addBody(extract: Extract, { text, html }: Mail): Link[] {
	if (text.trim() === "") return tell(extract, htmlPieces(html));
	addText(extract, text);
	return [];
}

function addText(extract: Extract, text: string): void {
	for (const { lines } of toBlocks(splitLines(text), "lines"))
		extract.add(
			"lines",
			lines.map((line) => line.text),
		);
}

/** A mail in a mail is an attachment. */
export async function parseEml(bytes: Uint8Array): Promise<Mail> {
	const mail = await PostalMime.parse(bytes, { forceRfc822Attachments: true, maxNestingDepth: 50 });
	return {
		subject: mail.subject ?? "",
		from: namesOf(mail.from ? [mail.from] : []),
		to: namesOf(mail.to ?? []),
		cc: namesOf(mail.cc ?? []),
		date: mail.date ?? "",
		text: mail.text ?? "",
		html: mail.html ?? "",
		attachments: mail.attachments.map(({ filename, mimeType, content }) => ({
			name: filename ?? (mimeType === "message/rfc822" ? "message.eml" : ""),
			bytes: typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content),
		})),
	};
}

function namesOf(addresses: readonly Address[]): string[] {
	return addresses.flatMap(({ name, address, group }) => {
		if (group) return namesOf(group);
		return name && address ? `${name} <${address}>` : (address ?? name);
	});
}
