/** Sentences that the rules were not made by: they were written before they were first run, and are only counted. */
export const HELD_OUT = `
handbook/keepers-handbook.md:20-22 | A rock light must be visited by boat at least every 90 days.
handbook/keepers-handbook.md:20-22 | The attendant looks at the light within 30 minutes of sunset.
handbook/keepers-handbook.md:20-22 | Lights on inhabited isles are visited weekly.
handbook/keepers-handbook.md:20-22 | A rock light must be visited at least every 60 days. | x
handbook/keepers-handbook.md:39-41 | The changer needs up to 8 s to bring in the second lamp.
handbook/keepers-handbook.md:39-41 | Pell Reef and the Widow's Teeth have sealed lanterns and no spare lamp.
handbook/keepers-handbook.md:39-41 | The changer brings in the second lamp within eighteen seconds. | x
handbook/keepers-handbook.md:39-41 | Only Hallin Point and the Widow's Teeth have no second lamp. | x
handbook/keepers-handbook.md:43-50 | If a light is dark, the Harbour Office must be told within half an hour.
handbook/keepers-handbook.md:43-50 | The spare lamp may burn for two weeks, that is fourteen days.
handbook/keepers-handbook.md:43-50 | The spare lamp may burn for 40 days. | x
handbook/keepers-handbook.md:43-50 | There are three steps to take when a light is dark.
handbook/keepers-handbook.md:54-59 | Petrel serves Gannet Rock, and only Sandpiper can reach Pell Reef.
handbook/keepers-handbook.md:54-59 | Landing at Gannet Rock is forbidden in a swell of over 1.5m (about 5 ft).
handbook/keepers-handbook.md:54-59 | At the Widow’s Teeth the limit is 1 m.
handbook/keepers-handbook.md:54-59 | At the Widow's Teeth the limit is 2 metres. | x
handbook/keepers-handbook.md:54-59 | The rule is "never land alone".
handbook/keepers-handbook.md:54-59 | The rule is "never climb alone". | x
handbook/keepers-handbook.md:54-59 | The Constancy stands in when the Petrel is in dock. | x
stories/long-sea.md:19-22 | Tam Fenwick was an assistant; Aldous Wren was the principal keeper and Piet Lund the second.
stories/long-sea.md:19-22 | Fenwick was 20 years old at the time.
stories/long-sea.md:19-22 | The relief boat was due on 12 November.
stories/long-sea.md:19-22 | The relief boat was due on 21 November. | x
stories/long-sea.md:19-22 | The principal was Aldous Hale. | x
stories/long-sea.md:26-33 | The light was out for 37 minutes.
stories/long-sea.md:26-33 | At 9:10 pm a wave went over the top.
stories/long-sea.md:26-33 | The light was out for 73 minutes. | x
stories/long-sea.md:26-33 | A wave broke two panes on the northwest side.
stories/long-sea.md:26-33 | A wave broke three panes. | x
stories/long-sea.md:37-40 | The relief came on December 23, 41 days late.
stories/long-sea.md:37-40 | The relief came on December 13. | x
isles.html:27-36 | Great Merrow, the largest of the Merrow Isles, has 1940 inhabitants.
isles.html:27-36 | About 2,000 people live on Great Merrow.
isles.html:27-36 | Great Merrow has 1,490 inhabitants. | x
isles.html:38-47 | Hallin's quarry closed in 1911, in the early 20th century.
isles.html:38-47 | Hallin has 388 people and its quarry gave the stone for four lighthouses.
isles.html:38-47 | The quarry on Hallin closed in 1919. | x
isles.html:19-25 | The tide in Corran Sound reaches 5 kn, roughly 9 km/h.
isles.html:19-25 | The tide in Corran Strait reaches five knots. | x
* clinical-trials-graph.html:113-124 | Cardiozen's Phase III trial plans to enroll 800 patients and runs from May 2024 to February 2026.
* clinical-trials-graph.html:113-124 | It looks at major adverse cardiovascular events (MACE).
* clinical-trials-graph.html:113-124 | The trial starts on 10 May 2024.
* clinical-trials-graph.html:113-124 | The trial starts on 5 October 2024. | x
* clinical-trials-graph.html:113-124 | The trial runs for nearly two years.
* clinical-trials-graph.html:113-124 | The Oncora trial plans to enroll 800 patients. | x
* roles.html:45-64 | Minerva has been the Director of R&D since June 2021.
* roles.html:45-64 | Minerva became R&D director on 06/01/2021.
* roles.html:45-64 | Athena has been the Director of R&D since 2021. | x
* roles.html:45-64 | Minerva has held the role since June 2022. | x
* courses-learning-catalog.html:34-58 | Pharm 101 has no prerequisites and leads to the Foundations Badge.
* courses-learning-catalog.html:34-58 | The course PHARM-101 is offered by BioNova R&D.
* courses-learning-catalog.html:34-58 | The course leads to the Advanced Badge. | x
`;
