/** How the user stands with an agent that wants a sign-in, in words. Pure. */
import type { TranslateVerbatim } from './translate';

/** Why the card is there, and what a screen reader says then. @param agent its name, made safe */
export function signInWantedWords(agent: string, t: TranslateVerbatim): string {
  return t('{agent} requires you to sign in.', { agent });
}

/** While the agent, a terminal or the browser has the word. */
export function signInWaitsWords(t: TranslateVerbatim): string {
  return t('Waiting for sign-in…');
}

export function signedInWords(isSignedIn: boolean, t: TranslateVerbatim): string {
  return isSignedIn ? t('Signed in') : t('Signed out');
}
