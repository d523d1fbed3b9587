interface Proof {
	/** Path relative to `test/acp`. */
	readonly file: string;
	readonly title: string;
}

const turns = (title: string): Proof => ({ file: "turns.test.ts", title });
const lifecycle = (title: string): Proof => ({ file: "lifecycle.test.ts", title });
const failures = (title: string): Proof => ({ file: "modelFailures.test.ts", title });

/** Methods and updates with the tests that prove them. `test/acp/ledger.test.ts` checks that the tests exist. */
export const provenBy: Readonly<Record<string, readonly Proof[]>> = {
	initialize: [
		lifecycle("the CLI starts again at the next use after it was stopped"),
		failures("an agent with an older protocol is reported as too old, and ended"),
		failures("an agent that says nothing is given up"),
	],
	"session/new": [turns("streams its answer, and tells what it took")],
	"session/load": [
		lifecycle("a session is closed and loaded again, with what was said"),
		lifecycle("a session is loaded by another CLI after the first one has stopped"),
	],
	"session/list": [lifecycle("a cancelled answer keeps what was said, and the session goes on")],
	"session/close": [lifecycle("a session is closed and loaded again, with what was said")],
	"session/delete": [lifecycle("a deleted session is in no list, and comes back whole")],
	"session/prompt": [turns("streams its answer, and tells what it took")],
	"session/cancel": [
		lifecycle("a cancelled answer keeps what was said, and the session goes on"),
		lifecycle("a turn that is cancelled while its shell runs ends the shell, and closes the call"),
		lifecycle("a turn that is cancelled while somebody is asked runs nothing, whatever is pressed then"),
	],
	"session/set_config_option": [
		turns("works in the mode and with the agent that are chosen"),
		turns("never lets the CLI run everything without asking, whatever turns that on"),
	],
	authenticate: [failures("the CLI that is not signed in says so")],
	"session/request_permission": [
		turns("runs a call that is allowed once, shows its output and its exit code, and keeps no rule"),
		turns("does not run a call that is denied, and goes on without it, knowing why"),
		turns("asks one question after the other for calls side by side, and each answer is its own"),
	],
	user_message_chunk: [lifecycle("a session is closed and loaded again, with what was said")],
	agent_message_chunk: [
		turns("streams its answer, and tells what it took"),
		failures("an answer that was cut is shown once, although it is sent twice"),
	],
	agent_thought_chunk: [turns("shows what the model thinks")],
	tool_call: [turns("shows a change of a file once, with the lines before and after")],
	tool_call_update: [turns("replaces the output of a call as it grows")],
	plan: [turns("shows the plan that the CLI keeps in its database")],
	available_commands_update: [turns("runs a command of the CLI, which needs no model")],
	current_mode_update: [],
	config_option_update: [turns("never lets the CLI run everything without asking, whatever turns that on")],
	session_info_update: [],
	usage_update: [turns("streams its answer, and tells what it took")],
};
