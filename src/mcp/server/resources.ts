import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import {
	CompleteRequestSchema,
	ErrorCode,
	ListResourcesRequestSchema,
	ListResourceTemplatesRequestSchema,
	McpError,
	ReadResourceRequestSchema,
	type ServerNotification,
	type ServerRequest,
} from "@modelcontextprotocol/sdk/types.js";
import { isFailure } from "../../base/failure.ts";
import type { Things } from "../../core/knowledge/graph.ts";

export type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** Channel whose policies decide which resources clients see. */
const channel = "mcp" as const;
const PAGE = 200;
/** Maximum number of completions that the protocol allows. */
const COMPLETIONS = 100;
const CHARACTERS = 40_000;
const NOT_FOUND = -32002;
const mimeType = "text/plain";

const ONTOLOGY = {
	uri: "copilot-ld://ontology",
	name: "ontology",
	title: "Ontology",
	description: "The classes and properties in use, with counts and examples.",
	mimeType,
};

const DOCUMENT = "copilot-ld://document/";
const THING = "copilot-ld://thing/";

const TEMPLATES = [
	{
		uriTemplate: `${DOCUMENT}{+path}`,
		name: "document",
		title: "Document",
		description: "A file of the index, after its citation; with lines, only these: docs/a.md:10-40.",
		mimeType,
	},
	{
		uriTemplate: `${THING}{name}`,
		name: "thing",
		title: "Thing",
		description: "All that the documents say about a thing, by its IRI or its exact label.",
		mimeType,
	},
];

/** Serves documents, resources and the ontology. Returns a function that reports changes to the client. */
export function serveResources(
	server: Server,
	things: Things,
	read: (tool: string, input: object, extra: Extra) => Promise<string>,
) {
	let isListed = false;
	server.setRequestHandler(ListResourcesRequestSchema, async ({ params }, { signal }) => {
		isListed = true;
		const after = params?.cursor;
		const page = { words: "", limit: PAGE, channel, ...(after !== undefined && { after }) };
		const { paths, isCut } = await things.documents(page, signal);
		const last = paths.at(-1);
		return {
			resources: [...(after === undefined ? [ONTOLOGY] : []), ...paths.map(resourceAt)],
			...(isCut && last !== undefined && { nextCursor: last }),
		};
	});
	server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: TEMPLATES }));
	server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }, extra) => {
		const [tool, input] = callFor(uri);
		try {
			return { contents: [{ uri, mimeType, text: await read(tool, input, extra) }] };
		} catch (thrown) {
			if (!isFailure(thrown)) throw thrown;
			const code = thrown.code === "NOT_FOUND" ? NOT_FOUND : ErrorCode.InvalidParams;
			throw new McpError(code, thrown.message, { uri, code: thrown.code });
		}
	});
	server.setRequestHandler(CompleteRequestSchema, async ({ params: { ref, argument } }, { signal }) => {
		if (ref.type === "ref/prompt") return { completion: { values: [] } };
		return { completion: await complete(ref.uri, argument.value, { things, signal }) };
	});
	// Only clients that listed resources are told of changes. Errors of a closed connection are ignored.
	return () => void (isListed && server.sendResourceListChanged().catch(() => undefined));
}

function resourceAt(path: string) {
	const uri = DOCUMENT + path.split("/").map(encodeURIComponent).join("/");
	return { uri, name: path, mimeType };
}

function callFor(uri: string): [tool: string, input: object] {
	if (uri === ONTOLOGY.uri) return ["describe_ontology", {}];
	const start = [DOCUMENT, THING].find((one) => uri.startsWith(one) && uri.length > one.length);
	if (start === undefined) throw new McpError(NOT_FOUND, `There is no resource ${uri}.`, { uri });
	return ["read_resource", { target: decoded(uri.slice(start.length)), maxCharacters: CHARACTERS }];
}

/** Decodes a path. Returns an invalid encoding unchanged, because clients may pass plain paths. */
function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

async function complete(
	uriTemplate: string,
	begun: string,
	{ things, signal }: { readonly things: Things; readonly signal: AbortSignal },
) {
	const wanted = { words: begun, limit: COMPLETIONS, channel };
	const { name } = TEMPLATES.find((one) => one.uriTemplate === uriTemplate) ?? {};
	if (name === "document") {
		const { paths, isCut } = await things.documents(wanted, signal);
		return { values: [...paths], hasMore: isCut };
	}
	if (name !== "thing") throw new McpError(ErrorCode.InvalidParams, `Nothing completes ${uriTemplate}.`);
	const isIri = begun.includes(":");
	const named = { ...wanted, kinds: ["thing"] as const, ...(isIri && { words: "", within: begun }) };
	const found = await things.find(named, signal);
	const values = found.map(({ id, label }) => (isIri ? id : label));
	return { values: [...new Set(values)], hasMore: found.length === COMPLETIONS };
}
