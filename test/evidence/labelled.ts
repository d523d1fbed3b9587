import { HELD_OUT } from "./heldOut.ts";
import { THREE_LANGUAGES } from "./threeLanguages.ts";

/**
 * Sentences as a model may write them about lines of the sample and, marked with *, of BioNova's pages. A third column
 * says what is wrong with one; of a fourth kind nothing can be said, and it must not be marked.
 */
const LABELLED = `
lights.html:83-96 | Gannet Rock Light stands 41 metres above high water.
lights.html:83-96 | The tower at Gannet Rock is 41 m high.
lights.html:83-96 | Its elevation is 41m and its nominal range 21 nautical miles.
lights.html:83-96 | At 41 metres it can be seen for 21 NM.
lights.html:76-103 | Gannet Rock's attendant is Ida Fenwick.
lights.html:76-103 | The tower was built of 1146 blocks of Hallin granite.
lights.html:76-103 | About 1.1 thousand blocks of granite were used.
lights.html:76-103 | The tower, designed by Agnes Thorne, was first lit in 1861.
lights.html:76-103 | It dates from the 1860s.
lights.html:76-103 | It is a light of the 19th century.
lights.html:76-103 | Its elevation is about 135 feet.
lights.html:76-103 | It carries the L60 lamp and shows Fl(3) W 15s.
lights.html:76-103 | The light flashes every 15 seconds.
lights.html:76-103 | It is attended by I. Fenwick.
lights.html:76-103 | The Gannet Rock tower was designed by Thorne.
lights.html:76-103 | The attendant is Wick Darrow. | Wick Darrow
lights.html:76-103 | The tower is 47 metres high. | 47 metres
lights.html:76-103 | It was first lit in 1816. | 1816
lights.html:76-103 | The tower has 1,164 blocks of granite. | 1,164
lights.html:76-103 | It carries the L20 lamp. | L20
lights.html:76-103 | Its range is 21 kilometres. | 21 kilometres
lights.html:131-150 | Pell Reef Light is an iron lantern on four legs, first lit in 1934.
lights.html:131-150 | The lantern stands on 4 legs.
lights.html:131-150 | The lantern stands on three legs. | three
lights.html:131-150 | It shines 10 nautical miles, which is about 18.5 km.
lights.html:131-150 | It has never been watched by anybody.
people.html:54-62 | Ida Fenwick was born on 2 April 1974 on Skerra.
people.html:54-62 | She was born on 1974-04-02.
people.html:54-62 | Ida Fenwick, born April 2, 1974, is Tam Fenwick's daughter.
people.html:54-62 | She was born in April 1974.
people.html:54-62 | Her date of birth is 02.04.1974.
people.html:54-62 | Her date of birth is 04/02/1974.
people.html:54-62 | She has attended the light since 2009, which makes 35 years since her birth in 1974.
people.html:54-62 | At 6 she could wind the clockwork.
people.html:54-62 | She grew up in "the keeper's cottage at Skerra Head".
people.html:54-62 | She was born on 4 April 1974. | 4 April 1974
people.html:54-62 | She was born in May 1974. | May 1974
people.html:54-62 | She is the daughter of Tom Fenwick. | Tom Fenwick
people.html:54-62 | She has been the attendant since 2006. | 2006
people.html:54-62 | She grew up in "the lighthouse at Skerra Head". | "the lighthouse at Skerra Head"
people.html:76-84 | Pia Holm is the curator of St. Orrin's Museum.
people.html:76-84 | The curator of Saint Orrin's Museum was born on Great Merrow.
people.html:76-84 | Holm was born on 27 December 1995.
people.html:76-84 | Holm was born on 27 December 1959. | 27 December 1959
people.html:64-74 | Ewan Sallow attends two lights, Hallin Point and the Widow's Teeth.
people.html:64-74 | The only attendant with 2 lights keeps bees.
people.html:64-74 | Sallow attends three lights. | three
people.html:64-74 | Sallow attends Skerra Head. | Skerra Head
handbook/relamping.md:28-38 | Wait 20 minutes for the lamp to cool.
handbook/relamping.md:28-38 | Let the lens make ten full turns, and tighten the pins to 4 newton metres.
handbook/relamping.md:28-38 | A fingerprint is a dark line at 15 miles.
handbook/relamping.md:28-38 | Let the lamp cool for thirty minutes. | thirty minutes
handbook/relamping.md:28-38 | You follow eight steps in all.
handbook/relamping.md:49-51 | The old lamp drew 250 W.
handbook/relamping.md:49-51 | The old lamp drew 0.25 kW and was exchanged every 10 months.
handbook/relamping.md:49-51 | The old lamp drew 520 watts. | 520 watts
handbook/relamping.md:20-24 | You need a torque-screwdriver and a brass centering gauge.
stories/history.md:18-21 | The brig Amity was lost in autumn 1796.
stories/history.md:18-21 | The Amity carried winter stores for the whole isle.
stories/history.md:18-21 | The brig Constance was lost in 1796. | Constance
stories/history.md:32-36 | Seven ships were lost on Gannet Rock in the 15 years between 1840 and 1855.
stories/history.md:32-36 | The lamp was lit on September 1, 1861.
stories/history.md:32-36 | The lamp was lit on 1 September 1862. | 1 September 1862
stories/history.md:32-36 | No wave was said to reach higher than 20 m; Agnes Thorne drew the tower for 30.
stories/history.md:32-36 | Eight ships were lost. | Eight
stories/history.md:47-50 | The lightship dragged her anchor on 11 Feb 1968.
stories/history.md:47-50 | The inquiry found "no fault with the crew of either ship".
stories/history.md:47-50 | The inquiry found “a great deal of fault … with chains”.
stories/history.md:47-50 | The inquiry found "no fault with the captain". | "no fault with the captain"
stories/history.md:47-50 | The Constancy marked the rocks for 63 years.
stories/history.md:47-50 | The Constancy marked the rocks for 36 years. | 36 years
notices-2026.txt:12-15 | The red sector covers the bearings from 118° to 139°.
notices-2026.txt:12-15 | Notice 3/2026 was issued on 10 March 2026.
notices-2026.txt:12-15 | Until then the sector ended at 133 degrees.
notices-2026.txt:12-15 | Until then the sector ended at 113 degrees. | 113 degrees
notices-2026.txt:26-28 | The channel has 2.2 m of water at low tide.
notices-2026.txt:26-28 | The channel has 2,2 metres of water, not 3,5.
notices-2026.txt:26-28 | The channel has 2.6 metres of water. | 2.6 metres
vessels.html:19-36 | Petrel is 34 metres long (about 112 ft) and draws 3.1 m.
vessels.html:19-36 | Petrel, built in 1996, belongs to the Merrow Lighthouse Service (MLS).
vessels.html:19-36 | Bram Osterlund is her master.
vessels.html:19-36 | Bram Österlund is the master of the Petrel.
vessels.html:19-36 | Petrel is about 150 feet long. | 150 feet
vessels.html:19-36 | Her master is Captain Osterlund.
data/visits.csv:3-3 | On 3 February 2026 the Sandpiper spent one and a half hours at Pell Reef Light.
data/visits.csv:3-3 | On 3 February 2026 it stayed 1.5 hours.
data/visits.csv:3-3 | On 30 February 2026 it stayed 1.5 hours. | 30 February 2026
* clinical-trials-graph.html:31-57 | The Oncora Phase III Efficacy Study enrolls 420 patients from January 15, 2024 to 30 September 2025.
* clinical-trials-graph.html:31-57 | The Phase 3 study of Oncora is double-blind and led by Dr. Asclepius.
* clinical-trials-graph.html:31-57 | Its primary endpoint is progression-free survival (PFS).
* clinical-trials-graph.html:31-57 | The trial TRIAL-ONCORA-III is recruiting at the Eastern Oncology Center.
* clinical-trials-graph.html:31-57 | The study is led by Dr. Hippocrates. | Hippocrates
* clinical-trials-graph.html:31-57 | The study enrolls 240 patients. | 240
* clinical-trials-graph.html:31-57 | The study ends on September 3, 2025. | September 3, 2025
* clinical-trials-graph.html:31-57 | It is a Phase II study. | II
* drugs-development-pipeline.html:31-76 | Oncora (ONC-BASE-001) builds on MolecularForge, ClinicalStream and the DataLake.
* drugs-development-pipeline.html:31-76 | Oncora (ONC-BASE-002) is a kinase inhibitor. | ONC-BASE-002
* drugs-development-pipeline.html:31-76 | It is related to Project Alpha and Project Beta.
* drugs-development-pipeline.html:31-76 | It is related to Project Gamma. | Project Gamma
* organization-leadership.html:34-53 | Apollo is BioNova's CEO and Zeus its Chief Scientific Officer.
* organization-leadership.html:34-53 | The chief executive officer is Apollo.
* organization-leadership.html:34-53 | The CEO of BioNova is Athena. | Athena
* events-program-calendar.html:31-73 | The kickoff on January 16, 2025 was organized by Thoth in Conference Room A.
* events-program-calendar.html:31-73 | It ended at 11:00 on 16 Jan 2025.
* events-program-calendar.html:31-73 | It ended at 11 am.
* events-program-calendar.html:31-73 | It ended at 12:30. | 12:30
* events-program-calendar.html:31-73 | Six people attended, among them Minerva and Gaia.
* reviews.html:30-73 | Alex Chen rates NovaMed 5 of 5.
* reviews.html:30-73 | Alex Cheng rates it five stars. | Alex Cheng
`;

export interface Labelled {
	readonly source: string;
	readonly isOfBionova: boolean;
	readonly sentence: string;
	readonly wrong: string | undefined;
}

export function labelled(): Labelled[] {
	return read(LABELLED);
}

export function heldOut(): Labelled[] {
	return read(HELD_OUT);
}

export function inThreeLanguages(): Labelled[] {
	return read(THREE_LANGUAGES);
}

function read(lines: string): Labelled[] {
	return lines
		.trim()
		.split("\n")
		.map((line) => {
			const [place = "", sentence = "", wrong] = line.split(" | ");
			return { source: place.replace(/^\* /, ""), isOfBionova: place.startsWith("* "), sentence, wrong };
		});
}
