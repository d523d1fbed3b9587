import type { FoundThing, Neighbourhood } from "../../src/core/knowledge/graph.ts";
import { launchPages } from "../../test/webview/pages.ts";
import type { PictureMeasurement } from "./measurement.ts";
import { reportToParent } from "./program.ts";
import { latencyOf } from "./timing.ts";

const FEW = 300;
const MANY = 10_000;
const RUNS = 10;

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof launchPages>>["openGraph"]>>["page"];

/** Measures the page of the graph in Chromium without a graphics card. */
async function measurePicture(): Promise<PictureMeasurement> {
	const pages = await launchPages();
	const [loads, work]: [number[], number[]] = [[], []];
	const run = async <Result>(count: number, measure: (page: Page, first: number) => Promise<Result>) => {
		const { page, problems } = await pages.openGraph();
		loads.push(
			await page.evaluate<number>("performance.timing.loadEventEnd - performance.timing.fetchStart"),
		);
		const workSoFar = await watchWork(page);
		const first = await draw(page, pictureOf(count));
		if (count === FEW) work.push(await workSoFar());
		const result = await measure(page, first);
		await page.close();
		if (problems.length > 0) throw new Error(problems.join("\n"));
		return result;
	};
	await run(FEW, async () => undefined);
	const [few, many, frames, choices]: [number[], number[], number[], number[]] = [[], [], [], []];
	for (let at = 0; at < RUNS; at++) {
		few.push(await run(FEW, async (_page, first) => first));
		await run(MANY, async (page, first) => {
			many.push(first);
			frames.push(...(await page.evaluate<number[]>(PAN)));
			choices.push(...(await page.evaluate<number[]>(CHOOSE)));
		});
	}
	await pages.browser.close();
	return {
		things: FEW,
		first: latencyOf(few),
		work: latencyOf(work),
		load: latencyOf(loads),
		manyThings: MANY,
		firstOfMany: latencyOf(many),
		frame: latencyOf(frames),
		choice: latencyOf(choices),
	};
}

/** A tree of things around one in the middle, with additional links. */
function pictureOf(count: number): Neighbourhood {
	const place = { uri: "file:///bench/things.ttl", lines: { start: 1, end: 2 } };
	const idOf = (at: number) => `https://bench.example/id/${at}`;
	const things = Array.from(
		{ length: count },
		(_, at): FoundThing => ({
			...{ id: idOf(at), label: `Thing number ${at}`, kind: "thing" },
			...{ types: [`Class ${at % 9}`], place },
		}),
	);
	const links = things.slice(1).flatMap((_, index) => {
		const at = index + 1;
		const ends = [at < FEW ? 0 : Math.floor(at / 20), ...(at % 2 === 0 ? [] : [(at * 7919) % count])];
		return ends.map((end) => ({
			...{ from: idOf(at), to: idOf(end), place },
			property: { id: `https://bench.example/v#p${at % 5}`, label: `property ${at % 5}` },
		}));
	});
	return { things, links, left: 0 };
}

/** Returns a clock of processor milliseconds of the page's main thread, without the painting threads. */
async function watchWork(page: Page): Promise<() => Promise<number>> {
	const inspector = await page.context().newCDPSession(page);
	await inspector.send("Performance.enable", { timeDomain: "threadTicks" });
	const total = async () => {
		const { metrics } = await inspector.send("Performance.getMetrics");
		return 1000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0);
	};
	const before = await total();
	return async () => (await total()) - before;
}

/** Milliseconds from the host's message until the picture is on the screen. */
function draw(page: Page, picture: Neighbourhood): Promise<number> {
	const update = { kind: "shown", picture, focus: [picture.things[0]?.id] };
	return page.evaluate<number>(`new Promise((resolve) => {
		const update = ${JSON.stringify(update)};
		const start = performance.now();
		addEventListener("message", () => requestAnimationFrame(() => requestAnimationFrame(() => {
			const { port1, port2 } = new MessageChannel();
			port1.onmessage = () => resolve(performance.now() - start);
			port2.postMessage(0);
		})), { once: true });
		postMessage(update, "*");
	})`);
}

/** Milliseconds of each frame while the mouse moves the picture. */
const PAN = `(async () => {
	const canvas = document.querySelector("#picture canvas").parentElement;
	const { x, y } = canvas.getBoundingClientRect();
	const send = (target, kind, by) => target.dispatchEvent(new MouseEvent(kind, {
		clientX: x + 5 + by * 8, clientY: y + 5 + by * 5, bubbles: true, button: 0, buttons: 1,
	}));
	const times = [];
	send(canvas, "mousedown", 0);
	for (let at = 0, last = performance.now(); at < 40; at++) {
		send(window, "mousemove", at);
		await new Promise(requestAnimationFrame);
		const now = performance.now();
		times.push(now - last);
		last = now;
	}
	send(window, "mouseup", 40);
	return times;
})()`;

/** Milliseconds from choosing a thing in the list until it is visible. */
const CHOOSE = `(async () => {
	const times = [];
	for (const row of [...document.querySelectorAll(".things .row")].slice(20, 30)) {
		const start = performance.now();
		row.click();
		await new Promise(requestAnimationFrame);
		await new Promise(requestAnimationFrame);
		times.push(performance.now() - start);
	}
	return times;
})()`;

await reportToParent(measurePicture());
