import msgReader from "@kenjiuno/msgreader";
import type { Address } from "postal-mime";
import PostalMime from "postal-mime";
import type { ParsedDocument } from "../../core/knowledge/document.ts";
import { decodeText } from "../passages/decodeText.ts";
import { toBlocks } from "../passages/passages.ts";
import { type Attachment, isBlank, only, type ReadAttachment, splitLines } from "../passages/source.ts";
import type { Fact } from "../resources/documentFacts.ts";
import { createExtract, type Extract, Unreadable } from "./extract.ts";
import { htmlPieces, tell } from "./flow.ts";

type Mail = Awaited<ReturnType<typeof parseEml>>;

const MOST_ATTACHMENTS = 50;

/** Reads headers and body as the first part, and each attachment as a further part. */
export async function mailDocument(uri: string, mail: Mail, read: ReadAttachment): Promise<ParsedDocument> {
	const extract = createExtract();
	extract.begin({ name: "part1" });
	const values = addHead(extract, mail);
	// Prefer the plain text, because the sender meant it to be read.
	if (isBlank(mail.text)) tell(extract, htmlPieces(mail.html));
	else addText(extract, mail.text);
	for (const [index, attachment] of mail.attachments.slice(0, MOST_ATTACHMENTS).entries()) {
		const text = await read(attachment);
		if (text === undefined || isBlank(text)) continue;
		extract.begin({ name: `part${index + 2}` });
		extract.heading(1, attachment.name);
		addText(extract, text);
	}
	return extract.finish(uri, { type: "EmailMessage", title: mail.subject, values });
}

function addHead(extract: Extract, mail: Mail): Fact[] {
	extract.heading(1, mail.subject);
	const names = mail.attachments.flatMap(({ name }) => name || []);
	const head = [
		["From", "sender", mail.from],
		["To", "toRecipient", mail.to],
		["Cc", "ccRecipient", mail.cc],
		["Date", "dateSent", mail.date === "" ? [] : [mail.date]],
		["Attachments", "messageAttachment", names],
	] as const;
	const told = head.filter(([, , values]) => values.length > 0);
	const first = extract.lines.next;
	const texts = told.map(([name, , values]) => `${name}: ${values.join(", ")}`);
	extract.add("lines", texts, []);
	return told.flatMap(([, property, values], index) => {
		const whole = values.map((value) => value.replace(/(T\d\d:\d\d:\d\d)\.\d+Z$/, "$1Z"));
		return whole.map((value) => ({ property, value, lines: only(first + index) }));
	});
}

function addText(extract: Extract, text: string): void {
	for (const { kind, lines } of toBlocks(splitLines(text), "lines")) {
		const texts = lines.map((line) => line.text);
		extract.add(kind, texts);
	}
}

/** Treats a mail within a mail as an attachment. */
export async function parseEml(bytes: Uint8Array) {
	const mail = await PostalMime.parse(bytes, { forceRfc822Attachments: true, maxNestingDepth: 50 });
	return {
		subject: mail.subject ?? "",
		from: namesOf(mail.from ? [mail.from] : []),
		to: namesOf(mail.to ?? []),
		cc: namesOf(mail.cc ?? []),
		/** ISO 8601 if valid. */
		date: mail.date ?? "",
		text: mail.text ?? "",
		html: mail.html ?? "",
		attachments: mail.attachments.map(
			({ filename, mimeType, content }): Attachment => ({
				name: filename ?? (mimeType === "message/rfc822" ? "message.eml" : ""),
				bytes: typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content),
			}),
		),
	};
}

function namesOf(addresses: readonly Address[]): string[] {
	return addresses.flatMap(({ name, address, group }) => {
		if (group) return namesOf(group);
		return name && address ? `${name} <${address}>` : (address ?? name);
	});
}

export function parseMsg(bytes: Uint8Array): Mail {
	if (!isSoundCompoundFile(bytes))
		throw new Unreadable("it is broken: its contents refer to each other in a circle");
	const reader = new msgReader.default(new Uint8Array(bytes).buffer);
	const data = reader.getFileData();
	if (data.error !== undefined) throw new Unreadable("it contains no Outlook mail");
	const { recipients = [], attachments = [] } = data;
	const ofKind = (kind: string) =>
		recipients
			.filter(({ recipType = "to" }) => recipType === kind)
			.map((each) => nameOf(each.name, each.smtpAddress ?? each.email));
	return {
		subject: data.subject ?? "",
		from: [nameOf(data.senderName, data.senderSmtpAddress ?? data.senderEmail)].filter((name) => name !== ""),
		to: ofKind("to"),
		cc: ofKind("cc"),
		date: isoOf(data.messageDeliveryTime ?? data.clientSubmitTime),
		text: data.body ?? "",
		html: data.bodyHtml ?? (data.html ? (decodeText(data.html) ?? "") : ""),
		attachments: attachments.map((attachment): Attachment => {
			const { innerMsgContent, name = "", fileName = name } = attachment;
			const content = innerMsgContent ? new Uint8Array() : reader.getAttachment(attachment).content;
			return { name: fileName, bytes: content };
		}),
	};
}

/** Omits internal addresses of Exchange, which mean nothing to users. */
function nameOf(name = "", address = ""): string {
	if (!address.includes("@") || address === name) return name || address;
	return name === "" ? address : `${name} <${address}>`;
}

function isoOf(date = ""): string {
	const time = Date.parse(date);
	return Number.isNaN(time) ? date : new Date(time).toISOString();
}

/** Larger numbers are markers instead of sectors or entries. */
const LAST = 0xfffffffa;
const ENTRY_BYTES = 128;

/** Whether all chains of sectors end, because the library would follow a cycle forever. */
function isSoundCompoundFile(bytes: Uint8Array): boolean {
	if (bytes.length < 512) return false;
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const shift = view.getUint16(30, true);
	if (shift < 7 || shift > 16) return false;
	const file = { view, sectorBytes: 1 << shift };
	const chains = numbersIn(file, fatSectors(file));
	if (hasCircle(chains)) return false;
	const smallChains = numbersIn(file, chainFrom(view.getUint32(60, true), chains));
	return !hasCircle(smallChains) && isTree(file, chainFrom(view.getUint32(48, true), chains));
}

interface CompoundFile {
	readonly view: DataView;
	readonly sectorBytes: number;
}

/** FAT sectors. The header lists the first 109 sectors, and a chain lists all further sectors. */
function fatSectors({ view, sectorBytes }: CompoundFile): number[] {
	const sectors = Array.from({ length: 109 }, (_, at) => view.getUint32(76 + 4 * at, true));
	const seen = new Set<number>();
	for (let more = view.getUint32(68, true); more < LAST && !seen.has(more); ) {
		seen.add(more);
		const own = numbersIn({ view, sectorBytes }, [more]);
		sectors.push(...own.slice(0, -1));
		more = own.at(-1) ?? LAST;
	}
	return sectors.filter((sector) => sector < LAST);
}

function numbersIn({ view, sectorBytes }: CompoundFile, sectors: readonly number[]): number[] {
	return sectors.flatMap((sector) => {
		const start = (sector + 1) * sectorBytes;
		if (start + sectorBytes > view.byteLength) return [];
		return Array.from({ length: sectorBytes / 4 }, (_, at) => view.getUint32(start + 4 * at, true));
	});
}

/** Sectors of a chain. The chain must not contain a cycle. */
function chainFrom(first: number, next: readonly number[]): number[] {
	const chain: number[] = [];
	for (let at = first; at < next.length; at = next[at] ?? LAST) chain.push(at);
	return chain;
}

function hasCircle(next: readonly number[]): boolean {
	// Number of the walk that first visited each sector. Visiting a sector twice in one walk means a cycle.
	const walks = new Uint32Array(next.length);
	for (let first = 0; first < next.length; first++) {
		let at = first;
		while (at < next.length && walks[at] === 0) {
			walks[at] = first + 1;
			at = next[at] ?? LAST;
		}
		if (at < next.length && walks[at] === first + 1) return true;
	}
	return false;
}

/** Whether each directory entry has at most one predecessor or parent. */
function isTree({ view, sectorBytes }: CompoundFile, sectors: readonly number[]): boolean {
	const led = sectors.flatMap((sector) => {
		const start = (sector + 1) * sectorBytes;
		const entries = Array.from({ length: sectorBytes / ENTRY_BYTES }, (_, at) => start + at * ENTRY_BYTES);
		const used = entries.filter((at) => at + ENTRY_BYTES <= view.byteLength && view.getUint8(at + 66) !== 0);
		return used.flatMap((at) => [68, 72, 76].map((field) => view.getUint32(at + field, true)));
	});
	const named = led.filter((entry) => entry < LAST);
	return new Set(named).size === named.length;
}
