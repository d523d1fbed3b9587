import { join } from "node:path";

/** The repository's root. */
export const root = join(import.meta.dirname, "..");
/** Downloads, and the profile of the VS Code that `npm start` opens; kept between runs. */
export const cacheFolder = join(root, ".vscode-test");
/** What is built for development and tests, and what tests leave to look at. */
export const outFolder = join(root, "out");
export const sampleFolder = join(root, "media", "sample");
/** The extension of the tests' model, as it is built. */
export const scriptedModelFolder = join(outFolder, "scriptedModel");
/** The extension that offers the model of an endpoint, as it is built. */
export const endpointModelFolder = join(outFolder, "endpointModel");
