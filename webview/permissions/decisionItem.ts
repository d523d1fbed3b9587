import { html, type TemplateResult } from "lit";
import type { Decision } from "../../src/core/permission/permission.ts";
import { icon } from "../parts/elements.ts";
import { exactTime, timeAgo } from "../parts/text.ts";
import { channelOf, decidedText } from "./ruleText.ts";

/** A line of the audit log. */
export function decisionItem({ at, effect, by, request }: Decision, now: number): TemplateResult {
	const allowed = effect === "allow";
	const values = request.arguments.map(({ value }) => value).join(", ");
	return html`<li class="item">
		${icon(allowed ? "pass" : "circle-slash")}
		<div class="lines">
			<span class="words">${request.title || request.tool}</span>
			<span class="dim words"><code>${request.tool}</code> ${values}</span>
			<span class="dim"
				>${decidedText(effect, by)} · ${channelOf(request)}${request.agent ? ` · ${request.agent}` : ""} ·
				<span title=${exactTime(at)}>${timeAgo(at, now)}</span></span
			>
		</div>
	</li>`;
}
