import assert from "node:assert/strict";
import { test } from "node:test";
import { readServerAddress } from "../../src/models/serverAddress.ts";
import type { ModelTrouble } from "../../src/models/troubleOf.ts";
import { times } from "../support/times.ts";
import { openServer } from "./openServer.ts";
import { beats, callPiece, delta, finish, json, sends, stalls, streams, zips } from "./scriptedServer.ts";

const refuses = (status: number, message: string) => json({ error: { message } }, status);

const HALF = Buffer.from('data: {"choices":[{"delta":{"content":"Ö').subarray(0, -1);

type Trouble = readonly [kind: ModelTrouble["kind"], answer: ReturnType<typeof json>, words: RegExp];
const TROUBLES: Readonly<Record<string, Trouble>> = {
	"a refused key": ["keyRefused", refuses(401, "Not sk-secret."), /does not accept the key \(401: Not …\)/],
	"no such model": ["modelUnknown", refuses(404, "no model 'tiny'"), /not know the model "tiny" \(404: no/],
	"a long question": ["contextExceeded", refuses(400, "exceeds the context size"), /longer than "tiny"/],
	"a refused request": ["refused", refuses(400, "must be 1"), /refused the request \(400: must be 1\)/],
	"a server that fails": ["serverFailed", json({ error: "no memory" }, 503), /failed \(503: no memory\)/],
	"an endless line": ["malformed", sends("data: ", Buffer.alloc(9 * 1024 * 1024, 97)), /too large for the/],
	"plain words": ["refused", (response) => response.writeHead(400).end("Be\n\npolite"), /\(400: Be polite\)/],
	"a page": ["malformed", json("<title>", 200, { "content-type": "text/html" }), /not a stream of events\)/],
	"a pause of a year": ["rateLimited", json({}, 429, { "retry-after": "31536000" }), /8760 hours/],
	"half a letter": ["brokenOff", sends(HALF), /cut off/],
	"no blank line": ["malformed", sends(...Array(160).fill("data: 1\n".repeat(8192))), /too large for the/],
	"endless signs of life": ["malformed", zips(": still here\n\n".repeat(700_000)), /too large for the/],
	"calls without end": ["malformed", streams(...times(200, (name) => callPiece(name, {}))), /never stops/],
};

for (const [name, [kind, answer, words]] of Object.entries(TROUBLES))
	test(`${name} is reported with its kind and a message`, async (t) => {
		const { scripted, ask } = await openServer(t, { key: "sk-secret" });
		scripted.play(answer);
		await assert.rejects(ask(), { kind, code: "MODEL_FAILED", message: words });
	});

test("unknown events are ignored, and invalid token counts count as 0", async (t) => {
	const { scripted, ask } = await openServer(t);
	const strange = [null, [], 7, "x", { choices: "x" }, { choices: {} }, { choices: [{ delta: null }] }];
	const calls = ["x", [null], [{ function: null }], [{ id: 7, function: { name: {}, arguments: 1 } }]];
	const others = [{ index: 1, delta: { content: "another answer" }, finish_reason: "stop" }];
	const usages = [{ prompt_tokens: -1 }, { prompt_tokens: "7" }, { completion_tokens: 1e300 }, "x"];
	scripted.play(
		streams(
			...strange,
			...calls.map((tool_calls) => delta({ tool_calls })),
			{ choices: others },
			delta({ content: 7 }),
			delta({ content: [{ type: "thinking" }, { type: "text", text: "Ida" }] }),
			finish("stop"),
			finish("tool_calls"),
			...usages.map((usage) => ({ choices: [], usage })),
		),
	);
	const [text, ...counts] = await ask();
	assert.deepEqual(text, { kind: "text", text: "Ida" });
	assert.deepEqual(counts, Array(4).fill({ kind: "usage", inputTokens: 0, outputTokens: 0 }));
});

test("an answer is read even if its letters, events and line ends are split at any byte", async (t) => {
	const { scripted, ask } = await openServer(t);
	const events = [delta({ content: "Österlund " }), delta({ content: "灯" }), finish("stop")];
	for (const end of ["\n\n", "\r\n\r\n", "\r\r"]) {
		const whole = events.map((event) => `data: ${JSON.stringify(event)}`).join(end);
		// The last event has no blank line after it.
		scripted.play(sends(...[...Buffer.from(`\ufeff${whole}`)].map((byte) => Buffer.from([byte]))));
		const parts = await ask();
		assert.equal(parts.map((part) => part.kind === "text" && part.text).join(""), "Österlund 灯");
	}
});

test("an unreachable address is reported", async (t) => {
	const [address] = readServerAddress("http://127.0.0.1:2");
	const { ask } = await openServer(t, { address });
	await assert.rejects(ask(), { kind: "unreachable", message: /cannot be reached \(ECONNREFUSED\)/ });
});

test("a silent server times out by its pause or the request's limit, even if it sends keep-alives", async (t) => {
	const { scripted, ask } = await openServer(t, { silenceMs: 400 });
	const limits = { tokens: 512, seconds: 0.2 };
	for (const [answer, message, request = {}] of [
		[() => undefined, /"tiny" on .* gave no answer within 0\.2 s/, { limits }],
		[() => undefined, /did not respond for 0\.4 s/],
		[stalls("Ida"), /did not respond for 0\.4 s/],
		[beats(": still here\n\n"), /did not respond for \d\.\d s/],
	] as const) {
		scripted.play(answer);
		await assert.rejects(ask(request), { kind: "silent", message });
		await scripted.asked.at(-1)?.left;
	}
	assert.equal(scripted.asked.length, 4);
});

test("an error omits an invalid key, and escapes links in the server's message", async (t) => {
	const { scripted, ask } = await openServer(t, { key: "sk-\nsecret" });
	await assert.rejects(ask(), (thrown: Error) => !thrown.message.includes("secret"));
	assert.equal(scripted.asked.length, 0);
	const other = await openServer(t);
	other.scripted.play(json({ error: { message: "Go [here](command:evil) $(zap)" } }, 400));
	await assert.rejects(other.ask(), (thrown: Error) => !/\]\(|\$\(/.test(thrown.message));
});
