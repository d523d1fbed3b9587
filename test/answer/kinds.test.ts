import { testAnswers } from "../passages/askFolder.ts";

const NOTHING = /^Nothing in this folder answers that\./;

testAnswers(
	"numbers of headings, items, notes and names are no amounts, and names of headings did nothing",
	{
		"crew.md":
			"# Play 7\n\n## Bring in third-party crews\n\nPeople in the crew use M10 bolts for each hold.\n",
		"news.md": "# News of 30 January\n\nLast week, [Ole Brun][26] wrote a [post][27] on crews.\n",
		"law.md": "# Book 4\n\n## § 12 Allowance\n\n(2) The allowance for a third child may rise.\n",
		"minutes.md": "# Meeting of the Harbour Board, 15 July 2015\n\n## Next meeting\n\nIt is planned soon.\n",
		"beer.md": "# Beer\n\nThe data of [a story: where do people drink beer?](https://beer.example/).\n",
	},
	{
		"How many people are in the crew?": NOTHING,
		"How many posts did Ole Brun write?": NOTHING,
		"How much allowance is there for the third child?": NOTHING,
		"Who attended the meeting of 15 July 2015?": NOTHING,
		"Where do people drink beer?": NOTHING,
	},
);

const OTHERS = Array.from({ length: 60 }, (_, at) => `L${at},Land ${at},Africa,Land ${at},Money ${at}\n`);
const LANDS = `fifa,land,continent,currency country,currency\nBHU,Bhutan,Asia,Bhutan,Ngultrum\n${OTHERS.join("")}`;

testAnswers(
	"a row answers no question for many that others have as well, and is not what one of its columns says",
	{ "codes.csv": LANDS },
	{
		"How many states are in Africa?": NOTHING,
		"Which states are in Africa?": NOTHING,
		"Which currency has Bhutan?": /Ngultrum/,
	},
);

testAnswers(
	"the files of a folder are its documents, whatever it is called",
	{
		"tracks/approaches.md": "---\nlevel: 1\n---\n# Approaches\n\nText.\n",
		"tracks/articles.md": "---\nlevel: 2\n---\n# Articles\n\nText.\n",
	},
	{ "How many tracks are there?": /^\*\*2\*\* × documents in “tracks”/ },
);

testAnswers(
	"the folder's own topic is told by its overview, letters by no header, and a number by what is near its noun",
	{
		"README.md":
			"# The Kamal site\n\nThese are the pages that tell people how to put their work on servers.\n",
		"docs/notes.md": "# Notes\n\nWith Kamal 2 we saved a day.\n\nKamal was slow.\n",
		"companies.csv": `symbol,security,GICS sector\n${Array.from({ length: 60 }, (_, row) => `S${row},Name ${row},Banks`).join("\n")}\n`,
		"reports.md": "# Dataset\n\nOf these reports 2 types are of interest to companies abroad.\n",
	},
	{
		"What is Kamal?": /^\*\*The Kamal site:\*\* These are the pages/,
		"What does GICS stand for?": NOTHING,
		"How many reports are there?": NOTHING,
		"Which versions are supported?": NOTHING,
	},
);

testAnswers(
	"what something is, is said by the document whose title begins with it",
	{
		"docs/index.md": "# Quera — run jobs apart\n\nIt runs each job in a place of its own.\n",
		"docs/notes.md": "# Notes\n\nQuera was slow in May.\n\nQuera was fast in June.\n",
	},
	{ "What is Quera?": /^\*\*Quera — run jobs apart:\*\* (?:\*\*)?It runs each job/ },
);

testAnswers(
	"letters are told by what spells them out, and earning is not always of money",
	{
		"trains.md":
			"# Trains\n\nAll cabs have ATC.\n\nATC was tested in May.\n\nThe Automatic Train Control (ATC) stops a train at a red light.\n",
		"leave.md": "# Leave\n\nYou earn 4 sick leave hours per pay period.\n",
	},
	{
		"What is ATC?": /^\*\*Trains:\*\* (?:\*\*)?The Automatic/,
		"What does ATC stand for?": /^\*\*Trains:\*\* (?:\*\*)?The Automatic/,
		"How many hours of sick leave do I earn per pay period?": /earn 4 sick/,
	},
);

testAnswers(
	"what is asked of the data as a whole is not restricted by a remark on it, and its own folder is none of its kind",
	{
		"lands.json": `{"_comment": "Data courtesy of the mapper", "countries": [{"name": "Chad"}, {"name": "Peru"}]}`,
		"list-of-firms/report.md": "---\nlevel: 1\n---\n# Report\n\nText.\n",
	},
	{ "Which countries are in the data?": /Chad.*Peru/s, "How many firms are there?": NOTHING },
);

testAnswers(
	"how often something was done is the number of rows that say so",
	{
		"visits.csv":
			"date,light,vessel\n2026-02-03,Pell Reef,Sandpiper\n2026-04-14,Pell Reef,Sandpiper\n2026-05-01,Skerra,Dunlin\n",
	},
	{
		"How many times was Pell Reef visited?": /^\*\*2\*\* × visits/,
		"How many times has Skerra been visited in 2026 according to the visits?": /^\*\*1\*\* × visits/,
	},
);

testAnswers(
	"amounts have currencies and durations before them, versions follow names, and several of a kind define nothing",
	{
		"rent.md": "# Rent\n\nThe rent of the boathouse is EUR60 a month.\n",
		"soup.md": "# Soup\n\nCooking time PT30M for the lentil soup.\n",
		"team.md": "# Team\n\n**Volunteers:** 24\n\nThe number of kayaks is 12.\n",
		"terms.md":
			"# Terms\n\nYou log in with single sign-on (SSO).\n\nKey Performance Indicators (KPIs) are read monthly.\n",
		"needs.md": "# Needs\n\nThe tests run on Java 17 and 21.\n",
		"README.md": "# Notes on cats\n\nThese notes collect what we learned about them in the group.\n",
		"lamps.csv": "lamp,price\nTall lamp,30\nSmall lamp,20\n",
	},
	{
		"How much is the rent of the boathouse?": /EUR60/,
		"How long does the lentil soup cook?": /PT30M/,
		"How many volunteers are there?": /24/,
		"How many kayaks are there?": /kayaks is 12/,
		"What does SSO stand for?": /^[^[]*single sign-on \(SSO\)/,
		"What are KPIs?": /^[^[]*Key Performance Indicators/,
		"Which Java versions do the tests run on?": /Java 17/,
		"What is a cat?": /^(?!.*It has:)/s,
		"What does the tall lamp cost?": /30/,
	},
);

testAnswers(
	"a temperature, a weight, a time, a version, a number or a name must be there if it is asked for",
	{
		"cake.md":
			"# Rum cake\n\n- 1 box of cake mix\n- 1/2 cup of rum\n\nBake the rum cake until it is brown.\n",
		"bread.md": "# Bread\n\nBake the bread at 220 °C for 40 minutes.\n\nA loaf of bread weighs 900 g.\n",
		"robot.md": "# Robot\n\nThe robot carries a load on a plate that is 0.35 m wide.\n",
		"api.md": "# API\n\nUse an access token of OAuth 2 for the API.\n",
		"crash.md": "# Crash\n\nA newer chart version of Kyverno ended the crash loop.\n",
		"news.md": "# News\n\n## Version 2.0\n\nThe horn of the tower is louder in version 2.0.\n",
		"books.md": "# Books\n\nThe club has chess books. © 2026 The club. Last updated: July 28, 2026.\n",
		"mail.yml": "treasurer:\n  comment: Treasurer alias\n  alias: harbour\nsecretary:\n  alias: Ada Brook\n",
	},
	{
		"What temperature does the rum cake need?": NOTHING,
		"What temperature does the bread need?": /220 °C/,
		"How long is the bread baked?": /40 minutes/,
		"How heavy is a loaf of bread?": /900 g/,
		"How heavy a load does the robot carry?":
			/^Nothing in this folder answers that\.\n\n---\n\nNearest places:\n\n- Robot: The robot carries a load/,
		"How long until an access token of the API expires?": NOTHING,
		"Which chart version ended the crash loop?": NOTHING,
		"What is louder in version 2.0?": /The horn of the tower/,
		"How many chess books does the club have?": NOTHING,
		"Who is the treasurer?": NOTHING,
	},
);

testAnswers(
	"a list is shown under the line in bold and the line with a colon that announce it",
	{
		"colors.md":
			"# Signals\n\n**Colors of the harbor signals**\n\nThe signals can have three colors:\n\n- red\n- green\n- white\n\nA signal of another color is taken for a lamp.\n",
	},
	{
		"What colors can signals have?":
			/, Colors of the harbor signals The signals can have three colors:\*\*[\s\S]*- white/,
	},
);
