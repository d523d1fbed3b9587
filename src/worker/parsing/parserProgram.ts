import { constants, setPriority } from "node:os";
import { isFailure, messageOf } from "../../base/failure.ts";
import { programOf } from "../../base/programOf.ts";
import { openStaticEmbedder } from "../../embed/builtIn/staticEmbedder.ts";
import type { AnyTask, ParserMessage, ParserOptions, ParserRequest, Tasks } from "./parserMessage.ts";
import { startProcessorClock } from "./processorClock.ts";
import { createPassageReader, readDocument } from "./readDocument.ts";
import { renameInFile } from "./renameInFile.ts";

// A parser process reads one file at a time, so that a hostile file harms no other file. The low priority lets
// questions and the editor go first.
setPriority(constants.priority.PRIORITY_LOW);
process.once("disconnect", () => process.exit());
void serve(JSON.parse(process.argv[2] ?? "{}"));

async function serve({ modelFolder }: ParserOptions): Promise<void> {
	const embedder = modelFolder === undefined ? undefined : await openStaticEmbedder(modelFolder);
	const reader = createPassageReader(embedder);
	const clock = startProcessorClock(programOf("clockThread", "clockThread.ts"));
	process.on("message", async (request: ParserRequest) => {
		clock.begin();
		const message = await answer(request, reader);
		clock.end();
		tell(message);
	});
	tell({ kind: "ready" });
}

/** Ignores errors, because the end of the worker also ends this process. */
function tell(message: ParserMessage): void {
	process.send?.(message, undefined, {}, () => undefined);
}

async function answer(
	request: ParserRequest,
	reader: ReturnType<typeof createPassageReader>,
): Promise<ParserMessage> {
	try {
		if ("task" in request) return { kind: "done", output: await doTask(request) };
		return { kind: "answer", answer: await readDocument(request, reader) };
	} catch (thrown) {
		return { kind: isFailure(thrown) ? "refused" : "broken", reason: messageOf(thrown) };
	}
}

async function doTask(request: AnyTask): Promise<Tasks[keyof Tasks]["output"]> {
	if (request.task === "rename") return renameInFile(request.input);
	const { validateShapes } = await import("../../graph/shapes/validateShapes.ts");
	return validateShapes(request.input);
}
