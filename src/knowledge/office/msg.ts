import msgReader from "@kenjiuno/msgreader";
import { decodeText } from "../passages/decodeText.ts";
import type { Attachment } from "../passages/format.ts";
import { Unreadable } from "./extract.ts";
import type { Mail } from "./mailDocument.ts";

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

/** Omits addresses within Exchange, which say nothing to users. */
function nameOf(name = "", address = ""): string {
	if (!address.includes("@") || address === name) return name || address;
	return name === "" ? address : `${name} <${address}>`;
}

function isoOf(date = ""): string {
	const time = Date.parse(date);
	return Number.isNaN(time) ? date : new Date(time).toISOString();
}

/** Larger numbers are no sectors or entries. */
const LAST = 0xfffffffa;
const ENTRY_BYTES = 128;

/** Whether every chain of sectors ends: the reader would follow a circle forever. */
function isSoundCompoundFile(bytes: Uint8Array): boolean {
	if (bytes.length < 512) return false;
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const shift = view.getUint16(30, true);
	if (shift < 7 || shift > 16) return false;
	const file: CompoundFile = { view, sectorBytes: 1 << shift };
	const chains = numbersIn(file, fatSectors(file));
	if (hasCircle(chains)) return false;
	const smallChains = numbersIn(file, chainFrom(view.getUint32(60, true), chains));
	return !hasCircle(smallChains) && isTree(file, chainFrom(view.getUint32(48, true), chains));
}

interface CompoundFile {
	readonly view: DataView;
	readonly sectorBytes: number;
}

/** The header lists the first 109 FAT sectors, a chain of sectors the others. */
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

/** Ignores sectors beyond the end of the file. */
function numbersIn({ view, sectorBytes }: CompoundFile, sectors: readonly number[]): number[] {
	return sectors.flatMap((sector) => {
		const start = (sector + 1) * sectorBytes;
		if (start + sectorBytes > view.byteLength) return [];
		return Array.from({ length: sectorBytes / 4 }, (_, at) => view.getUint32(start + 4 * at, true));
	});
}

/** Requires chains without circles. */
function chainFrom(first: number, next: readonly number[]): number[] {
	const chain: number[] = [];
	for (let at = first; at < next.length; at = next[at] ?? LAST) chain.push(at);
	return chain;
}

function hasCircle(next: readonly number[]): boolean {
	// First walk in which a sector was seen: seeing it again in the same walk is a circle.
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

/** Whether no directory entry is referenced twice. */
function isTree(file: CompoundFile, sectors: readonly number[]): boolean {
	const led = sectors.flatMap((sector) => entriesOf(file, sector)).flatMap((at) => ledToBy(file, at));
	return new Set(led).size === led.length;
}

/** Offsets of directory entries. */
function entriesOf({ view, sectorBytes }: CompoundFile, sector: number): number[] {
	const start = (sector + 1) * sectorBytes;
	const entries = Array.from({ length: sectorBytes / ENTRY_BYTES }, (_, at) => start + at * ENTRY_BYTES);
	return entries.filter((at) => at + ENTRY_BYTES <= view.byteLength && view.getUint8(at + 66) !== 0);
}

/** Siblings and child. */
function ledToBy({ view }: CompoundFile, at: number): number[] {
	return [68, 72, 76].map((field) => view.getUint32(at + field, true)).filter((entry) => entry < LAST);
}
