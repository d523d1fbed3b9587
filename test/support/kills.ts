/** How often the tests kill a process at some point of its writes. The environment can ask for more: `COPILOT_LD_KILLS=100`. */
export const KILLS = Number(process.env["COPILOT_LD_KILLS"] ?? 6);
