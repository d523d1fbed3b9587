import { openStaticEmbedder } from "../../src/embed/builtIn/staticEmbedder.ts";
import { MODEL_FOLDER } from "./corpus.ts";
import type { ModelMeasurement } from "./measurement.ts";
import { reportToParent } from "./program.ts";
import { residentMb, timed, timeEach } from "./timing.ts";

const TEXTS = 1000;

/** Measures the built-in model in a process of its own. */
async function measureModel(): Promise<ModelMeasurement> {
	const before = residentMb();
	const { ms: loadMs, result: embedder } = await timed(() => openStaticEmbedder(MODEL_FOLDER));
	const loadedMb = residentMb() - before;
	const { ms: englishMs } = await timed(() => embedder.embed(["The keeper winds the clock."]));
	const englishMb = residentMb() - before;
	const { ms: otherMs } = await timed(() => embedder.embed(["Der Wärter zieht die große Uhr auf."]));
	const otherMb = residentMb() - before;
	const texts = Array.from({ length: TEXTS }, (_, at) => [
		`The keeper of light ${at} winds the clock at ${at}.`,
	]);
	const question = await timeEach(texts, (text) => embedder.embed(text));
	return { loadMs, loadedMb, englishMs, englishMb, otherMs, otherMb, question };
}

await reportToParent(measureModel());
