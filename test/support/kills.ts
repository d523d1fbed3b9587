/** Number of times that tests kill a process during its writes. `COPILOT_LD_KILLS=100` in the environment increases it. */
export const KILLS = Number(process.env["COPILOT_LD_KILLS"] ?? 6);
