import msgReader from "@kenjiuno/msgreader";
import { decodeText } from "../passages/decodeText.ts";
import type { Attachment } from "../passages/format.ts";
import { isSoundCompoundFile } from "./compoundFile.ts";
import type { Mail } from "./mailDocument.ts";
import { Unreadable } from "./unreadable.ts";

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
