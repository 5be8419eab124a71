/**
 * The words and phrases that only this project once used, with plain ones. They are matched without regard to case, in text without code, quotations
 * and links. Add a word when a review finds one.
 */
export const VOCABULARY = [
  { id: 'told', pattern: /\btold\b(?!\s+(?:\S+\s+){0,4}apart\b)/i, say: 'sent, reported, notified, shown' },
  {
    id: 'tell',
    pattern:
      /(?<!\bcan(?:not|['’]t)? )\btell(?:s|ing)?\b(?!\s+(?:\S+\s+){0,6}apart\b)(?!\s+(?:whether|if|the difference)\b)(?!\s+(?:(?!what\b|how\b|of\b|who)\S+\s+){1,6}from\b)/i,
    say: 'reports, notifies, describes',
  },
  { id: 'nobody', pattern: /\bnobody\b/i, say: 'no caller, no listener, no one' },
  { id: 'somebody', pattern: /\bsomebody\b/i, say: 'the caller, the user, another process' },
  { id: 'whoever', pattern: /\bwho(?:so)?m?ever\b/i, say: 'the caller, the listener, the reader' },
  { id: 'stands', pattern: /\b(?:stands?|stood)\b(?![-\w]|\s+(?:up|out|alone)\b)/i, say: 'is, represents, appears' },
  { id: 'anew', pattern: /\banew\b/i, say: 'again, from scratch' },
  { id: 'shall', pattern: /\bshall\b/i, say: 'must, should, will' },
  { id: 'all the same', pattern: /\ball the same\b/i, say: 'anyway' },
  { id: 'for want of', pattern: /\bfor want of\b/i, say: 'because there is no' },
  { id: 'be it', pattern: /,\s+be (?:that|it|they)\b/i, say: 'whether … or' },
  { id: 'of others', pattern: /\b(?:texts?|names?|settings|words|data|something|nothing) of others\b/i, say: 'third-party, external' },
  { id: 'comes to', pattern: /\bwhat\s+(?:[^\s.;:]+\s+){1,6}comes? to(?=[.,:;]|$)/i, say: 'the result of' },
  { id: 'becomes of', pattern: /\b(?:becomes?|became) of\b/i, say: 'what happens to' },
  {
    id: 'is none',
    pattern: /(?:\b(?:it|that|which|this|they|what|one|text|name|file)\s+|^)(?:is|are|was|were) none\b/i,
    say: 'is not a …',
  },
  { id: 'in vain', pattern: /\bin vain\b/i, say: 'without success' },
  { id: 'goes along', pattern: /\b(?:go|goes|went|going) along\b/i, say: 'is sent with' },
  { id: 'of ours', pattern: /\b(?:an?|no|any|one|those|requests?|questions?) of (?:ours|its|theirs)\b(?!\s+\w)/i, say: 'our …, its …' },
  { id: 'is of', pattern: /\b(?:is|are|was|were) of (?!course\b|(?:\S+ ){0,2}(?:kind|type|size|form)\b)/i, say: 'belongs to, comes from' },
  { id: 'of before', pattern: /\b(?:of|from) before(?=[.,;:]|$|\s+it\b)|\bthose of before\b/i, say: 'earlier, previous' },
  { id: 'be had', pattern: /\b(?:be|was|were) had\b/i, say: 'is available' },
  { id: 'any more', pattern: /\bany more(?=[.,;:)]|$)/i, say: 'no longer' },
  { id: 'as ever', pattern: /\bas ever\b|\bever rarer\b/i, say: 'as usual' },
  { id: 'does away', pattern: /\bdo(?:es|ing|ne)? away with\b/i, say: 'deletes' },
];
