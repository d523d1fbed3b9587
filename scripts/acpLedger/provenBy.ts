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
		lifecycle("killing the CLI while a tool runs ends the turn with an error, and ends the shell"),
		failures("an agent with an older protocol is reported as too old, and stopped"),
		failures("starting an agent that never responds times out"),
	],
	"session/new": [turns("a turn streams its answer and reports its tokens")],
	"session/load": [
		lifecycle("a closed session can be loaded with its earlier turns, but without an incomplete last line"),
		lifecycle("killing the CLI while a tool runs ends the turn with an error, and ends the shell"),
	],
	"session/list": [lifecycle("a cancelled turn keeps its partial answer, and its session can continue")],
	"session/close": [
		lifecycle("a closed session can be loaded with its earlier turns, but without an incomplete last line"),
	],
	"session/delete": [lifecycle("a deleted session is not listed, and can be restored")],
	"session/prompt": [turns("a turn streams its answer and reports its tokens")],
	"session/cancel": [
		lifecycle("a cancelled turn keeps its partial answer, and its session can continue"),
		lifecycle("cancelling a turn ends its running shell command and closes the call"),
		lifecycle("a turn cancelled during a permission request runs nothing, even if the user then allows it"),
	],
	"session/set_config_option": [
		turns("a turn uses the chosen mode and agent"),
		turns("a session never lets the CLI run every call without a question"),
	],
	authenticate: [failures("a CLI without sign-in is reported with its own error code")],
	"session/request_permission": [
		turns("a call that is allowed once runs, shows its output and exit code, and adds no rule"),
		turns("a denied call does not run; the model continues and knows the reason"),
		turns("the user is asked about concurrent calls in turn, each with its own answer"),
	],
	user_message_chunk: [
		lifecycle("a closed session can be loaded with its earlier turns, but without an incomplete last line"),
	],
	agent_message_chunk: [
		turns("a turn streams its answer and reports its tokens"),
		failures("an interrupted answer that is sent again is shown once"),
	],
	agent_thought_chunk: [turns("a turn shows the model's thoughts")],
	tool_call: [turns("a turn shows the change of a file once, with the old and new lines")],
	tool_call_update: [turns("a turn replaces the output of a call as the output grows")],
	plan: [turns("a turn shows the plan that the CLI keeps in its database")],
	available_commands_update: [turns("a turn runs a CLI command without the model")],
	current_mode_update: [],
	config_option_update: [turns("a session never lets the CLI run every call without a question")],
	session_info_update: [],
	usage_update: [turns("a turn streams its answer and reports its tokens")],
};
