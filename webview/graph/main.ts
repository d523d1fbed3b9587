import { html, nothing, render, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { FoundThing } from "../../src/core/knowledge/graph.ts";
import type { GraphRequest, GraphUpdate } from "../../src/protocol/graphView.ts";
import { stay } from "../model/state.ts";
import { action, focusByKey, icon, searchField } from "../parts/elements.ts";
import { amounts, l10n, numeral } from "../parts/l10n.ts";
import * as actions from "./graphActions.ts";
import {
	type Drawn,
	drawnIn,
	type GraphAction,
	type GraphState,
	looksIn,
	OPENING,
	remember,
	type Shares,
	sharesIn,
} from "./model.ts";
import { createPicture, type Picture } from "./picture.ts";

/** Number of list rows drawn at first, so that the picture does not wait for rows below the screen. */
const FIRST_ROWS = 40;

declare function acquireVsCodeApi(): { postMessage(request: GraphRequest): void };

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

type Dispatch = (action: GraphAction) => void;

interface Shown {
	readonly state: GraphState;
	readonly drawn: Drawn;
	readonly shares: Shares;
	readonly rows: number;
}

const MOST_LINKS = 300;

/** Renders the page. The list contains everything in the picture, for the keyboard and for screen readers. */
function graphPage(shown: Shown, dispatch: Dispatch): TemplateResult {
	const { state } = shown;
	return html`${toolbar(state, dispatch)}
		<main class="halves">
			<div id="picture" aria-hidden="true"></div>
			<aside class="side" aria-label=${l10n.t("Things")}>${filters(shown, dispatch)} ${list(shown, dispatch)} ${details(shown, dispatch)}</aside>
		</main>
		<div class="said" role="status" aria-live="polite">${state.message}</div>`;
}

function toolbar({ words, found }: GraphState, dispatch: Dispatch): TemplateResult {
	return html`<header class="tools">
		<h1 class="spoken">${l10n.t("Graph")}</h1>
		${searchField("search", l10n.t("Find a thing"), words, (typed) => dispatch(actions.search(typed)))}
		${action("globe", l10n.t("Overview"), () => dispatch(actions.showOverview))}
		${action("layout", l10n.t("Lay Out Again"), () => dispatch(actions.layOutAgain))}
		${
			found.length > 0
				? html`<ul class="found" aria-label=${l10n.t("Found")}>
						${found.map((thing) => row(named(thing), () => dispatch(actions.chooseFound(thing.id))))}
					</ul>`
				: nothing
		}
	</header>`;
}

function filters({ state, shares }: Shown, dispatch: Dispatch): TemplateResult {
	const { hidden } = state;
	const { classes, properties } = shares;
	const looks = looksIn(state);
	const sign = (name: string) =>
		looks.has(name) ? html`<span class="sign ${looks.get(name)}" aria-hidden="true"></span>` : nothing;
	const boxes = (all: Shares["classes"]) =>
		all.map(
			({ name, label, count }) =>
				html`<label class="filter"
					><input type="checkbox" .checked=${!hidden.has(name)} @change=${() => dispatch(actions.toggleFilter(name))} />
					${sign(name)} ${label} <span class="quiet">${count}</span></label
				>`,
		);
	return html`<details open>
		<summary>${l10n.t("Legend and Filter")}</summary>
		<fieldset><legend>${l10n.t("Classes")}</legend>${boxes(classes)}</fieldset>
		<fieldset><legend>${l10n.t("Properties")}</legend>${boxes(properties)}</fieldset>
	</details>`;
}

/** Lists groups first, so that keyboard users reach them before a hundred resources. */
function list({ state, drawn, rows: most }: Shown, dispatch: Dispatch): TemplateResult {
	const things = [...drawn.things.values()].sort((a, b) => (a.label < b.label ? -1 : 1));
	const rows = [...drawn.groups, ...things].slice(0, most);
	const rowOf = (item: Drawn["groups"][number] | FoundThing) =>
		"count" in item ? groupRow(item, dispatch) : thingRow(item, state, dispatch);
	return html`<ul class="things" aria-label=${l10n.t("Things in the picture")} @keydown=${(event: KeyboardEvent) => focusByKey(event, ".row", ["ArrowUp", "ArrowDown"])}>
		${repeat(rows, ({ id }) => id, rowOf)}
	</ul>`;
}

function groupRow({ name, count }: Drawn["groups"][number], dispatch: Dispatch): TemplateResult {
	const content = html`${icon("chevron-right")} ${name} <span class="quiet">${amounts.things(count)}</span>`;
	return row(content, () => dispatch(actions.openGroup(name)), { title: l10n.t("Show More of {0}", name) });
}

function thingRow(thing: FoundThing, { selected }: GraphState, dispatch: Dispatch): TemplateResult {
	const { id } = thing;
	const expand = () => dispatch(actions.expand(id));
	return row(named(thing), () => dispatch(actions.choose(id)), { isCurrent: id === selected, expand });
}

function named({ label, types }: FoundThing): TemplateResult {
	return html`${label} <span class="quiet">${types.join(", ")}</span>`;
}

interface RowOptions {
	readonly title?: string;
	readonly isCurrent?: boolean;
	expand?(): void;
}

function row(
	content: TemplateResult,
	choose: () => void,
	{ title, isCurrent, expand }: RowOptions = {},
): TemplateResult {
	return html`<li>
		<button type="button" class="row" title=${title ?? nothing} aria-current=${isCurrent ?? nothing} @click=${choose} @dblclick=${expand}>
			${content}
		</button>
	</li>`;
}

function details({ state, drawn, rows }: Shown, dispatch: Dispatch): TemplateResult {
	const thing = state.selected === undefined ? undefined : state.things.get(state.selected);
	if (!thing) return html`<p class="quiet">${l10n.t("Select a thing to see its links.")}</p>`;
	const { id, label, place } = thing;
	const links = drawn.all.filter(({ from, to }) => from === id || to === id);
	const button = (words: string, action: GraphAction) =>
		html`<button type="button" @click=${() => dispatch(action)}>${words}</button>`;
	return html`<section class="details" aria-label=${l10n.t("Selected thing")}>
		<h2>${label}</h2>
		<p class="quiet iri">${id}</p>
		<p class="buttons">
			${button(l10n.t("Expand"), actions.expand(id))}
			${place ? button(l10n.t("Open Lines"), actions.openLines(id)) : nothing}
			${button(l10n.t("Path to…"), actions.beginPath(id))}
		</p>
		<ul class="links" aria-label=${l10n.t("Links")}>
			${links.slice(0, Math.min(rows, MOST_LINKS)).map((link) => linkRow(link, state, dispatch))}
		</ul>
		${links.length > MOST_LINKS ? html`<p class="quiet">${l10n.t("{0} more links are not listed.", numeral(links.length - MOST_LINKS))}</p>` : nothing}
	</section>`;
}

function linkRow(link: GraphState["links"][number], state: GraphState, dispatch: Dispatch): TemplateResult {
	const { from, to, property } = link;
	const { selected, things } = state;
	const [way, other] = from === selected ? [`${property.label} →`, to] : [`← ${property.label}`, from];
	const content = html`<span class="quiet">${way}</span> ${things.get(other)?.label ?? other}`;
	return row(content, () => dispatch(actions.select(other)));
}

const root = document.getElementById("root");
if (!root) throw new Error("The page has no root.");
const dispatch = openPage(root);
window.addEventListener("message", ({ data }: MessageEvent<GraphUpdate>) => dispatch(actions.hear(data)));
dispatch((state) => stay(state, { kind: "ready" }));
