/** Files that are no text: what is shown and cited of them is the text that was extracted. */
const EXTRACTED =
	/\.(?:pdf|docx|docm|dotx|pptx|pptm|ppsx|potx|xlsx|xlsm|xltx|odt|ott|odp|otp|ods|ots|epub|rtf|eml|msg)$/i;

/** Whether a file is one of these, by its name. */
export function isExtracted(path: string): boolean {
	return EXTRACTED.test(path);
}
