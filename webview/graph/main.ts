import { render } from "lit";
import type { GraphRequest, GraphUpdate } from "../../src/protocol/graphView.ts";
import { stay } from "../model/state.ts";
import { hear } from "./graphActions.ts";
import { graphPage } from "./graphPage.ts";
import { drawnIn, type GraphAction, OPENING, remember, sharesIn } from "./model.ts";
import { createPicture, type Picture } from "./picture.ts";

/** Number of list rows drawn at first, so that the picture does not wait for rows below the screen. */
const FIRST_ROWS = 40;

declare function acquireVsCodeApi(): { postMessage(request: GraphRequest): void };

const root = document.getElementById("root");
if (!root) throw new Error("The page has no root.");
const dispatch = openPage(root);
window.addEventListener("message", ({ data }: MessageEvent<GraphUpdate>) => dispatch(hear(data)));
dispatch((state) => stay(state, { kind: "ready" }));

function openPage(page: HTMLElement): (action: GraphAction) => void {
	const vscode = acquireVsCodeApi();
	let state = OPENING;
	let picture: Picture | undefined;
	const drawnNow = remember(drawnIn, ["things", "links", "hidden", "way", "looked", "opened"]);
	const sharesNow = remember(sharesIn, ["things", "links"]);
	// Cytoscape adds its own style sheet, which the page's policy blocks, unless a sheet has this id.
	const sheet = document.querySelector('link[href*="graphView.css"]');
	if (sheet) sheet.id = "__________cytoscape_stylesheet";
	let rows = FIRST_ROWS;
	const draw = () => {
		const drawn = drawnNow(state);
		render(graphPage({ state, drawn, shares: sharesNow(state), rows }, take), page);
		const container = document.getElementById("picture");
		if (container) picture ??= createPicture(container, take);
		picture?.show(state, drawn);
		if (rows === FIRST_ROWS && drawn.things.size > 0) {
			rows = Number.POSITIVE_INFINITY;
			requestIdleCallback(draw, { timeout: 1000 });
		}
	};
	function take(action: GraphAction): void {
		const { state: next, requests } = action(state);
		state = next;
		for (const request of requests) vscode.postMessage(request);
		draw();
	}
	// VS Code changes the page's class when the theme changes.
	const theme = { attributes: true, attributeFilter: ["class"] };
	new MutationObserver(() => picture?.restyle()).observe(document.body, theme);
	return take;
}
