import PostalMime, { type Address } from "postal-mime";
import type { Mail } from "./mailDocument.ts";

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
