import * as vscode from "vscode";
import { Failure, isFailure } from "../../base/failure.ts";
import type { AgentRequest, Image } from "../../core/agent/agentEvent.ts";
import { readAttachments } from "./attachments.ts";

/** Bytes of an image that is sent; what models see of a larger one is no more. */
const LARGEST = 5_000_000;

export async function readReferences(
	references: readonly vscode.ChatPromptReference[],
): Promise<Required<Pick<AgentRequest, "attachments" | "images">>> {
	const images = await Promise.all(references.map(({ value }) => imageIn(value)));
	return {
		attachments: await readAttachments(references.filter((_, index) => !images[index])),
		images: images.filter((image) => image !== undefined),
	};
}

/** An image of the clipboard, or a file that is one; `undefined` if it is something else. */
async function imageIn(value: unknown): Promise<Image | undefined> {
	if (value instanceof vscode.Uri) return imageFile(value);
	if (typeof value !== "object" || value === null || !("mimeType" in value) || !("data" in value))
		return undefined;
	const { mimeType, data } = value;
	if (typeof mimeType !== "string" || !mimeType.startsWith("image/") || typeof data !== "function")
		return undefined;
	const bytes: unknown = await data.call(value);
	return bytes instanceof Uint8Array
		? toImage(bytes, { mimeType, name: vscode.l10n.t("The image") })
		: undefined;
}

function toImage(
	bytes: Uint8Array,
	{ mimeType, name }: { readonly mimeType: string; readonly name: string },
): Image {
	refuseLarge(bytes.byteLength, name);
	return { mimeType, data: Buffer.from(bytes).toString("base64") };
}

function refuseLarge(bytes: number, name: string): void {
	if (bytes <= LARGEST) return;
	const size = (bytes / 1e6).toFixed(1);
	throw new Failure(
		"BAD_INPUT",
		vscode.l10n.t(
			"{0} is {1} MB in size, but only images of up to {2} MB are sent. Attach a smaller one.",
			name,
			size,
			LARGEST / 1e6,
		),
	);
}

async function imageFile(uri: vscode.Uri): Promise<Image | undefined> {
	const type = /\.(png|jpe?g|gif|webp)$/i.exec(uri.path)?.[1]?.toLowerCase();
	if (!type) return undefined;
	try {
		const name = uri.path.slice(uri.path.lastIndexOf("/") + 1);
		refuseLarge((await vscode.workspace.fs.stat(uri)).size, name);
		const mimeType = `image/${type === "jpg" ? "jpeg" : type}`;
		return toImage(await vscode.workspace.fs.readFile(uri), { mimeType, name });
	} catch (thrown) {
		if (isFailure(thrown)) throw thrown;
		// As an attachment it says why it cannot be read.
		return undefined;
	}
}
