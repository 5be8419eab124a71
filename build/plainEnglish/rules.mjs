/** The rules for one sentence. Headless: it starts with a relative clause, a bare preposition or a pronoun instead of its subject. */
import { countWords, firstWords, plain } from './sentences.mjs';
import { VOCABULARY } from './vocabulary.mjs';

const MAX_WORDS = 30;
const MAX_TITLE_WORDS = 20;

/** A relative clause in place of a noun: `What the user chose.` */
const RELATIVE = /^(?:what|who|whom|whose|which)\b/i;
const OF = /^of\b(?!\s+course\b)/i;
const ELSE = /^(?:else|nor)\b/i;
/** `As a session does`, but not `As a fallback, …` or `As soon as …, …`. */
const AS =
  /^as\b(?!\s+(?:an?|the|of|well|soon|long|far|per|such|always|usual|expected|before|above|documented|specified|in|with|if|for|part|opposed)\b[^.;:]*,\s)/i;
const SO = /^so\s+(?:that|many|much|often|long)\b/i;

/** Wrong only in the first sentence of a comment, where nothing has been named yet: pronouns, and half sentences. */
const ORPHAN = [
  /^(?:its|they|their|theirs|them|he|his|him|she|her|that|those)\b/i,
  /^it\b(?!(?:['’]s| is| was| would be| may be| can be| takes| seems| turns out)\b[^.;]*\b(?:to|that|for|whether)\b)/i,
  /^there\s+(?:is|are|was|were|may be|can be|must be)\s+(?:one|none|nothing|no one|more|another|others|something|some|any|no more)\b/i,
  /^(?:one|all|none)\s+(?:that|which|who|whom|whose|of which|of whom)\b/i,
  /^none\b/i,
  /^(?:and\b|also (?:of|when|in|by|for|one|an?|where|if|the|what|with|after|before|to|from)\b|(?:until|unless)\b)[^,;:]*$/i,
];

const TITLE_START =
  /^(?:and|but|or|nor|so|else|yet|of|as|what|who|whom|whose|which|that|those|these|there|nobody|none|nothing|one|it|its|they|their|them|he|his)\b/i;
const TITLE_NOTHING =
  /^(?:(?:is|are|was|were)\s+(?:no|none|nothing|nobody(?:['’]s)?|another(?:['’]s)?|neither)|(?:has|have|had)\s+(?:no|none|nothing))\b/i;
const TITLE_BARE = /^(?:is|are|was|were|do|does|has|have|had)\s+(?:there|that|what|who|all|so|one|those|it)\b/i;

/**
 * Returns the reasons why a sentence is flagged. Empty when it reads well.
 * @param {{ text: string, first: boolean, role: string | undefined }} sentence
 * @param {'comment' | 'title' | 'markdown'} kind
 */
export function judge(sentence, kind) {
  const text = plain(sentence.text);
  const reasons = [];
  const words = countWords(text);
  if (kind === 'title') {
    const known = words > 2 || !text.endsWith('…');
    if (known && [TITLE_START, TITLE_NOTHING, TITLE_BARE].some((rule) => rule.test(text))) reasons.push(`title: ${firstWords(text, 2)}`);
  } else if (isHeadless(text, sentence, kind)) {
    reasons.push(`headless: ${firstWords(text, 1)}`);
  }
  for (const word of VOCABULARY) if (word.pattern.test(text)) reasons.push(`word: ${word.id}, say ${word.say}`);
  if (words > (kind === 'title' ? MAX_TITLE_WORDS : MAX_WORDS)) reasons.push(`long: ${words} words`);
  return reasons;
}

function isHeadless(text, sentence, kind) {
  if (sentence.role === 'tag' || sentence.role === 'heading' || /\?["”’')]*$/.test(text)) return false;
  if (RELATIVE.test(text) || OF.test(text) || ELSE.test(text) || SO.test(text)) return true;
  if (sentence.role === 'cell') return false;
  if (AS.test(text)) return true;
  return kind === 'comment' && sentence.first && ORPHAN.some((rule) => rule.test(text));
}
