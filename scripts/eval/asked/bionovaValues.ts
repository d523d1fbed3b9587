import { named, PLATFORM } from "./bionovaPatterns.ts";
import { extreme, type Template } from "./templates.ts";

export const BIONOVA_VALUES: readonly Template[] = [
	{
		kind: "both",
		asks: ["Which events did both {a} and {b} attend?", "Which events did {a} and {b} attend?"],
		fill: `?e a s:Event ; s:attendee ?a, ?b . ${named("a")} ${named("b")} FILTER(STR(?a) < STR(?b))`,
		truth: "?x a s:Event ; s:attendee {a}, {b}",
	},
	{
		kind: "both",
		asks: [
			"Which projects about {a} does {b} contribute to?",
			"Which projects about {a} have the contributor {b}?",
		],
		fill: `?p a s:Project ; s:about ?a ; s:contributor ?b . ${named("a")} ${named("b")}`,
		truth: "?x a s:Project ; s:about {a} ; s:contributor {b}",
	},
	{
		kind: "both",
		asks: ["Which trials of {a} are {b}?", "Which trials that study {a} have the status {b}?"],
		fill: `?t a s:MedicalTrial ; s:studySubject ?a ; s:status ?b . ${named("a")}`,
		truth: "?x a s:MedicalTrial ; s:studySubject {a} ; s:status {b}",
	},
	{
		kind: "either",
		asks: ["Which trials study {a} or {b}?", "How many trials study {a} or {b}?"],
		fill: `?t s:studySubject ?a . ?u s:studySubject ?b . ${named("a")} ${named("b")} FILTER(STR(?a) < STR(?b))`,
		truth: "VALUES ?d {{a} {b}} ?x a s:MedicalTrial ; s:studySubject ?d",
	},
	{
		kind: "either",
		asks: ["Which events did {a} or {b} attend?", "Which events did either {a} or {b} attend?"],
		fill: `?e a s:Event ; s:attendee ?a, ?b . ${named("a")} ${named("b")} FILTER(STR(?a) < STR(?b))`,
		truth: "VALUES ?d {{a} {b}} ?x a s:Event ; s:attendee ?d",
	},
	{
		kind: "negation",
		asks: ["Which events did {a} not attend?", "Which events are not attended by {a}?"],
		fill: `?e a s:Event ; s:attendee ?a . ${named("a")}`,
		truth: "?x a s:Event . FILTER NOT EXISTS {?x s:attendee {a}}",
	},
	{
		kind: "negation",
		asks: [
			"Which software applications do not require {a}?",
			"How many software applications do not require {a}?",
		],
		fill: PLATFORM,
		truth: "?x a s:SoftwareApplication . FILTER NOT EXISTS {?x s:softwareRequirements {a}}",
	},
	{
		kind: "negation",
		asks: [
			"Which projects have no end date?",
			"Which projects are without an end date?",
			"How many projects do not have an end date?",
		],
		truth: "?x a s:Project . FILTER NOT EXISTS {?x s:endDate ?any}",
	},
	{
		kind: "limit",
		asks: [
			"Which blog posts were published after {a}?",
			"How many blog posts were published after {a}?",
			"Which blog posts have been published after {a}?",
		],
		fill: '?b a s:BlogPosting ; s:datePublished ?a . FILTER(STR(?a) > "2024-06")',
		truth: "?x a s:BlogPosting ; s:datePublished ?d . FILTER(STR(?d) > STR({a}))",
	},
	{
		kind: "limit",
		asks: ["Which reviews were published before {a}?", "How many reviews were published before {a}?"],
		fill: "?b a s:Review ; s:datePublished ?a .",
		truth: "?x a s:Review ; s:datePublished ?d . FILTER(STR(?d) < STR({a}))",
	},
	{
		kind: "limit",
		asks: ["Which roles started since {a}?", "Which roles have a start date of at least {a}?"],
		fill: "?b a s:Role ; s:startDate ?a .",
		truth: "?x a s:Role ; s:startDate ?d . FILTER(STR(?d) >= STR({a}))",
	},
	{
		kind: "limit",
		asks: [
			"Which software applications have a software version above {a}?",
			"Which software applications have a version above {a}?",
		],
		fill: "VALUES ?a {5 6 7 8}",
		truth: "?x a s:SoftwareApplication ; s:softwareVersion ?d . FILTER(xsd:decimal(STR(?d)) > {a})",
	},
	{
		kind: "extreme",
		asks: [
			"What is the latest blog post?",
			"Which blog post is the newest?",
			"Which blog post is the most recent?",
		],
		truth: extreme("?x a s:BlogPosting .", "s:datePublished", "MAX"),
	},
	{
		kind: "extreme",
		asks: [
			"What is the oldest review?",
			"Which review was published first?",
			"Which review is the earliest?",
		],
		truth: extreme("?x a s:Review .", "s:datePublished", "MIN"),
	},
	{
		kind: "extreme",
		asks: ["What is the latest blog post by {a}?", "Which blog post by {a} is the newest?"],
		fill: `?p a s:BlogPosting ; s:author ?a . ${named("a")}`,
		truth: extreme("?x a s:BlogPosting ; s:author {a} .", "s:datePublished", "MAX"),
	},
	{
		kind: "extreme",
		asks: ["Which event about {a} started last?", "What is the latest event about {a}?"],
		fill: `?e a s:Event ; s:about ?a . ${named("a")}`,
		truth: extreme("?x a s:Event ; s:about {a} .", "s:startDate", "MAX"),
	},
	{
		kind: "comparison",
		asks: [
			"Which event started earlier, {a} or {b}?",
			"Did {a} start earlier than {b}?",
			"Which started first, {a} or {b}?",
			"Which event is earlier, {a} or {b}?",
		],
		fill: `?a a s:Event ; s:startDate ?v . ?b a s:Event ; s:startDate ?w . FILTER(?v != ?w) ${named("a")} ${named("b")}`,
		truth: extreme("VALUES ?x {{a} {b}}", "s:startDate", "MIN"),
	},
	{
		kind: "no answer",
		asks: [
			"How many robots are there?",
			"Which drugs cost more than 50 €?",
			"Which people are left-handed?",
			"Which trials are funded by Pfizer?",
			"Which drugs cause headaches?",
			"Which courses are difficult?",
			"Which projects are over budget?",
			"Which people retired in 2023?",
			"How many attendees per event are there?",
			"Which trials are not recruiting yet?",
			"Which events were canceled?",
			"Which drugs are better than Oncora?",
		],
	},
	{
		kind: "no answer",
		asks: ["Which drugs did {a} invent?", "Which projects did {a} cancel?", "Which courses did {a} fail?"],
		fill: `?e a s:Event ; s:organizer ?a . ${named("a")}`,
	},
];
