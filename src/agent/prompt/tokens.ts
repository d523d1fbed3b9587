/** What a message costs beside its words. */
export const MESSAGE_TOKENS = 4;
