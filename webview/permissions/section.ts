import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../parts/elements.ts";

interface SectionHead {
	readonly title: string;
	readonly count?: number | undefined;
	readonly actions?: TemplateResult;
}

export function section({ title, count, actions }: SectionHead, content: TemplateResult): TemplateResult {
	return html`<section class="section" aria-label=${title}>
		${actions ? html`<div class="section-actions">${actions}</div>` : nothing}
		<details open>
			<summary>
				${icon("chevron-right")}
				<h2>${title}</h2>
				${count === undefined ? nothing : html`<span class="dim">${count}</span>`}
			</summary>
			${content}
		</details>
	</section>`;
}
