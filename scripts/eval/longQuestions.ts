/** A long question, with its aspects: words that a hit must have, or the path of its file. */
export interface LongQuestion {
	/** Name of a folder of pages or of a collection. */
	readonly about: string;
	readonly question: string;
	readonly aspects: readonly RegExp[];
}

/** Questions written before the rules. */
const FIRST: readonly LongQuestion[] = [
	{
		about: "bionova",
		question: "Compare how Oncora, Immunex, Neurova and Cardiozen act on the body.",
		aspects: [/escape kinase/, /antigen presentation/, /excitatory signaling/, /vasodilatory signaling/],
	},
	{
		about: "bionova",
		question: "Which platforms does MolecularForge depend on, and what are DataLake, MLFlow and GMP360 for?",
		aspects: [
			/DrugDesignStudio|drugdesignstudio/,
			/Platform.* DataLake/i,
			/Platform.* MLFlow/i,
			/Platform.* GMP360/i,
		],
	},
	{
		about: "bionova",
		question:
			"Who directs manufacturing, who directs commercial, who leads IT, and who is the scientific officer?",
		aspects: [/Hephaestus/, /Rhea/, /Gaia/, /Zeus/],
	},
	{
		about: "bionova",
		question:
			"What do Vitalis, NovaMed, OncoVex and NeuroGenex target, and how far is each of them in its trials?",
		aspects: [/mitochondrial efficiency/, /JAK1/, /abscopal/, /coactivator 1-alpha/],
	},
	{
		about: "bionova",
		question:
			"How are deviations triaged under GMP, what does the GMP policy require, which course teaches the basics, and which trial data must be cleaned?",
		aspects: [/Deviation Triage/, /GMP Policy/, /GMP Fundamentals/, /howto-clinical-data/],
	},
	{
		about: "awsdocs",
		question:
			"For our database migration: can I stop a DB instance that has a read replica, which storage engines are recommended for MariaDB, what does autovacuum do in PostgreSQL, and what is the maximum IOPS of General Purpose SSD storage?",
		aspects: [/USER_StopInstance/, /CHAP_BestPractices/, /autovacuum/, /CHAP_Storage/],
	},
	{
		about: "awsdocs",
		question:
			"We train models on SageMaker. Why use Elastic Inference? What does Model Monitor do? What is Debugger good for? And can we attach a Git repository to a notebook instance?",
		aspects: [/\/ei[.-]/, /model-monitor/, /train-debugger/, /nbi-git-repo/],
	},
	{
		about: "awsdocs",
		question:
			"Give me the limits of transit gateway attachments and of Lambda deployment packages, how Greengrass encrypts data in transit, and whether CodePipeline runs in a VPC.",
		aspects: [/transit-gateway-quotas/, /lambda.*limits/, /encryption-in-transit/, /vpc-support/],
	},
	{
		about: "k8s-llm",
		question:
			"How do I encrypt secrets at rest, pause a batch job, scale the cluster's DNS automatically, and align CPU and memory with NUMA nodes?",
		aspects: [/encrypt-data/, /controllers.job/, /dns-horizontal-autoscaling/, /topology-manager/],
	},
	{
		about: "k8s-llm",
		question:
			"Our teams share a cluster: how are they kept apart from each other, which permissions can roles give to a service account, how do network policies help, and how is a volume restored from a snapshot?",
		aspects: [/multi-tenancy/, /rbac/, /network-policies/, /volume-snapshots/],
	},
];

/** Questions written after the rules, which were not changed for them. */
const MORE: readonly LongQuestion[] = [
	{
		about: "xquad-en",
		question:
			"When was Warsaw's first stock exchange established, who led the attack on the French colony near Jacksonville, which community is the West Side of Fresno the center of, and how many extended metropolitan areas does Southern California have?",
		aspects: [
			/established in 1817/,
			/Pedro Menéndez/,
			/"West Side" of Fresno/,
			/extended metropolitan areas/,
		],
	},
	{
		about: "xquad-en",
		question:
			"When was Temüjin elected khan, which German ruler invited the Huguenots, what troubled Kublai's government after 1279, and who was Lord Loudoun's second in command?",
		aspects: [/Jamukha/, /Elector of Brandenburg/, /after 1279/, /James Abercrombie/],
	},
	{
		about: "xquad-en",
		question:
			"What can result from disorders of the immune system, how do we know about lost chloroplasts in chromalveolates, at which wavelengths does oxygen absorb, and how much forest was lost in the Amazon by 2000?",
		aspects: [/autoimmune diseases, inflammatory/, /lost chloroplasts/, /687 and 760/, /587,000/],
	},
	{
		about: "xquad-en",
		question:
			"Who decides the requirements for a teaching license in the United States? What are Model C schools? When did the movement begin that became the United Methodist Church? And what is Doctor Who's granddaughter called?",
		aspects: [/each state determines/, /Model C/, /mid-18th century/, /Susan Foreman/],
	},
	{
		about: "xquad-en",
		question:
			"Explain who dominates long distance running, when the last glacial ended, what the Muslim Brotherhood gives to students, and what the plugs-out test of Apollo 1 simulated.",
		aspects: [/long-distance/, /11,600 BP/, /educational assistance/, /plugs-out/],
	},
	{
		about: "cosqa",
		question:
			"In Python, how do I read a JSON file, get the number of CPU cores, make sure that a directory exists, and remove repeated elements from a list?",
		aspects: [/json\.loads?\(/, /cpu_count/, /makedirs|mkdir/, /def \w*(?:uniq|dedup|duplicat|distinct)/],
	},
	{
		about: "cosqa",
		question:
			"I need functions that rotate an image, find the median of numbers, convert a string to lower case, and give the first line of a file.",
		aspects: [/def \w*rotate/i, /def \w*median/, /\.lower\(\)/, /readline|def \w*first_?line/],
	},
	{
		about: "cranfield",
		question:
			"What is known about heat transfer around a hemisphere, about the stability of conical shells, about ablation during flight, and about interference in wind tunnels?",
		aspects: [/hemispher/, /conical shells/, /ablati/, /interference/],
	},
	{
		about: "cranfield",
		question:
			"Can transverse potential flow about a body of revolution be reduced to two dimensions, which criteria are there for thermodynamic equilibrium in gas flow, how do clamped cylindrical shells buckle thermally, and how does a yawed cylinder transfer heat?",
		aspects: [/transverse potential flow/, /thermodynamic equilibrium/, /thermal buckling/, /yawed/],
	},
	{
		about: "climate-fever-sent",
		question:
			"Is Arctic sea ice falling at an accelerated rate, are the coasts of Greenland losing ice, can climate sensitivity be calculated from past temperatures, and do extreme weather events get worse?",
		aspects: [/Arctic sea ice/, /Greenland/, /Climate sensitivity/i, /extreme weather/i],
	},
];

export const LONG_QUESTIONS = { first: FIRST, more: MORE };
