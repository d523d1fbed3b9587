import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { ASSET_REF_SCHEMA } from "../../../src/core/agent/assetRef.ts";
import type { Tool } from "../../../src/core/agent/tool.ts";
import { answering, scriptedTool } from "../scriptedTool.ts";
import { openEndpoint } from "./openEndpoint.ts";

test("what a session was given it hands on by reference, over all its connections, and no other session does", async (t) => {
	const ref = { type: "string", pattern: ASSET_REF_SCHEMA.pattern };
	const taking: Tool = {
		...scriptedTool("upper", async (input) => ({ text: String(Object(input)["word"]).toUpperCase() })),
		inputSchema: { type: "object", properties: { word: { anyOf: [{ type: "string" }, ref] } } },
	};
	const rows = (session: string) => answering("rows", JSON.stringify({ rows: [{ name: session }] }));
	const opened = await openEndpoint(t, (session) => [rows(session), taking]);
	const connect = async (session: string) => (await opened.connect(session)).client;
	const [anna, again, bo] = [await connect("anna"), await connect("anna"), await connect("bo")];
	const said = async (client: Client, name: string, word = "") =>
		JSON.stringify((await client.callTool({ name, arguments: { word } })).content);
	const given = await said(anna, "rows");
	const [, number = ""] = /this result is asset:\/\/(\d+)/.exec(given) ?? [];
	assert.notEqual(number, "", given);
	const name = `asset://${number}/rows/0/name`;
	assert.match(await said(anna, "upper", name), /"ANNA/);
	assert.match(await said(again, "upper", `<|${name}|>`), /"ANNA/);
	assert.match(await said(anna, "upper", `asset://${number}/rows/0/age`), /there are: name/);
	assert.doesNotMatch(await said(bo, "upper", name), /ANNA/);
	// A session that goes on later has what it was given before.
	opened.endpoint.revoke("anna");
	const later = await connect("anna");
	assert.match(await said(later, "upper", name), /"ANNA/);
});
