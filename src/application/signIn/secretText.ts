/** The stored form of a sign-in's secret. Pure. */
import type { SignInSecret } from '../../core/account/signInSecret';

/** Reads a stored secret; undefined when it is malformed. */
export function secretIn(text: string | undefined): SignInSecret | undefined {
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
