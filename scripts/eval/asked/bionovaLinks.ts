import { DRUG_TRIAL, named, PLATFORM } from "./bionovaPatterns.ts";
import type { Template } from "./templates.ts";

export const BIONOVA_LINKS: readonly Template[] = [
	{
		kind: "count",
		asks: [
			"How many {a} are there?",
			"How many {a} do we have?",
			"List all {a}",
			"What is the number of {a}?",
			"How many different {a} exist?",
			"Count the {a}",
		],
		fill: `VALUES (?a ?aName) {(s:Drug "drugs") (s:MedicalTrial "trials") (s:Course "courses") (s:Event "events")
			(s:Project "projects") (s:Review "reviews") (s:BlogPosting "blog posts") (s:SoftwareApplication "software applications")
			(s:Role "roles") (s:Comment "comments") (s:ScholarlyArticle "scholarly articles") (s:Service "services")}`,
		truth: "?x a {a}",
	},
	{
		kind: "linked",
		asks: [
			"Which software applications require {a}?",
			"Which platforms depend on {a}?",
			"How many software applications require {a}?",
		],
		fill: PLATFORM,
		truth: "?x s:softwareRequirements {a}",
	},
	{
		kind: "linked",
		asks: ["Which software applications does {a} require?", "What platforms does {a} depend on?"],
		fill: `?a a s:SoftwareApplication ; s:softwareRequirements ?p . ${named("a")}`,
		truth: "{a} s:softwareRequirements ?x",
	},
	{
		kind: "linked",
		asks: [
			"Which blog posts did {a} write?",
			"How many blog posts are by {a}?",
			"Which blog posts were written by {a}?",
		],
		fill: `?b a s:BlogPosting ; s:author ?a . ${named("a")}`,
		truth: "?x a s:BlogPosting ; s:author {a}",
	},
	{
		kind: "linked",
		asks: ["Which blog posts are about {a}?", "How many blog posts are about {a}?"],
		fill: `?b a s:BlogPosting ; s:about ?a . ${named("a")}`,
		truth: "?x a s:BlogPosting ; s:about {a}",
	},
	{
		kind: "linked",
		asks: ["Which reviews are about {a}?", "How many reviews does {a} have?"],
		fill: `?r a s:Review ; s:itemReviewed ?a . ${named("a")}`,
		truth: "?x a s:Review ; s:itemReviewed {a}",
	},
	{
		kind: "linked",
		asks: [
			"Which trials study {a}?",
			"How many trials have {a} as study subject?",
			"Which trials are about {a}?",
		],
		fill: DRUG_TRIAL,
		truth: "?x a s:MedicalTrial ; s:studySubject {a}",
	},
	{
		kind: "linked",
		asks: ["Which trials take place at {a}?", "Which trials have the location {a}?"],
		fill: `?t a s:MedicalTrial ; s:location ?a . ${named("a")}`,
		truth: "?x a s:MedicalTrial ; s:location {a}",
	},
	{
		kind: "linked",
		asks: ["Who attends the event {a}?", "Which people attended {a}?", "How many attendees does {a} have?"],
		fill: `?a a s:Event ; s:attendee ?p . ${named("a")}`,
		truth: "{a} s:attendee ?x",
	},
	{
		kind: "linked",
		asks: ["Which events did {a} attend?", "How many events does {a} attend?"],
		fill: `?e a s:Event ; s:attendee ?a . ${named("a")}`,
		truth: "?x a s:Event ; s:attendee {a}",
	},
	{
		kind: "linked",
		asks: ["Which events did {a} organize?", "Which events were organized by {a}?"],
		fill: `?e a s:Event ; s:organizer ?a . ${named("a")}`,
		truth: "?x a s:Event ; s:organizer {a}",
	},
	{
		kind: "linked",
		asks: ["Which projects does {a} contribute to?", "Which projects have {a} as a contributor?"],
		fill: `?p a s:Project ; s:contributor ?a . ${named("a")}`,
		truth: "?x a s:Project ; s:contributor {a}",
	},
	{
		kind: "linked",
		asks: [
			"Who contributes to {a}?",
			"Who are the contributors of {a}?",
			"How many contributors does {a} have?",
		],
		fill: `?a a s:Project ; s:contributor ?p . ${named("a")}`,
		truth: "{a} s:contributor ?x",
	},
	{
		kind: "linked",
		asks: ["Who works for {a}?", "Which people work for {a}?", "How many people work for {a}?"],
		fill: `?p a s:Person ; s:worksFor ?a . ${named("a")}`,
		truth: "?x a s:Person ; s:worksFor {a}",
	},
	{
		kind: "linked",
		asks: ["Which courses does {a} provide?", "How many courses are provided by {a}?"],
		fill: `?c a s:Course ; s:provider ?a . ${named("a")}`,
		truth: "?x a s:Course ; s:provider {a}",
	},
	{
		kind: "value",
		asks: ["Which drugs have the drug class {a}?", "Which drugs are in the class {a}?"],
		fill: "?d s:drugClass ?a",
		truth: "?x a s:Drug ; s:drugClass {a}",
	},
	{
		kind: "value",
		asks: ["Which trials have the status {a}?", "How many trials are {a}?"],
		fill: "?t a s:MedicalTrial ; s:status ?a",
		truth: "?x a s:MedicalTrial ; s:status {a}",
	},
	{
		kind: "value",
		asks: [
			"Which people have the job title {a}?",
			"How many people are {a}s?",
			"List all people with the job title {a}",
		],
		fill: '{SELECT ?a WHERE {?p s:jobTitle ?a . FILTER(isIRI(?p) && !CONTAINS(?a, "/") && !CONTAINS(?a, ","))} GROUP BY ?a HAVING (COUNT(?p) > 3)}',
		truth: "?x a s:Person ; s:jobTitle {a}",
	},
	{
		kind: "value",
		asks: ["Which medical organizations are in {a}?", "Which medical organizations are located in {a}?"],
		fill: "?m a s:MedicalOrganization ; s:address/s:addressLocality ?a",
		truth: "?x a s:MedicalOrganization ; s:address/s:addressLocality {a}",
	},
	{
		kind: "two steps",
		asks: ["Which people attended events about {a}?", "Who attended events about {a}?"],
		fill: `?e a s:Event ; s:about ?a . ${named("a")}`,
		truth: "?e a s:Event ; s:about {a} ; s:attendee ?x",
	},
	{
		kind: "two steps",
		asks: ["Which people wrote reviews of {a}?", "Who wrote reviews of {a}?"],
		fill: `?r a s:Review ; s:itemReviewed ?a . ${named("a")}`,
		truth: "?r a s:Review ; s:itemReviewed {a} ; s:author ?x",
	},
	{
		kind: "two steps",
		asks: [
			"Which people contribute to projects about {a}?",
			"Who are the contributors of projects about {a}?",
		],
		fill: `?p a s:Project ; s:about ?a ; s:contributor ?c . ${named("a")}`,
		truth: "?p a s:Project ; s:about {a} ; s:contributor ?x",
	},
	{
		kind: "two steps",
		asks: ["Which people investigate trials of {a}?", "Who are the investigators of trials that study {a}?"],
		fill: DRUG_TRIAL,
		truth: "?t a s:MedicalTrial ; s:studySubject {a} ; s:investigator ?x",
	},
];
