import {
	AREA,
	CATEGORY,
	COUNTRY,
	DEPARTMENT,
	EMPLOYEE,
	FEWER,
	HARDWARE,
	PRODUCT,
	UNIQUE,
} from "./ck25Patterns.ts";
import type { Template } from "./templates.ts";

export const CK25_LINKS: readonly Template[] = [
	{
		kind: "count",
		asks: [
			"How many {a} are there?",
			"How many {a} do we have?",
			"What is the number of {a}?",
			"List all {a}",
		],
		fill: `VALUES (?a ?aName) {(pv:Employee "employees") (pv:Supplier "suppliers") (pv:Service "services")
			(pv:Manager "managers") (pv:Department "departments") (pv:BillOfMaterial "bills of material")
			(pv:ProductCategory "product categories")}`,
		truth: "?x a/rdfs:subClassOf* {a}",
	},
	{
		kind: "linked",
		asks: [
			"Which employees are members of {a}?",
			"How many employees does {a} have?",
			"Who works in {a}?",
			"List all employees of the {a} department",
			"How many people work in {a}?",
		],
		fill: DEPARTMENT,
		truth: `${EMPLOYEE} ?x pv:memberOf {a}`,
	},
	{
		kind: "linked",
		asks: [
			"Which employees have expertise in {a}?",
			"Who has expertise in {a}s?",
			"How many employees have the area of expertise {a}?",
			"Who is an expert in {a}?",
		],
		fill: `${AREA} FILTER(?aName != "Switch")`,
		truth: "?x pv:areaOfExpertise {a}",
	},
	{
		kind: "linked",
		asks: ["Who reports to {a}?", "Which employees have {a} as their manager?", "Who does {a} manage?"],
		fill: "?p pv:hasManager ?a . ?a pv:name ?aName .",
		truth: "?x pv:hasManager {a}",
	},
	{
		kind: "linked",
		asks: ["Which products have the category {a}?", "How many products are in the category {a}?"],
		fill: CATEGORY,
		truth: `${PRODUCT} ?x pv:hasCategory {a}`,
	},
	{
		kind: "linked",
		asks: [
			"Which products does {a} supply?",
			"Which products are supplied by {a}?",
			"How many products have the supplier {a}?",
		],
		fill: "?h pv:hasSupplier ?a . ?a pv:name ?aName .",
		truth: `${PRODUCT} ?x pv:hasSupplier {a}`,
	},
	{
		kind: "linked",
		asks: ["Which supplier supplies the {a}?", "Who is the supplier of {a}?"],
		fill: `${HARDWARE} ${UNIQUE}`,
		truth: "{a} pv:hasSupplier ?x",
	},
	{
		kind: "linked",
		asks: ["Which products are compatible with {a}?", "How many products are compatible with the {a}?"],
		fill: `${HARDWARE} ?a pv:compatibleProduct ?other . ${UNIQUE}`,
		truth: "{a} pv:compatibleProduct|^pv:compatibleProduct ?x",
	},
	{
		kind: "linked",
		asks: [
			"Which products is {a} the product manager of?",
			"How many products have the product manager {a}?",
		],
		fill: "?h pv:hasProductManager ?a . ?a pv:name ?aName .",
		truth: `${PRODUCT} ?x pv:hasProductManager {a}`,
	},
	{
		kind: "linked",
		asks: ["Which products is the {a} department responsible for?"],
		fill: `${DEPARTMENT} ?a pv:responsibleFor ?h .`,
		truth: `${PRODUCT} {a} pv:responsibleFor ?x`,
	},
	{
		kind: "linked",
		asks: ["Which services are eligible for {a}?"],
		fill: `${HARDWARE} ?s pv:eligibleFor ?a . ${UNIQUE}`,
		truth: "?x a pv:Service ; pv:eligibleFor {a}",
	},
	{
		kind: "value",
		asks: [
			"Which suppliers are in {a}?",
			"How many suppliers are located in {a}?",
			"List the suppliers from {a}",
		],
		fill: `{SELECT ?a WHERE {?x a pv:Supplier ; pv:addressCountry ?a} GROUP BY ?a ${FEWER}}`,
		truth: "?x a pv:Supplier ; pv:addressCountry {a}",
	},
	{
		kind: "two steps",
		asks: [
			"Which products are supplied by suppliers in {a}?",
			"How many products come from suppliers in {a}?",
			"Which products have a supplier in {a}?",
		],
		fill: COUNTRY,
		truth: `${PRODUCT} ?x pv:hasSupplier/pv:addressCountry {a}`,
	},
	{
		kind: "two steps",
		asks: [
			"Which departments have employees with expertise in {a}?",
			"Which departments have experts in {a}?",
		],
		fill: AREA,
		truth: "?x a pv:Department . ?e pv:memberOf ?x ; pv:areaOfExpertise {a}",
	},
	{
		kind: "two steps",
		asks: ["Which suppliers supply products in the category {a}?"],
		fill: CATEGORY,
		truth: "?h pv:hasCategory {a} ; pv:hasSupplier ?x",
	},
];
