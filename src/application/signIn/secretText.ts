/** The secret of a sign-in: its stored form, and its form for the agent. Pure. */
import type { EnteredSecret, SignInSecret } from '../../core/account/signInSecret';

/** Reads a stored secret; undefined when it is malformed. */
export function secretIn(text: string | undefined): EnteredSecret | undefined {
  try {
    const { key, provider, baseUrl, headers } = (JSON.parse(text ?? '') ?? {}) as Record<string, unknown>;
    if (typeof key === 'string') {
      return { key, ...(typeof provider === 'string' && { provider }) };
    }
    const entries = typeof headers === 'object' && headers !== null ? Object.entries(headers) : [];
    return typeof baseUrl === 'string'
      ? { baseUrl, headers: Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string')) }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the secret as the agent reads it. Gemini CLI reads a key as a text, the others as a member. */
export function secretFor(entered: EnteredSecret): SignInSecret {
  if ('baseUrl' in entered) {
    const { baseUrl, headers } = entered;
    return { meta: { gateway: { baseUrl, headers } }, values: headers };
  }
  const { key, provider } = entered;
  return { meta: { 'api-key': provider === 'google' ? key : { apiKey: key } }, values: { key } };
}
