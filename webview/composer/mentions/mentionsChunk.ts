/** See `mentionChunk`. */
export { insertToken, onTokenKey, removeToken, replaceText } from './editText';
export { ChipPicture, LiveChips, MentionChip, MentionChips } from './mentionChips';
export { MentionSuggest } from './mentionSuggest';
export { takeLongText } from './pastedText';
