import { NOTHING, testAnswers } from "../passages/askFolder.ts";

const AMOUNTS = {
	"crew.md": "# Play 7\n\n## Bring in third-party crews\n\nPeople in the crew use M10 bolts for each hold.\n",
	"week.md": "# News of 30 January\n\nLast week, [Ole Brun][26] wrote a [post][27] on crews.\n",
	"log.md": "# Changes\n\n- Add Ida Moss as a maintainer (#1048)\n- Remove a superfluous word (#1049)\n",
	"law.md": "# Book 4\n\n## § 12 Allowance\n\n(2) The allowance for a third child may rise.\n",
	"reports.md": "# Dataset\n\nOf these reports 2 types are of interest to companies abroad.\n",
	"leave.md": "# Leave\n\nYou earn 4 sick leave hours per pay period.\n",
	"rent.md": "# Rent\n\nThe rent of the boathouse is EUR60 a month.\n",
	"soup.md": "# Soup\n\nCooking time PT30M for the lentil soup.\n",
	"team.md": "# Team\n\n**Volunteers:** 24\n\nThe number of kayaks is 12.\n",
	"lamps.csv": "lamp,price\nTall lamp,30\nSmall lamp,20\n",
	"cake.md": "# Rum cake\n\n- 1 box of cake mix\n- 1/2 cup of rum\n\nBake the rum cake until it is brown.\n",
	"bread.md": "# Bread\n\nBake the bread at 220 °C for 40 minutes.\n\nA loaf of bread weighs 900 g.\n",
	"robot.md": "# Robot\n\nThe robot carries a load on a plate that is 0.35 m wide.\n",
	"api.md": "# API\n\nUse an access token of OAuth 2 for the API.\n",
	"books.md": "# Books\n\nThe club has chess books. © 2026 The club. Last updated: July 28, 2026.\n",
};

testAnswers("a question for an amount is answered only by an amount of that kind and thing", AMOUNTS, {
	"How many people are in the crew?": NOTHING,
	"How many posts did Ole Brun write?": NOTHING,
	"How much allowance is there for the third child?": NOTHING,
	"How many reports are there?": NOTHING,
	"How many maintainers are there?": NOTHING,
	"How many hours of sick leave do I earn per pay period?": /earn 4 sick/,
	"How much is the rent of the boathouse?": /EUR60/,
	"How long does the lentil soup cook?": /PT30M/,
	"How many volunteers are there?": /24/,
	"How many kayaks are there?": /kayaks is 12/,
	"What does the tall lamp cost?": /30/,
	"What temperature does the rum cake need?": NOTHING,
	"What temperature does the bread need?": /220 °C/,
	"How long is the bread baked?": /40 minutes/,
	"How heavy is a loaf of bread?": /900 g/,
	"How heavy a load does the robot carry?":
		/^Nothing in this folder answers that\.\n\n---\n\nNearest places:\n\n- Robot: The robot carries a load/,
	"How long until an access token of the API expires?": NOTHING,
	"How many chess books does the club have?": NOTHING,
});

const others = (row: (at: number) => string) => Array.from({ length: 60 }, (_, at) => row(at)).join("\n");

const LISTS = {
	"codes.csv": `fifa,land,continent,currency country,currency\nBHU,Bhutan,Asia,Bhutan,Ngultrum\n${others((at) => `L${at},Land ${at},Africa,Land ${at},Money ${at}`)}\n`,
	"tracks/approaches.md": "---\nlevel: 1\n---\n# Approaches\n\nText.\n",
	"tracks/articles.md": "---\nlevel: 2\n---\n# Articles\n\nText.\n",
	"lands.json": `{"_comment": "Data courtesy of the mapper", "countries": [{"name": "Chad"}, {"name": "Peru"}]}`,
	"list-of-firms/report.md": "---\nlevel: 1\n---\n# Report\n\nText.\n",
	"visits.csv":
		"date,light,vessel\n2026-02-03,Pell Reef,Sandpiper\n2026-04-14,Pell Reef,Sandpiper\n2026-05-01,Skerra,Dunlin\n",
	"colors.md":
		"# Signals\n\n**Colors of the harbor signals**\n\nThe signals can have three colors:\n\n- red\n- green\n- white\n\nA signal of another color is taken for a lamp.\n",
};

testAnswers("a question for a list or a count is answered by all its rows, items or documents", LISTS, {
	"How many states are in Africa?": NOTHING,
	"Which states are in Africa?": NOTHING,
	"Which currency has Bhutan?": /Ngultrum/,
	"How many tracks are there?": /^\*\*2\*\* × documents in “tracks”/,
	"Which countries are in the data?": /Chad.*Peru/s,
	"How many firms are there?": NOTHING,
	"How many times was Pell Reef visited?": /^\*\*2\*\* × visits/,
	"How many times has Skerra been visited in 2026 according to the visits?": /^\*\*1\*\* × visits/,
	"What colors can signals have?":
		/, Colors of the harbor signals The signals can have three colors:\*\*[\s\S]*- white/,
});

const NAMES = {
	"README.md": "# The Kamal site\n\nThese are the pages that tell people how to put their work on servers.\n",
	"docs/diary.md": "# Notes\n\nWith Kamal 2 we saved a day.\n\nKamal was slow.\n",
	"companies.csv": `symbol,security,GICS sector\n${others((at) => `S${at},Name ${at},Banks`)}\n`,
	"docs/index.md": "# Quera — run jobs apart\n\nIt runs each job in a place of its own.\n",
	"docs/notes.md": "# Notes\n\nQuera was slow in May.\n\nQuera was fast in June.\n",
	"trains.md":
		"# Trains\n\nAll cabs have ATC.\n\nATC was tested in May.\n\nThe Automatic Train Control (ATC) stops a train at a red light.\n",
	"terms.md":
		"# Terms\n\nYou log in with single sign-on (SSO).\n\nKey Performance Indicators (KPIs) are read monthly.\n",
	"minutes.md": "# Meeting of the Harbour Board, 15 July 2015\n\n## Next meeting\n\nIt is planned soon.\n",
	"beer.md": "# Beer\n\nThe data of [a story: where do people drink beer?](https://beer.example/).\n",
	"needs.md": "# Needs\n\nThe tests run on Java 17 and 21.\n",
	"crash.md": "# Crash\n\nA newer chart version of Kyverno ended the crash loop.\n",
	"news.md": "# News\n\n## Version 2.0\n\nThe horn of the tower is louder in version 2.0.\n",
	"mail.yml": "treasurer:\n  comment: Treasurer alias\n  alias: harbour\nsecretary:\n  alias: Ada Brook\n",
};

testAnswers("a question for a name, a version, a place or a meaning is answered only by such words", NAMES, {
	"What is Kamal?": /^\*\*The Kamal site:\*\* These are the pages/,
	"Which versions are supported?": NOTHING,
	"What does GICS stand for?": NOTHING,
	"What is Quera?": /^\*\*Quera — run jobs apart:\*\* (?:\*\*)?It runs each job/,
	"What is ATC?": /^\*\*Trains:\*\* (?:\*\*)?The Automatic/,
	"What does ATC stand for?": /^\*\*Trains:\*\* (?:\*\*)?The Automatic/,
	"What does SSO stand for?": /^[^[]*single sign-on \(SSO\)/,
	"What are KPIs?": /^[^[]*Key Performance Indicators/,
	"Who attended the meeting of 15 July 2015?": NOTHING,
	"Where do people drink beer?": NOTHING,
	"Which Java versions do the tests run on?": /Java 17/,
	"Which chart version ended the crash loop?": NOTHING,
	"What is louder in version 2.0?": /The horn of the tower/,
	"Who is the treasurer?": NOTHING,
});

testAnswers(
	"the overview of a folder does not define the things that it names",
	{ "README.md": "# Notes on cats\n\nThese notes collect what we learned about them in the group.\n" },
	{ "What is a cat?": /^(?!.*It has:)/s },
);
