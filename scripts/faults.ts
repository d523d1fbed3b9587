import { execFile } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { posix } from "node:path";
import { parseSync } from "oxc-parser";
import { createDice } from "../test/support/random.ts";
import { root } from "./paths.ts";

const FAULTS = 40;
/** Number of faults proposed for a place in each round, since the types rule some out. */
const SPARE = 4;
const LIMIT_MS = 180_000;
const TEST_MS = 90_000;
/** Constants from this value on are limits or times, in which a difference of one is not a fault. */
const LARGEST = 21;

/** Faults without observable effect, with the reason; others are chosen instead. */
const EQUIVALENT: Readonly<Record<string, string>> = {
	"src/knowledge/rdf/jsonLd/jsonLd.ts: 0 → 1": "a maximum that matters only if it is large",
	"src/loads/skillFiles.ts: 1 → 2": "only the first line of those split is taken",
	"src/knowledge/texts/subtitles.ts: first.said.lines, cue.said.lines → cue.said.lines, first.said.lines":
		"the span of two ranges is the same either way",
	"src/sessions/openSessions.ts: await overview.refresh() → void overview.refresh()":
		"only tests wait for it",
	"src/store/tables/query.ts: 0 → 1": "a least size is above both",
	"src/store/tables/columns.ts: 8 → 9": "a bitmap with unused bytes at its end",
	"src/evidence/places.ts: offset < start + length → offset <= start + length":
		"no figure begins with the line break, tab or bar that follows",
	"src/worker/files/refusal.ts: 12 → 13": "a time limit that is a twelfth longer",
};

type Span = Readonly<Record<"start" | "end", number>>;

interface Fault extends Span, Readonly<Record<"file" | "kind" | "before" | "after", string>> {
	readonly line: number;
}

interface Node extends Span {
	readonly type: string;
	readonly [child: string]: unknown;
}

type Change = readonly [kind: string, part: Span, after: string];

const sources = new Map(
	globSync(["src/**/*.{ts,tsx}", "test/**/*.ts"], { cwd: root })
		.map((file) => file.replaceAll("\\", "/"))
		.sort()
		.map((file) => [file, readFileSync(posix.join(root, file), "utf8")]),
);
const broken = new Set<string>();

function keyOf({ file, before, after }: Fault): string {
	return `${file}: ${before} → ${after}`.replaceAll(/\s+/g, " ");
}

function breakIt({ file, start, end, after }: Fault): void {
	broken.add(file);
	const source = sources.get(file) as string;
	writeFileSync(posix.join(root, file), source.slice(0, start) + after + source.slice(end));
}

function restore(): void {
	for (const file of broken) writeFileSync(posix.join(root, file), sources.get(file) as string);
	broken.clear();
}

/** All faults that can be put into a file. */
function faultsIn(file: string, source: string): readonly Fault[] {
	const found: Fault[] = [];
	const visit = (node: Node): void => {
		if (node.type.startsWith("TS") && node.type !== "TSAsExpression") return;
		for (const [kind, { start, end }, after] of changesOf(node, source)) {
			const before = source.slice(start, end);
			const line = source.slice(0, start).split("\n").length;
			found.push({ file, line, kind, start, end, before, after });
		}
		for (const child of childrenOf(node)) visit(child);
	};
	visit(parseSync(file, source).program as unknown as Node);
	return found;
}

function childrenOf(node: Node): readonly Node[] {
	return Object.values(node)
		.flat()
		.filter((child): child is Node => typeof child === "object" && child !== null && "type" in child);
}

function changesOf(node: Node, source: string): readonly Change[] {
	const text = ({ start, end }: Node) => source.slice(start, end);
	const test = node["test"] as Node | null | undefined;
	if (test && /^(If|While|Conditional)/.test(node.type)) return [["inverted", test, `!(${text(test)})`]];
	const spoken = node["expression"] as Node | undefined;
	if (node.type === "ExpressionStatement" && spoken?.type === "AwaitExpression")
		return [["no await", spoken, `void ${text(spoken["argument"] as Node)}`]];
	if (node.type === "CallExpression") return swapped(node["arguments"] as Node[], text);
	if (node.type === "BinaryExpression") return shifted(node, text);
	const value = Number.isInteger(node["value"]) ? (node["value"] as number) : LARGEST;
	if (value < LARGEST) return [["off by one", node, String(value + 1)]];
	return emptied(node);
}

function swapped(args: readonly Node[], text: (node: Node) => string): readonly Change[] {
	return args.slice(1).flatMap((second, at): Change[] => {
		const first = args[at] as Node;
		if (first.type !== second.type || !/^(Identifier|Literal|MemberExpression)$/.test(first.type)) return [];
		if (typeof first["value"] !== typeof second["value"] || text(first) === text(second)) return [];
		return [["swapped", { start: first.start, end: second.end }, `${text(second)}, ${text(first)}`]];
	});
}

function shifted(node: Node, text: (node: Node) => string): readonly Change[] {
	const operator = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" }[node["operator"] as string];
	const after = `${text(node["left"] as Node)} ${operator} ${text(node["right"] as Node)}`;
	return operator ? [["off by one", node, after]] : [];
}

/** Empties the body of a function; the types rule this out unless it returns nothing. */
function emptied(node: Node): readonly Change[] {
	const body = node["body"] as Node | null | undefined;
	if (!/Function/.test(node.type) || body?.type !== "BlockStatement") return [];
	const isVoid = (inside: Node): boolean =>
		/Function/.test(inside.type) ||
		(!(inside.type === "ReturnStatement" && inside["argument"]) && childrenOf(inside).every(isVoid));
	return (body["body"] as Node[]).length > 0 && isVoid(body) ? [["emptied", body, "{}"]] : [];
}

interface Place {
	readonly faults: readonly Fault[];
	proposed: readonly Fault[];
	fault: Fault | undefined;
}

/** Chooses at least one place for each folder of `src`, and the rest by size. */
function choosePlaces(): readonly Place[] {
	const files = [...sources.keys()].filter((file) => /^src\/(?!base\/kernels\/)[^/]+\//.test(file));
	const modules = Object.groupBy(files, (file) => file.split("/")[1] as string);
	const sizes = Object.values(modules).map((files = []) => ({
		faults: files.flatMap((file) => faultsIn(file, sources.get(file) as string)),
		size: files.reduce((sum, file) => sum + (sources.get(file) as string).split("\n").length, 0),
		places: 1,
	}));
	for (let left = FAULTS - sizes.length; left > 0; left--) {
		const largest = sizes.toSorted((a, b) => b.size / (b.places + 1) - a.size / (a.places + 1))[0];
		if (largest) largest.places++;
	}
	return sizes.flatMap(({ faults, places }) =>
		Array.from({ length: places }, () => ({ faults, proposed: [], fault: undefined })),
	);
}

/** Chooses a fault so that all kinds are equally likely. */
function chooseFault(faults: readonly Fault[], used: Set<string>, dice: ReturnType<typeof createDice>) {
	const unused = faults.filter(({ file }) => !used.has(file));
	const kinds = Object.values(Object.groupBy(unused, ({ kind }) => kind));
	const ofKind = kinds[dice(kinds.length)];
	const fault = ofKind?.[dice(ofKind.length)];
	if (fault) used.add(fault.file);
	return fault ? [fault] : [];
}

/** Chooses the first fault of each place that compiles; compiles faults of different files together. */
async function chooseFaults(seed: number): Promise<readonly Fault[]> {
	const dice = createDice(seed);
	const places = choosePlaces();
	for (let round = 0; round < 5 && places.some(({ fault }) => !fault); round++) {
		const used = new Set(places.flatMap(({ fault }) => fault?.file ?? []));
		const open = places.filter(({ fault }) => !fault);
		for (const place of open)
			place.proposed = Array.from({ length: SPARE }, () => chooseFault(place.faults, used, dice)).flat();
		const wrong = await wrongFiles(open.flatMap(({ proposed }) => proposed));
		for (const place of open)
			place.fault = place.proposed.find((one) => !wrong.has(one.file) && !(keyOf(one) in EQUIVALENT));
	}
	return places.flatMap(({ fault }) => fault ?? []);
}

async function wrongFiles(faults: readonly Fault[]): Promise<ReadonlySet<string>> {
	const options = ["-p", ".", "--noUnusedLocals", "false", "--noUnusedParameters", "false"];
	for (const fault of faults) breakIt(fault);
	const printed = await run(["node_modules/typescript/bin/tsc", ...options], 0);
	restore();
	return new Set((printed ?? "").split("\n").map((line) => line.split("(")[0] as string));
}

const imports = new Map([...sources].map(([file, source]) => [file, importsOf(file, source)]));

function importsOf(file: string, source: string): readonly string[] {
	const values = source.replaceAll(/^import type [^;]*;/gm, "");
	return [...values.matchAll(/"((?:\.{1,2}|src)\/[^"]+\.tsx?)"/g)].map(([, path = ""]) =>
		path.startsWith("src/") ? path : posix.join(posix.dirname(file), path),
	);
}

/** Tests that import the file: first those of its folder or with at most one file between, then the rest. */
function testsOf(file: string): readonly string[] {
	const distances = new Map([[file, 0]]);
	for (const [near, distance] of distances)
		for (const [from, to] of imports)
			if (to.includes(near) && !distances.has(from)) distances.set(from, distance + 1);
	const folder = `test/${file.split("/")[1]}/`;
	const isFar = (test: string) => !test.startsWith(folder) && (distances.get(test) ?? 0) > 2;
	const tests = [...distances.keys()].filter((test) => test.endsWith(".test.ts"));
	return tests.toSorted((a, b) => Number(isFar(a)) - Number(isFar(b)));
}

/** The first failure of a test; a timeout is a failure too. */
async function failureIn(test: string): Promise<string | undefined> {
	const args = ["--import", "./test/support/tsxHook.ts", "--test-reporter=tap", test];
	const printed = await run(args, TEST_MS);
	return printed === undefined ? "does not end" : /^\s*not ok \d+ - (.*)/m.exec(printed)?.[1];
}

/** The output of a program; `undefined` if it was killed. */
function run(args: readonly string[], timeout: number): Promise<string | undefined> {
	const options = { cwd: root, timeout, killSignal: "SIGKILL" } as const;
	return new Promise((resolve) =>
		execFile(process.execPath, args, options, (error, printed) =>
			resolve(error?.killed ? undefined : printed),
		),
	);
}

/** Runs tests one by one, the nearest first; ignores tests that fail without the fault, too. */
async function caughtBy(fault: Fault): Promise<string | undefined> {
	const until = performance.now() + LIMIT_MS;
	for (const test of testsOf(fault.file)) {
		if (performance.now() > until) break;
		breakIt(fault);
		const failed = await failureIn(test);
		restore();
		if (failed !== undefined && (await failureIn(test)) === undefined) return `${test}: ${failed}`;
	}
	return undefined;
}

for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));
process.on("exit", restore);
/** If `only` is given, only these files get faults. */
const [seed = "1", ...only] = process.argv.slice(2);
const all = await chooseFaults(Number(seed));
const faults = all.filter(({ file }) => only.length === 0 || only.includes(file));
let caught = 0;
for (const fault of faults) {
	const by = await caughtBy(fault);
	if (by !== undefined) caught++;
	const title = `${fault.file}:${fault.line} ${fault.kind}: ${keyOf(fault).slice(fault.file.length + 2)}`;
	console.log(by === undefined ? `missed ${title}` : `caught ${title} (${by})`);
}
console.log(`${caught} of ${faults.length} faults were caught.`);
