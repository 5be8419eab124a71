/**
 * Keys and tokens of well-known services, by their prefixes. Each is a word of its own, so each word of a text is checked once. Repetitions are
 * bounded or end the pattern, so that the time is linear in the text. The list is meant to be extended: one line, one service.
 */

/** Must match in the next 60 characters of the word: a word without any of these is a name with the same prefix. */
const HAS_DIGIT = '(?=[\\w.~+/=-]{0,60}\\d)';
const HAS_UPPER = '(?=[\\w.~+/=-]{0,60}[A-Z])';

const SHAPES: readonly string[] = [
  // AI
  'sk-[\\w-]{8,}', // OpenAI, Anthropic, OpenRouter, DeepSeek
  `(?:gsk_|xai-|pplx-|csk-|r8_|jina_|tvly-|nvapi-|fw_)${HAS_DIGIT}[\\w-]{20,}`, // Groq, xAI, Perplexity, Cerebras, Replicate, Jina, Tavily, NVIDIA, Fireworks
  'hf_[A-Za-z0-9]{16,}', // Hugging Face
  'lsv2_[a-z]{2}_\\w{16,}', // LangSmith
  // Clouds
  '(?:AKIA|ASIA)[0-9A-Z]{12,}', // AWS
  'ABSK[A-Za-z0-9+/=]{40,}', // AWS Bedrock
  'AIza[\\w-]{20,}', // Google
  'ya29\\.[\\w-]{16,}',
  'GOCSPX-[\\w-]{16,}',
  '1//0[\\w-]{20,}',
  'do[opr]_v1_\\w{16,}', // DigitalOcean
  `dp\\.(?:pt|st|ct|sa|scim|audit)\\.${HAS_DIGIT}[\\w.-]{16,}`, // Doppler
  'hv[sbr]\\.[\\w-]{16,}', // HashiCorp Vault
  'pul-[0-9a-f]{40}', // Pulumi
  'dapi[0-9a-f]{32}(?:-\\d{1,2})?', // Databricks
  'pscale_[a-z]{2,6}_[\\w.=-]{16,}', // PlanetScale
  'sb(?:p_[0-9a-f]{20,}|_secret_[\\w-]{16,})', // Supabase
  'HRKU-[\\w-]{20,}', // Heroku
  'nfp_[A-Za-z0-9]{20,}', // Netlify
  'fm[12][ar]?_[\\w+/=-]{20,}', // Fly.io
  'tskey-[a-z]{2,12}-[\\w-]{12,}', // Tailscale
  'AGE-SECRET-KEY-1[0-9A-Z]{40,}',
  // Code
  'gh[a-z]_[A-Za-z0-9]{8,}', // GitHub
  'github_pat_\\w{8,}',
  `gl(?:pat|dt|rt|ptt|ft|agent|soat|cbt|imt|oas|ffct)-[\\w-]{8,}`, // GitLab
  'GR1348941[\\w-]{16,}',
  `AT[AC]TT${HAS_DIGIT}[\\w=.-]{16,}`, // Atlassian
  `ATBB${HAS_DIGIT}[A-Za-z0-9]{24,}`, // Bitbucket
  'npm_[A-Za-z0-9]{20,}',
  `pypi-${HAS_DIGIT}${HAS_UPPER}[\\w-]{16,}`,
  'rubygems_[0-9a-f]{32,}',
  'oy2[a-z0-9]{43}', // NuGet
  `cio${HAS_DIGIT}${HAS_UPPER}[A-Za-z0-9]{32}`, // crates.io
  'dckr_[op]at_[\\w-]{16,}', // Docker
  'PMAK-[0-9a-f]{16,}-[0-9a-f]{16,}', // Postman
  'sntry[su]_[\\w+/=.-]{16,}', // Sentry
  'gl(?:sa|c)_[\\w+/=]{16,}', // Grafana
  'NR(?:AK|JS|BR|RA)-[A-Za-z0-9]{16,}', // New Relic
  'bk[up]a_[0-9a-f]{32,}', // Buildkite
  'CCIPAT_\\w{16,}', // CircleCI
  `lin_(?:api|oauth)_[A-Za-z0-9]{16,}`, // Linear
  `secret_${HAS_DIGIT}${HAS_UPPER}[A-Za-z0-9]{32,}`, // Notion
  `ntn_${HAS_DIGIT}[A-Za-z0-9]{20,}`,
  'fig[dour]{1,2}_[\\w-]{20,}', // Figma
  'pat[A-Za-z0-9]{14}\\.[0-9a-f]{32,}', // Airtable
  // Payments, shops, messaging
  '(?:sk|pk|rk|whsec)_(?:live|test)_\\w{8,}', // Stripe
  `whsec_${HAS_DIGIT}[A-Za-z0-9+/=]{20,}`,
  'sq0[a-z]{3}-[\\w-]{16,}', // Square
  `EAAA${HAS_DIGIT}[\\w-]{48,}`,
  'shp[a-z]{2}_[0-9A-Fa-f]{16,}', // Shopify
  'xox[a-z]-[\\w-]{8,}', // Slack
  `xapp-${HAS_DIGIT}[\\w-]{16,}`,
  'SG\\.[\\w-]{16,100}\\.[\\w-]{16,}', // SendGrid
  'SK[0-9a-f]{32}(?!\\w)', // Twilio
  'key-[0-9a-f]{32}(?!\\w)', // Mailgun
  // JSON web tokens
  'eyJ[\\w-]{5,}\\.[\\w-]{5,}(?:\\.[\\w-]*)?',
];

/** The same for tokens without a distinctive prefix, each with a text that must occur. */
const LATE_SHAPES: readonly (readonly [has: string, shape: string])[] = [
  ['Q~', '\\w{3}\\dQ~[\\w~.-]{30,}'], // Microsoft Entra
  ['.atlasv1.', '[A-Za-z0-9]{14}\\.atlasv1\\.[\\w-]{20,}'], // HCP Terraform
  ['-us', '[0-9a-f]{32}-us\\d{1,2}(?!\\w)'], // Mailchimp
  [':', `(?:bot)?\\d{6,12}:${HAS_DIGIT}${HAS_UPPER}[\\w-]{33,40}(?![\\w-])`], // Telegram
  ['.', '[MNO][\\w-]{23,27}\\.[\\w-]{6}\\.[\\w-]{27,}'], // Discord
];

/** A pattern matches only at a word's start. Escapes in a nested string, and colour sequences, end in letters that are not part of a word. */
const WORD_START = '(?=\\w)(?:(?<![A-Za-z0-9_-])|(?<=\\\\[nrt])|(?<=\\u001b\\[[\\d;]{0,20}m))';
const KEYS = new RegExp(`${WORD_START}(?:${SHAPES.join('|')})`, 'g');
const LATE_KEYS = LATE_SHAPES.map(([has, shape]) => [has, new RegExp(WORD_START + shape, 'g')] as const);
/** Addresses that are secrets themselves, because knowing one suffices to post there. The host stays. */
const ADDRESSES =
  /((?:hooks\.slack\.com\/(?:services|workflows|triggers)|discord(?:app)?\.com\/api\/webhooks|[\w-]{1,60}\.webhook\.office\.com)\/)[\w@/.-]{8,}/g;

/** Returns `text` with every match of a shape replaced by `instead`. */
export function withoutShapes(text: string, instead: string): string {
  let result = text.replace(KEYS, instead);
  for (const [has, keys] of LATE_KEYS) {
    if (result.includes(has)) {
      result = result.replace(keys, instead);
    }
  }
  return result.includes('hook') ? result.replace(ADDRESSES, `$1${instead}`) : result;
}
