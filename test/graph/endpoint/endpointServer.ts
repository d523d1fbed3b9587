import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { TestContext } from "node:test";
import { Store } from "oxigraph";
import { createEndpointGraph, type EndpointOptions } from "../../../src/graph/endpoint/endpointGraph.ts";
import { portOf } from "../../support/listening.ts";

const PREFIX = "PREFIX : <http://example.org/> ";
const never = new AbortController().signal;
const store = new Store();
store.load(
	`@prefix : <http://example.org/> .
:ada a :Person ; :name "Ada", "Ada"@EN ; :age 36 ; :knows :grace, [ :name "A friend" ] .
:grace a :Person ; :name "Grace \\"Amazing\\"\\nHopper" .
:london a :City ; :name "London" .
:norway :capital :london .`,
	{ format: "text/turtle" },
);

export type Answer = (request: IncomingMessage, response: ServerResponse, query: string) => void;

/** A graph of an endpoint that answers with `answer`, and the queries that the endpoint receives. */
export async function serve(test: TestContext, answer = answerQuery, options?: Partial<EndpointOptions>) {
	const queries: string[] = [];
	const server = createServer(async (request, response) => {
		const body = (await request.setEncoding("utf8").toArray()).join("");
		const query = new URLSearchParams(body).get("query") ?? "";
		queries.push(query);
		answer(request, response, query);
	});
	const host = `127.0.0.1:${await portOf(test, server)}`;
	const graph = createEndpointGraph({ endpoint: `http://${host}/sparql`, ...options });
	type Options = { limit?: number; signal?: AbortSignal };
	const ask = async (sparql: string, { limit, signal = never }: Options = {}) =>
		graph.query({ sparql: PREFIX + sparql, ...(limit && { limit }) }, signal);
	return {
		...{ graph, queries, host, server, ask },
		check: (sparql: string) => graph.check({ sparql: PREFIX + sparql }, never),
		ontology: () => graph.ontology({}, never),
	};
}

export const answerQuery: Answer = ({ headers, method }, response, query) => {
	const form = "application/x-www-form-urlencoded;charset=UTF-8";
	assert.deepEqual([method, headers["content-type"]], ["POST", form]);
	const [accept = ""] = (headers.accept ?? "").split(",");
	const format = accept === "application/n-triples" ? accept : "json";
	try {
		const text = String(store.query(query, { results_format: format }));
		response.setHeader("content-type", `${accept}; charset=utf-8`).end(text);
	} catch (thrown) {
		response.writeHead(400, { "content-type": "text/plain" }).end(String(thrown));
	}
};

export const writeBody =
	(type: string, body: string, status = 200): Answer =>
	(_, response) =>
		response.writeHead(status, { "content-type": type }).end(body);
