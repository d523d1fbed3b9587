import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { layOutVocabulary } from "./layOutVocabulary.ts";
import { root } from "./paths.ts";

/** `npm run pieces`: lays the vocabulary of the built-in model out as it is read. */
await writeFile(join(root, "media/model/pieces.safetensors"), await layOutVocabulary());
