import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { layOutVocabulary } from "./layOutVocabulary.ts";
import { root } from "./paths.ts";

/** `npm run pieces`: writes the vocabulary of the built-in model in the format that the program reads. */
await writeFile(join(root, "media/model/pieces.safetensors"), await layOutVocabulary());
