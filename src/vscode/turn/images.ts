import * as vscode from "vscode";
import type { AgentRequest } from "../../core/agent/agentEvent.ts";
import type { Image } from "../../core/agent/message.ts";
import { readAttachments } from "./attachments.ts";

/** What the person attached: images as they are, and the rest as text. */
export async function readReferences(
	references: readonly vscode.ChatPromptReference[],
): Promise<Required<Pick<AgentRequest, "attachments" | "images">>> {
	const images = await Promise.all(references.map(({ value }) => imageIn(value)));
	return {
		attachments: await readAttachments(references.filter((_, index) => !images[index])),
		images: images.filter((image) => image !== undefined),
	};
}

/** An image of the clipboard, or a file that is one; `undefined` where it is something else. */
async function imageIn(value: unknown): Promise<Image | undefined> {
	if (value instanceof vscode.Uri) return imageFile(value);
	if (typeof value !== "object" || value === null || !("mimeType" in value) || !("data" in value))
		return undefined;
	const { mimeType, data } = value;
	if (typeof mimeType !== "string" || !mimeType.startsWith("image/") || typeof data !== "function")
		return undefined;
	return { mimeType, data: Buffer.from(await data.call(value)).toString("base64") };
}

async function imageFile(uri: vscode.Uri): Promise<Image | undefined> {
	const type = /\.(png|jpe?g|gif|webp)$/i.exec(uri.path)?.[1]?.toLowerCase();
	if (!type) return undefined;
	try {
		const bytes = await vscode.workspace.fs.readFile(uri);
		const mimeType = `image/${type === "jpg" ? "jpeg" : type}`;
		return { mimeType, data: Buffer.from(bytes).toString("base64") };
	} catch {
		// As an attachment it says why it cannot be read.
		return undefined;
	}
}
