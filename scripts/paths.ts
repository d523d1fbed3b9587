import { join } from "node:path";

/** The repository's root. */
export const root = join(import.meta.dirname, "..");
/** Downloads, and the profile of the VS Code that `npm start` opens; kept between runs. */
export const cacheFolder = join(root, ".vscode-test");
/** Builds for development and tests, and artifacts of tests. */
export const outFolder = join(root, "out");
export const sampleFolder = join(root, "media", "sample");
/** The built extension with the tests' model. */
export const scriptedModelFolder = join(outFolder, "scriptedModel");
/** The built extension that offers the model of an endpoint. */
export const endpointModelFolder = join(outFolder, "endpointModel");
