import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { provenBy } from "../../scripts/acpLedger/provenBy.ts";

const ledger = readFileSync("docs/acp-ledger.md", "utf8");

test("the ledger describes the CLI version under test (npm run acp-ledger updates it)", () => {
	const { version } = JSON.parse(readFileSync("node_modules/@github/copilot/package.json", "utf8"));
	assert.ok(ledger.includes(`CLI ${version}`));
});

for (const [name, proofs] of Object.entries(provenBy))
	test(`the tests named as proof for ${name} exist and are in the ledger`, () => {
		assert.ok(ledger.includes(`\`${name}\``));
		for (const { file, title } of proofs) {
			assert.ok(readFileSync(`test/acp/${file}`, "utf8").includes(`"${title}"`), title);
			assert.ok(ledger.includes(title), title);
		}
	});
